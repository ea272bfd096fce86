//! `varve extract`: what a document is, links to, and says.

use insta::assert_snapshot;

use crate::run::varve;

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="da"><head>
<title>Sediment &amp; sand</title>
<meta name="description" content="What a lake keeps">
<meta name="robots" content="nofollow, unavailable_after: 25 Jun 2010 15:00:00 PST">
<meta name="DC.Date" content="Sunday, 06-Nov-94 08:49:37 GMT">
<meta name="DC.Date.Modified" content="the other day">
<link rel="canonical" href="https://example.org/lake">
<link rel="stylesheet" href="lake.css">
<base href="/deep/">
</head><body>
<nav><a href="/">Home</a> <a href="/all">All lakes</a></nav>
<main><h1>Varves</h1>
<p>A varve is a layer of sediment that was laid down in one year, light in summer and dark in winter, and whoever counts
them counts the years of the lake from which they were drilled, back to the ice.</p>
<a href="winter.html" rel="next">Winter <img src="ice.png" alt="ice"></a>
<script>fetch("/api/layers.json")</script>
</main></body></html>
"#;

#[test]
fn help() {
    assert_snapshot!(varve(["extract", "--help"]).shown());
}

#[test]
fn a_page_shows_what_it_is_and_says_and_links_to() {
    assert_snapshot!(varve(["extract", "-", "--url", "https://example.org/a/b"]).stdin(PAGE).shown());
}

#[test]
fn each_part_can_be_had_alone() {
    for part in ["--links", "--text", "--main", "--meta"] {
        let name = format!("part_{}", part.trim_start_matches('-'));
        assert_snapshot!(name, varve(["extract", "-", part]).stdin(PAGE).shown());
    }
}

#[test]
fn json_is_one_object_or_a_link_a_line() {
    assert_snapshot!("json_all", varve(["extract", "-", "--json"]).stdin(PAGE).shown());
    assert_snapshot!("json_links", varve(["extract", "-", "--json", "--links"]).stdin(PAGE).shown());
}

#[test]
fn headers_have_links_and_a_say() {
    let output = varve([
        "extract",
        "-",
        "--url",
        "https://example.org/",
        "--type",
        "text/plain; charset=iso-8859-1",
        "--header",
        "Link: <next.html>; rel=next",
        "--header",
        "Content-Language: cs",
        "--header",
        "X-Robots-Tag: noindex",
        "--header",
        "Last-Modified: Sun Nov  6 08:49:37 1994",
    ]);
    assert_snapshot!(output.stdin(b"caf\xe9: see https://example.com/a.\n".as_slice()).shown());
}

#[test]
fn what_limits_leave_out_is_said() {
    assert_snapshot!(varve(["extract", "-", "--links", "--max-links", "1"]).stdin(PAGE).shown());
}

#[test]
fn mistakes_come_with_a_way_out() {
    assert_snapshot!("bad_base", varve(["extract", "-", "--url", "example.org"]).stdin("").shown());
    assert_snapshot!("bad_header", varve(["extract", "-", "--header", "Link"]).stdin("").shown());
    assert_snapshot!("missing_file", varve(["extract", "no-such.html"]).shown());
}

#[test]
fn nothing_is_nothing() {
    assert_snapshot!(varve(["extract", "-"]).stdin("").shown());
}

#[test]
fn text_that_steers_a_terminal_is_escaped() {
    let page = "<title>a\u{1b}[2Jb</title><a href='x\u{202e}y'>\u{7}bell</a>";
    assert_snapshot!(varve(["extract", "-", "--url", "http://example.org/"]).stdin(page).shown());
}

#[test]
fn when_time_is_up_that_is_said() {
    assert_snapshot!(varve(["extract", "-", "--links", "--timeout", "0"]).stdin(PAGE).shown());
}
