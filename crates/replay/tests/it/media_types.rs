//! Types: what an answer is sent as, and that no script runs in it unless the shim stands before it (issue 20, points 10 and 11).

use crate::world::{Answer, World, answer, page, record};

const URL: &str = "http://example.org/";
const LINK: &str = "http://live.example/away";

/// A page with a link to the live web and a script.
fn html() -> String {
    format!("<!doctype html><html><body><script>x</script><a href=\"{LINK}\">away</a></body></html>")
}

/// The same as XML.
fn xhtml() -> String {
    format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><script>x</script><a href=\"{LINK}\">away</a></body></html>"
    )
}

/// XML of another kind, with a script and a link in it.
fn other_xml() -> String {
    format!(
        "<data><h:script xmlns:h=\"http://www.w3.org/1999/xhtml\">x</h:script>\
         <a xmlns=\"http://www.w3.org/1999/xhtml\" href=\"{LINK}\">away</a></data>"
    )
}

/// The answer to a request for a capture with these lines as its head.
fn shown(fields: &str, modifier: &str, body: &str) -> Answer {
    let world = World::of(&[answer(URL, "20260101000000", "200 OK", fields, body.as_bytes())]);
    world.serve().get(&format!("/web/20260101000000{modifier}/{URL}"))
}

fn has_shim(answer: &Answer) -> bool {
    let text = answer.text();
    let shim = text.find("src=\"/-/shim.js\"");
    shim.is_some_and(|shim| text.find(">x</").is_none_or(|script| shim < script))
}

fn is_sandboxed(answer: &Answer) -> bool {
    let policy = answer.expect("content-security-policy");
    assert!(!policy.contains("allow-"), "a sandbox allows nothing: {policy}");
    policy.split(';').any(|directive| directive.trim() == "sandbox")
}

fn leads_away(answer: &Answer) -> bool {
    answer.text().contains(&format!("\"{LINK}\""))
}

#[test]
fn documents_of_any_type_have_shim_or_sandbox_and_links_into_the_archive() {
    for content_type in [
        "text/html",
        "TEXT/HTML; charset=utf-8",
        "application/xhtml+xml",
        "application/vnd.wap.xhtml+xml",
        "text/xml",
        "application/xml",
        "text/xsl",
        "Text/XSL;charset=utf-8",
        "text/rdf",
        "application/xslt+xml",
        "application/rdf+xml",
        "application/rss+xml",
        "application/atom+xml",
        "image/svg+xml",
        "application/mathml+xml",
        "application/vnd.mozilla.xul+xml",
        "audio/odd+xml",
        "model/x3d+xml",
    ] {
        let is_html = content_type.to_ascii_lowercase().starts_with("text/html");
        for body in if is_html { vec![html()] } else { vec![xhtml(), other_xml()] } {
            for modifier in ["", "if_", "oe_"] {
                let answer = shown(&format!("Content-Type: {content_type}\r\n"), modifier, &body);
                assert!(
                    has_shim(&answer) != is_sandboxed(&answer),
                    "{content_type} {modifier} {}",
                    answer.text()
                );
                // What is called XHTML is a page, whatever its outermost element.
                let is_page = !body.starts_with("<data") || content_type.contains("xhtml");
                assert_eq!(has_shim(&answer), is_page, "{content_type} {modifier}");
                assert!(!leads_away(&answer), "{content_type} {modifier} {}", answer.text());
                assert_eq!(answer.expect("x-content-type-options"), "nosniff", "{content_type} {modifier}");
                // Chromium reads `text/xsl` as HTML; all browsers read this as XML.
                // XML is sent as UTF-8.
                let lower = content_type.to_ascii_lowercase();
                let sent = match lower.split(';').next().unwrap_or_default() {
                    _ if is_html => content_type.to_owned(),
                    "text/xsl" | "text/rdf" => "text/xml; charset=UTF-8".to_owned(),
                    essence => format!("{essence}; charset=UTF-8"),
                };
                assert_eq!(answer.expect("content-type"), sent);
            }
        }
    }
}

#[test]
fn types_that_nobody_has_listed_as_harmless_are_sandboxed() {
    for content_type in [
        "multipart/x-mixed-replace; boundary=x",
        "multipart/related; boundary=x",
        "message/rfc822",
        "application/x-mimearchive",
        "text/cache-manifest",
        "text/x-component",
        "image/svg",
        "application/hta",
        "foo/bar",
    ] {
        let answer = shown(&format!("Content-Type: {content_type}\r\n"), "", &html());
        assert!(is_sandboxed(&answer), "{content_type}");
        assert_eq!(answer.expect("x-content-type-options"), "nosniff", "{content_type}");
    }
}

