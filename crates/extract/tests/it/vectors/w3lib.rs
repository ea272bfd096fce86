//! w3lib's cases of encodings, and dates of many sources.

use encoding_rs::Encoding;
use extract::charset::{self, Charset, Decoder};
use extract::dates;
use extract::mime::Mime;
use serde_json::{Value, json};
use urlkey::time;

use super::bytes;

pub(super) fn date(case: &Value) -> Option<(bool, Value)> {
    let text = case["input"].as_str();
    let ours = match case["op"].as_str()? {
        "parse_date" | "parse_http_date" | "iso_date_to_datetime" => {
            dates::read(text?).ok().map(|date| time::to_warc_date_precise(date.timestamp))
        }
        // The rest are notations to write and digits to fill in, which `urlkey` has and tests.
        _ => return None,
    };
    let want = case["expect"].as_str()?.parse::<jiff::Timestamp>().ok()?;
    let right = ours.as_deref().and_then(|ours| ours.parse::<jiff::Timestamp>().ok()) == Some(want);
    Some((right, json!(ours)))
}

pub(super) fn encoding(case: &Value) -> Option<(bool, Value)> {
    let (args, expect) = (&case["input"]["args"], &case["expect"]);
    match case["op"].as_str()?.strip_prefix("encoding.")? {
        "read_bom" => {
            let ours = charset::mark(&bytes(&args[0])?).map(Encoding::name);
            Some((same_encoding(ours, &expect[0]), json!(ours)))
        }
        "http_content_type_encoding" => {
            let ours = header(&args[0]).and_then(|mime| mime.charset()).map(Encoding::name);
            Some((same_encoding(ours, expect), json!(ours)))
        }
        "html_body_declared_encoding" => {
            let ours = charset::declared_in_html(&bytes(&args[0])?).map(|charset| charset.encoding.name());
            Some((same_encoding(ours, expect), json!(ours)))
        }
        "to_unicode" => {
            let Some(encoding) = Encoding::for_label(args[1].as_str()?.as_bytes()) else {
                return Some((false, json!("no such encoding")));
            };
            let text = Decoder::new(encoding).decode(&bytes(&args[0])?, true).into_owned();
            Some((*expect == text, json!(text)))
        }
        "html_to_unicode" => {
            let mime = header(&args[0]).or_else(|| Mime::parse("text/html"))?;
            let body = bytes(&args[1])?;
            let encoding = Charset::find(&body, &mime)?.encoding;
            let text = Decoder::new(encoding).decode(&body, true).into_owned();
            Some((
                same_encoding(Some(encoding.name()), &expect[0]) && expect[1] == text,
                json!([encoding.name(), text]),
            ))
        }
        _ => None,
    }
}

/// A `Content-Type`, which the cases write with its name or without.
fn header(value: &Value) -> Option<Mime> {
    let text = value.as_str()?;
    Mime::from_headers([text.strip_prefix("Content-Type:").unwrap_or(text).trim()])
}

/// Python has names of its own for encodings, and takes the larger of two that are alike.
fn same_encoding(ours: Option<&str>, python: &Value) -> bool {
    let label = match python.as_str() {
        Some("cp1252" | "ascii") => Some("windows-1252"),
        Some("big5hkscs") => Some("Big5"),
        Some("gb18030") if ours == Some("GBK") => Some("GBK"),
        Some("utf-16-le") => Some("UTF-16LE"),
        Some("utf-16-be") => Some("UTF-16BE"),
        Some(name) => Encoding::for_label(name.as_bytes()).map(Encoding::name).or(Some("unknown")),
        None => None,
    };
    ours == label
}

/// Cases of other people's helpers, which no part of this crate answers.
pub(super) fn nobody(_: &Value) -> Option<(bool, Value)> {
    None
}

const ASKING: &str = "what is sent to servers is written by `fetch`";
const LAYOUT: &str = "how numbers are shown is a matter of the command line";

pub(super) const NOT_OURS: &[(&str, &str)] = &[
    ("http.basic_auth_header", ASKING),
    ("http.headers_raw_to_dict", "the head of a response is read by `warc` and `fetch`"),
    ("http.headers_dict_to_raw", ASKING),
    ("ArchiveUtils.padTo", LAYOUT),
    ("ArchiveUtils.formatBytesForDisplay", LAYOUT),
];

const TIME: &str = "`urlkey` writes times and fills digits in, and tries these cases itself";

pub(super) const TIMES: &[(&str, &str)] = &[
    ("datetime_to_http_date", TIME),
    ("datetime_to_iso_date", TIME),
    ("pad_timestamp", TIME),
    ("timestamp_to_datetime", TIME),
    ("timestamp_to_sec", TIME),
    ("sec_to_timestamp", TIME),
    ("timestamp_to_http_date", TIME),
    ("timestamp_now", TIME),
    ("datetime_to_timestamp", TIME),
    ("http_date_to_timestamp", TIME),
    ("http_date_to_datetime", TIME),
    ("iso_date_to_timestamp", TIME),
];
