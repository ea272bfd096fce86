//! The web's own cases: MIME types, headers, labels, encodings of pages, sniffing.

use encoding_rs::Encoding;
use extract::charset::Charset;
use extract::identify::sniff;
use extract::mime::Mime;
use serde_json::{Value, json};

use super::bytes;

pub(super) fn mime(case: &Value) -> Option<(bool, Value)> {
    let (expect, mime) = (&case["expect"], Mime::parse(case["input"].as_str()?));
    let shown = mime.as_ref().map(Mime::to_string);
    let encoding = mime.as_ref().and_then(Mime::charset).map(Encoding::name);
    let encoding_right = expect.get("encoding").is_none_or(|want| *want == json!(encoding));
    let again = mime.as_ref().is_none_or(|mime| Mime::parse(&mime.to_string()).as_ref() == Some(mime));
    Some((expect["output"] == json!(shown) && encoding_right && again, json!([shown, encoding])))
}

pub(super) fn headers(case: &Value) -> Option<(bool, Value)> {
    let expect = &case["expect"];
    let mime = Mime::from_headers(case["input"].as_array()?.iter().filter_map(Value::as_str));
    let encoding = mime.as_ref().and_then(Mime::charset).map(Encoding::name);
    if case["op"] == "script_content_type" {
        let executes = mime.as_ref().is_some_and(Mime::is_script);
        // What does not run has no encoding.
        let encoding = encoding.filter(|_| executes);
        return Some((
            expect["executes"] == executes && expect["encoding"] == json!(encoding),
            json!([executes, encoding]),
        ));
    }
    let shown = mime.as_ref().map(Mime::to_string);
    Some((
        expect["mimeType"] == json!(shown) && expect["encoding"] == json!(encoding),
        json!([shown, encoding]),
    ))
}

pub(super) fn label(case: &Value) -> Option<(bool, Value)> {
    let ours = Mime::parse(&format!("text/html;charset=\"{}\"", case["input"].as_str()?))?.charset()?.name();
    Some((case["expect"] == ours, json!(ours)))
}

pub(super) fn html_encoding(case: &Value) -> Option<(bool, Value)> {
    let html = bytes(&case["input"])?;
    let ours = Charset::find(&html, &Mime::parse("text/html")?)?.encoding.name();
    Some((case["expect"].as_str()?.eq_ignore_ascii_case(ours), json!(ours)))
}

/// Go adds a charset, which is not asked here.
pub(super) fn sniff(case: &Value) -> Option<(bool, Value)> {
    let ours = sniff::computed(&bytes(&case["input"])?, None, None, false);
    let want = Mime::parse(case["expect"].as_str()?)?;
    Some((want.essence() == ours.essence(), json!(ours.to_string())))
}

pub(super) fn nosniff(case: &Value) -> Option<(bool, Value)> {
    let headers = case["input"].as_str()?.split("\r\n").filter_map(|line| line.split_once(": "));
    let options: Vec<&str> = headers
        .filter(|(name, _)| name.eq_ignore_ascii_case("x-content-type-options"))
        .map(|(_, value)| value)
        .collect();
    let ours = sniff::is_nosniff(&options);
    Some((case["expect"] == ours, json!(ours)))
}

/// The pages say in a link whether they look like the reference where their `meta` takes effect.
#[test]
fn a_meta_takes_effect_where_browsers_heed_it() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let folder = dir.join("06-dates-charset-mime/wpt-charset-pages");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&page);
        let Some((_, relation)) = text.split_once("<link rel=\"") else { continue };
        let declared = extract::charset::declared_in_html(&page).map(|charset| charset.encoding.name());
        let expect = relation.starts_with("match").then_some("windows-1251");
        assert_eq!(declared, expect, "{}", path.display());
        count += 1;
    }
    assert!(count > 10, "only {count} pages");
}