#[test]
fn harmless_types_are_sent_as_they_are_and_never_sniffed() {
    for content_type in [
        "text/plain",
        "text/plain; charset=utf-8",
        "text/css",
        "text/javascript",
        "application/json",
        "application/ld+json",
        "application/octet-stream",
        "application/pdf",
        "image/png",
        "video/mp4",
        "audio/mpeg",
        "font/woff2",
    ] {
        let answer = shown(&format!("Content-Type: {content_type}\r\n"), "", &html());
        assert!(!is_sandboxed(&answer), "{content_type}");
        assert_eq!(answer.expect("content-type"), content_type);
        assert_eq!(answer.expect("x-content-type-options"), "nosniff", "{content_type}");
        assert_eq!(answer.header("x-archive-orig-content-type"), None);
    }
}

#[test]
fn pages_without_a_usable_type_are_sniffed_and_rewritten() {
    for fields in [
        "",
        "Content-Type:\r\n",
        "Content-Type: \t \r\n",
        "Content-Type: unknown/unknown\r\n",
        "Content-Type: Application/Unknown; charset=utf-8\r\n",
        "Content-Type: */*\r\n",
        "Content-Type: html\r\n",
        "Content-Type: text\r\n",
        "Content-Type: text/\r\n",
        "Content-Type: /html\r\n",
        "Content-Type: text html\r\n",
        "Content-Type: ;charset=utf-8\r\n",
        "Content-Type: text/html(odd)\r\n",
        "Content-Type: */*\r\nContent-Type: unknown/unknown\r\n",
    ] {
        for (body, sent) in [
            (html(), "text/html"),
            (format!("<?xml version=\"1.0\"?>{}", xhtml()), "text/xml; charset=UTF-8"),
        ] {
            for modifier in ["", "if_", "oe_"] {
                let answer = shown(fields, modifier, &body);
                assert!(
                    has_shim(&answer) && !is_sandboxed(&answer),
                    "{fields:?} {modifier} {}",
                    answer.text()
                );
                assert!(!leads_away(&answer), "{fields:?} {modifier} {}", answer.text());
                assert_eq!(answer.expect("content-type"), sent, "{fields:?} {modifier}");
                assert_eq!(answer.expect("x-content-type-options"), "nosniff");
            }
        }
        // What does not look like a page is none.
        let answer = shown(fields, "", "just text");
        assert_eq!(answer.expect("content-type"), "text/plain", "{fields:?}");
        let answer = shown(fields, "im_", "GIF89a");
        assert_eq!(answer.expect("content-type"), "image/gif", "{fields:?}");
        assert_eq!(answer.expect("x-content-type-options"), "nosniff", "{fields:?}");
    }
    let told = shown("Content-Type: unknown/unknown\r\n", "", &html());
    assert_eq!(told.expect("x-archive-orig-content-type"), "unknown/unknown");
}

/// Browsers take the last of several that makes sense; we send that one alone, so that all take the same.
#[test]
fn of_several_types_the_last_usable_one_is_sent() {
    for (fields, sent) in [
        ("Content-Type: text/plain\r\nContent-Type: text/html\r\n", "text/html"),
        ("Content-Type: text/html\r\nContent-Type: odd\r\n", "text/html"),
        ("Content-Type: image/png, text/html; charset=utf-8\r\n", "text/html;charset=utf-8"),
        ("Content-Type: text/html\r\nContent-Type: text/plain\r\n", "text/plain"),
    ] {
        let answer = shown(fields, "", &html());
        let types: Vec<_> = answer.headers.iter().filter(|(name, _)| name == "content-type").collect();
        assert_eq!(types, [&("content-type".to_owned(), sent.to_owned())], "{fields:?}");
        assert_eq!(has_shim(&answer), sent.starts_with("text/html"), "{fields:?}");
        assert_eq!(answer.expect("x-content-type-options"), "nosniff");
    }
}

/// Text is text, whatever it looks like; but what only was called so is a download, as it was for browsers then.
#[test]
fn text_never_becomes_a_page() {
    let answer = shown("Content-Type: text/plain\r\n", "", &html());
    assert_eq!((answer.expect("content-type"), answer.text()), ("text/plain", html()));
    let answer = shown("Content-Type: text/plain\r\n", "", "MZ\u{1}\u{2}\u{0}");
    assert_eq!(answer.expect("content-type"), "application/octet-stream");
    assert_eq!(answer.expect("x-archive-orig-content-type"), "text/plain");
}

