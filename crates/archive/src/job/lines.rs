//! A capture as a line of the index: the usual fields, and what the archive itself needs to know again.
//!
//! | name | value |
//! |---|---|
//! | `rid` | id of the record |
//! | `date` | its `WARC-Date`, to the millisecond |
//! | `etag`, `lastmod` | what to ask by whether it changed; only of whole answers that are worth it |
//! | `hops` | how it was come to |
//! | `truncated` | why it is not whole, as its record says: `length`, `time`, `disconnect` or `unspecified` |
//! | `gone` | `1`: was there before, and answered 404 or 410 now |
//! | `commit` | the job |
//! | `mime-detected` | media type of a revisit's document |
//! | `orig_url`, `orig_date`, `orig_rid` | the record with a revisit's payload; `orig.filename`, … its place, where known |

use std::borrow::Cow;

use cdx::{Extra, Place, Value};
use fetch::Exchange;
use jiff::Timestamp;

use crate::capture::Capture;
use crate::limits::Limits;
use crate::original::Original;

/// The first line of `captures.cdxj`.
pub const CAPTURES_HEAD: &[u8] = b"!varve-captures 1\n";

/// Longest `Location` that a line tells.
const REDIRECT_BYTES_MAX: usize = 16 << 10;

pub(super) type Row = cdx::Capture<'static>;

/// What a line about an exchange is made from.
pub(super) struct Facts<'a> {
    pub(super) job: &'a str,
    pub(super) capture: &'a Capture<'a>,
    pub(super) url: &'a str,
    pub(super) date: Timestamp,
    pub(super) id: &'a str,
    pub(super) digest: Option<String>,
    pub(super) gone: bool,
}

/// The line of a response that is stored; its place is filled in when it has one.
pub(super) fn response(facts: &Facts<'_>, limits: &Limits) -> Row {
    let exchange = facts.capture.exchange;
    let mime = Some(facts.capture.mime).filter(|mime| is_word(mime));
    let redirect = exchange.redirect.as_ref().map(|url| url.as_str());
    let mut row = Row {
        mime: mime.map(|mime| Cow::Owned(mime.to_owned())),
        status: exchange.status(),
        redirect: redirect
            .filter(|url| url.len() <= REDIRECT_BYTES_MAX)
            .map(|url| Cow::Owned(url.to_owned())),
        digest: facts.digest.clone().map(Cow::Owned),
        ..begun(facts.url, facts.date, facts.id)
    };
    if exchange.outcome.is_complete() && exchange.status().is_some_and(|status| (200..300).contains(&status))
    {
        let [etag, lastmod] = validators(exchange, limits);
        add(&mut row, "etag", etag);
        add(&mut row, "lastmod", lastmod);
    }
    if !facts.capture.hops.is_empty() {
        add(&mut row, "hops", Some(shortened(facts.capture.hops).into_owned()));
    }
    let truncated = exchange.outcome.truncated();
    add(&mut row, "truncated", truncated.map(|truncated| truncated.name().to_owned()));
    if facts.gone {
        add(&mut row, "gone", Some("1".to_owned()));
    }
    add(&mut row, "commit", Some(facts.job.to_owned()));
    row
}

/// The line of a record that stands for itself, such as the name servers' answer.
pub(super) fn plain(job: &str, url: &str, date: Timestamp, id: &str, mime: &str, digest: String) -> Row {
    let mut row = Row {
        mime: Some(Cow::Owned(mime.to_owned())),
        digest: Some(Cow::Owned(digest)),
        ..begun(url, date, id)
    };
    add(&mut row, "commit", Some(job.to_owned()));
    row
}

/// Makes of the line of a response that of a revisit.
pub(super) fn turn_into_revisit(row: &mut Row, original: &Original) {
    let mime = row.mime.replace(Cow::Borrowed("warc/revisit"));
    add(row, "mime-detected", mime.map(Cow::into_owned));
    add(row, "orig_url", Some(original.url.clone()));
    add(row, "orig_date", Some(urlkey::time::to_warc_date_precise(original.date)));
    add(row, "orig_rid", original.record_id.clone());
    if original.file.is_some() {
        row.original = Some(Box::new(Place {
            length: original.length,
            offset: original.offset,
            filename: original.file.clone().map(Cow::Owned),
        }));
    }
}

/// The way to a capture as it is written down: of a long one how many steps are left out, and the last fifty, as Heritrix has it.
/// A crawl may go on for ever, and every step would make every line longer.
pub(super) fn shortened(hops: &str) -> Cow<'_, str> {
    const LAST_MAX: usize = 50;
    let count = hops.chars().count();
    match count.checked_sub(LAST_MAX) {
        None | Some(0) => Cow::Borrowed(hops),
        Some(left_out) => {
            Cow::Owned(hops.chars().skip(left_out).fold(format!("{left_out}+"), |mut text, hop| {
                text.push(hop);
                text
            }))
        }
    }
}

/// Whether a line can be read again, also when it becomes that of a revisit: the URL of its original fits beside it, because the
/// original's own line has fitted by the same measure.
pub(super) fn fits(row: &Row) -> bool {
    // What has a bound of its own takes less than half of the room that is left; nothing takes more than six times its bytes. So
    // most lines need not be written to know it.
    const SHORT_BYTES_MAX: usize = 2 << 10;
    let texts = [&row.url, &row.key, &row.redirect].into_iter().flatten();
    if texts.map(|text| text.len()).sum::<usize>() <= SHORT_BYTES_MAX {
        return true;
    }
    let mut line = Vec::with_capacity(1 << 10);
    row.write_cdxj(&mut line);
    line.len() <= cdx::Limits::default().line_bytes / 2
}

/// Adds a field that has no place of its own.
pub(super) fn add(row: &mut Row, name: &'static str, value: Option<String>) {
    if let Some(value) = value {
        row.extra.push(Extra::new(name, Value::Text(Cow::Owned(value))));
    }
}

/// `ETag` and `Last-Modified` of an answer, if they can be sent again as they are.
pub(super) fn validators(exchange: &Exchange, limits: &Limits) -> [Option<String>; 2] {
    let head = exchange.head.as_ref().filter(|_| exchange.is_head_whole);
    ["etag", "last-modified"].map(|name| {
        let value = str::from_utf8(head?.get(name)?).ok()?;
        let is_sound = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
        let is_wanted = !value.is_empty() && value.len() <= limits.validator_bytes;
        (is_wanted && value.bytes().all(is_sound)).then(|| value.to_owned())
    })
}

fn begun(url: &str, date: Timestamp, id: &str) -> Row {
    let mut row = Row {
        key: Some(Cow::Owned(urlkey::key(url))),
        timestamp: cdx::Timestamp::parse(&urlkey::time::to_14(date)).ok(),
        url: Some(Cow::Owned(url.to_owned())),
        ..Row::default()
    };
    add(&mut row, "rid", Some(id.to_owned()));
    add(&mut row, "date", Some(urlkey::time::to_warc_date_precise(date)));
    row
}

/// A media type that fits into a line whatever its format: one word.
fn is_word(mime: &str) -> bool {
    !mime.is_empty() && mime.len() <= 200 && mime.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hops: &str, expect: &str) {
        assert_eq!(shortened(hops), expect);
    }

    #[test]
    fn long_ways_are_told_by_their_end() {
        check("", "");
        check("LLE", "LLE");
        check(&"L".repeat(50), &"L".repeat(50));
        check(&format!("{}E", "L".repeat(50)), &format!("1+{}E", "L".repeat(49)));
        check(&"é".repeat(1050), &format!("1000+{}", "é".repeat(50)));
    }
}
