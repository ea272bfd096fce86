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

/// What each of the web's pages about `meta` declares. Those that look like a reference (`match`) or must not (`mismatch`)
/// are in windows-1251 where their `meta` takes effect; the others say in an assertion what is expected.
const PAGES: [(&str, Option<&str>); 21] = [
    ("after-bogus.html", Some("windows-1251")),
    ("after-head-after-1kb-crlf.html", None),
    ("after-head-in-1kb-crlf.html", Some("windows-1251")),
    ("after-head-in-1kb.html", Some("windows-1251")),
    ("baseline.html", Some("windows-1251")),
    ("in-comment.html", None),
    ("in-noscript-after-template-after-1kb.html", None),
    ("in-object.html", Some("windows-1251")),
    ("in-style.html", None),
    ("in-svg-in-cdata.html", None),
    ("in-template.html", Some("windows-1251")),
    ("in-title.html", None),
    ("inheritance-bogus-meta.html", Some("windows-1253")),
    ("meta-charset-no-quotes.html", Some("ISO-8859-5")),
    ("meta-charset-single-quotes.html", Some("ISO-8859-5")),
    ("meta-commented-out.html", None),
    ("meta-http-equiv-double-quotes.html", Some("ISO-8859-5")),
    ("meta-http-equiv-no-quotes.html", Some("ISO-8859-5")),
    ("ncr.html", Some("windows-1251")),
    ("non-ascii-in-title-before.html", Some("windows-1251")),
    // In UTF-16 throughout, which its mark tells; frames in it must not inherit that.
    ("without-inheritance.html", None),
];

#[test]
fn a_meta_takes_effect_where_browsers_heed_it() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let folder = dir.join("06-dates-charset-mime/wpt-charset-pages");
    let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, PAGES.map(|(name, _)| name), "each page is listed");
    for (name, expect) in PAGES {
        let page = std::fs::read(folder.join(name)).unwrap();
        let declared = extract::charset::declared_in_html(&page).map(|charset| charset.encoding.name());
        assert_eq!(declared, expect, "{name}");
        // What is listed here is what the page itself says.
        let text = String::from_utf8_lossy(&page);
        if let Some((_, relation)) = text.split_once("<link rel=\"") {
            assert_eq!(relation.starts_with("match"), expect.is_some(), "{name}");
        } else if let Some((_, asserted)) = text.split_once("assert_equals(document.characterSet, \"") {
            assert_eq!(asserted.split('"').next(), expect, "{name}");
        }
    }
    let page = std::fs::read(folder.join("without-inheritance.html")).unwrap();
    assert_eq!(extract::charset::mark(&page).map(Encoding::name), Some("UTF-16LE"));
}