/// With `nosniff` browsers refuse scripts and styles of wrong types, which they took when the page was live.
#[test]
fn scripts_and_styles_of_wrong_types_still_play() {
    for (fields, modifier, sent, nosniff) in [
        ("Content-Type: text/html\r\n", "js_", "text/html", None),
        ("Content-Type: text/plain\r\n", "js_", "text/plain", None),
        ("Content-Type: application/json\r\n", "js_", "application/json", None),
        ("Content-Type: application/x-javascript\r\n", "js_", "application/x-javascript", Some("nosniff")),
        ("", "js_", "text/javascript", Some("nosniff")),
        ("Content-Type: */*\r\n", "sw_", "text/javascript", Some("nosniff")),
        ("Content-Type: text/plain\r\n", "cs_", "text/plain", None),
        ("Content-Type: text/css\r\n", "cs_", "text/css", Some("nosniff")),
        ("", "cs_", "text/css", Some("nosniff")),
        ("Content-Type: application/octet-stream\r\n", "oe_", "application/octet-stream", None),
        ("Content-Type: video/mp4\r\n", "oe_", "video/mp4", Some("nosniff")),
    ] {
        let answer = shown(fields, modifier, "x = 1");
        assert_eq!(answer.expect("content-type"), sent, "{fields:?} {modifier}");
        assert_eq!(answer.header("x-content-type-options"), nosniff, "{fields:?} {modifier}");
    }
    // A page's own address is used as a script where a script has put it together from a relative one.
    let world = World::of(&[page(URL, "20260101000000", "text/plain", b"x = 1")]);
    let path = format!("/web/20260101000000/{URL}");
    let used = world.serve().get_with(&path, &[("Sec-Fetch-Dest", "script")]);
    assert_eq!(used.header("x-content-type-options"), None);
}

#[test]
fn payloads_as_captured_keep_their_type_and_run_nothing() {
    for fields in
        ["", "Content-Type: unknown/unknown\r\n", "Content-Type: text/xsl\r\n", "Content-Type: text/html\r\n"]
    {
        let answer = shown(fields, "id_", &html());
        assert_eq!(answer.text(), html());
        assert!(is_sandboxed(&answer), "{fields:?}");
        assert_eq!(answer.expect("x-content-type-options"), "nosniff", "{fields:?}");
        let claimed = fields.strip_prefix("Content-Type: ").map(str::trim_end);
        assert_eq!(answer.header("content-type"), claimed, "{fields:?}");
    }
}

/// What was never HTTP has the type that the index has.
#[test]
fn records_without_http_have_the_type_of_their_line() {
    let body = html();
    let world = World::of(&[record("resource", "text/html", URL, "20260101000000", "", body.as_bytes())]);
    let answer = world.serve().get(&format!("/web/20260101000000/{URL}"));
    assert!(has_shim(&answer) && !leads_away(&answer), "{}", answer.text());
    assert_eq!(answer.expect("x-content-type-options"), "nosniff");
}

/// A transformation makes another document, which would have no shim.
#[test]
fn transformations_are_not_carried_out() {
    for content_type in ["text/xml", "application/xhtml+xml", "text/xsl"] {
        let body = format!("<?xml-stylesheet type=\"text/xsl\" href=\"evil.xsl\"?>{}", xhtml());
        let answer = shown(&format!("Content-Type: {content_type}\r\n"), "", &body);
        assert!(!answer.text().contains("<?xml-stylesheet"), "{content_type} {}", answer.text());
        assert!(has_shim(&answer), "{content_type}");
    }
}

/// Issue 20, point 10: frames cannot navigate the whole window out of the archive.
#[test]
fn sandboxed_frames_may_not_navigate_the_window() {
    let frames = "<iframe sandbox='allow-scripts allow-top-navigation'></iframe>\
        <iframe SANDBOX=\"ALLOW-Top-Navigation-By-User-Activation allow-forms\"></iframe>\
        <iframe sandbox=allow-top-navigation-to-custom-protocols></iframe>\
        <iframe sandbox='allow&#45;top-navigation'></iframe>\
        <iframe srcdoc=\"<iframe sandbox='allow-top-navigation'>\"></iframe>";
    let xhtml = format!(
        "<html xmlns='http://www.w3.org/1999/xhtml'><body>{}</body></html>",
        "<iframe sandbox='allow-scripts Allow-Top-Navigation'></iframe>"
    );
    for (content_type, body) in [("text/html", frames), ("application/xhtml+xml", &xhtml)] {
        let answer = shown(&format!("Content-Type: {content_type}\r\n"), "", body);
        let text = answer.text().to_ascii_lowercase();
        assert!(!text.contains("top-navigation"), "{text}");
        assert!(
            text.contains("sandbox='allow-scripts'") || text.contains("sandbox=\"allow-scripts\""),
            "{text}"
        );
    }
    let text = shown("Content-Type: text/html\r\n", "", frames).text();
    assert!(text.contains("sandbox=\"\""), "what is left is a sandbox still: {text}");
    assert!(text.contains("allow-forms"), "{text}");
}
