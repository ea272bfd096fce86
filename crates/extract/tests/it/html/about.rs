//! What a page says of itself.

use extract::html::Refresh;

use super::{read, read_within};

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_first_title_counts() {
    assert_eq!(read("<title> A &amp; B\n</title><title>C</title>").title.as_deref(), Some("A & B"));
    assert_eq!(read("<title></title><title>C</title>").title.as_deref(), Some("C"));
    assert_eq!(read("<svg><title>icon</title></svg><title>A</title>").title.as_deref(), Some("A"));
    assert_eq!(read("<title>A<b>c</title>").title.as_deref(), Some("A<b>c"));
    assert_eq!(read("<p>no title").title, None);
}

#[test]
fn the_first_base_counts() {
    assert_eq!(read("<base target=x><base href=' /a/ '><base href=/b/>").base.as_deref(), Some("/a/"));
    assert_eq!(read("<noscript><base href=/a/></noscript><base href=/b/>").base.as_deref(), Some("/b/"));
}

#[test]
fn headings_have_level_and_text() {
    let page = read("<h1>A <i>b</i></h1><h2>C<h3>D</h3><h4> </h4>");
    assert_eq!(page.headings, [(1, "A b".to_owned()), (2, "C".to_owned()), (3, "D".to_owned())]);
}

#[test]
fn metas_are_kept() {
    let page = read("<meta name=Author content=' A '><meta property=og:title content=B><meta charset=utf-8>");
    assert_eq!(page.metas, owned(&[("author", "A"), ("og:title", "B")]));
}

#[test]
fn the_description_is_that_of_the_page() {
    let html = "<meta property=og:description content=a><meta name=description content=b>";
    assert_eq!(read(html).description.as_deref(), Some("b"));
    let html = "<meta name=description content=b><meta property=og:description content=a>";
    assert_eq!(read(html).description.as_deref(), Some("b"));
    assert_eq!(read("<meta property=og:description content=a>").description.as_deref(), Some("a"));
}

#[test]
fn the_canonical_address_is_the_first() {
    let page = read("<link rel='x Canonical' href=/a><link rel=canonical href=/b>");
    assert_eq!(page.canonical.as_deref(), Some("/a"));
}

#[test]
fn the_language_is_told() {
    assert_eq!(read("<html lang=cs-CZ>").language.as_deref(), Some("cs-CZ"));
    assert_eq!(read("<html xml:lang=da>").language.as_deref(), Some("da"));
    assert_eq!(read("<meta http-equiv=Content-Language content='fr, en'>").language.as_deref(), Some("fr"));
    assert_eq!(
        read("<html lang=da><meta http-equiv=content-language content=fr>").language.as_deref(),
        Some("da")
    );
}

#[test]
fn robots_are_spoken_to() {
    let page = read(
        "<meta name=ROBOTS content='NoIndex, nofollow'><meta name=googlebot content=none><meta name=x content=y>",
    );
    assert_eq!(page.robots, owned(&[("robots", "NoIndex, nofollow"), ("googlebot", "none")]));
}

/// C6
#[test]
fn dates_are_kept_as_written() {
    let html = "<meta property=article:published_time content=2026-03-04><meta name=DC.Date.Issued content=1999>\
        <meta http-equiv=last-modified content='Mon, 2 Mar 2026'><time datetime='2026-01-01T00:00Z'>x</time><time>y</time>";
    let expected = owned(&[
        ("meta@article:published_time", "2026-03-04"),
        ("meta@dc.date.issued", "1999"),
        ("meta@last-modified", "Mon, 2 Mar 2026"),
        ("time@datetime", "2026-01-01T00:00Z"),
    ]);
    assert_eq!(read(html).dates, expected);
}

#[test]
fn a_refresh_outside_of_noscript_is_preferred() {
    let inside = "<noscript><meta http-equiv=refresh content='1;url=a'></noscript>";
    let outside = "<meta http-equiv=refresh content='2;url=b'>";
    let refresh = |reference: &str, delay_ms, is_noscript| {
        Some(Refresh { delay_ms, reference: Some(reference.to_owned()), is_noscript })
    };
    assert_eq!(read(inside).refresh, refresh("a", 1000, true));
    assert_eq!(read(&format!("{inside}{outside}")).refresh, refresh("b", 2000, false));
}

#[test]
fn limits_hold_and_are_told() {
    let mut limits = extract::Limits::default();
    (limits.headings_max, limits.metas_max, limits.phrase_bytes_max) = (1, 1, 3);
    let html = "<title>abcdef</title><h1>x</h1><h1>y</h1><meta name=a content=bcdef><meta name=c content=d>";
    let page = read_within(html, &limits);
    assert_eq!(page.title.as_deref(), Some("abc"));
    assert_eq!(page.headings.len(), 1);
    assert_eq!(page.metas, owned(&[("a", "bcd")]));
    assert!(page.cut.lists);
}
