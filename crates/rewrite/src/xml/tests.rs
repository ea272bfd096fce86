//! What becomes of XML.

use super::*;
use crate::Modifier;

fn place() -> Place {
    Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/b").unwrap()
}

/// Rewrites in pieces of every length.
#[track_caller]
fn check(make: impl Fn() -> Stream, xml: &str, expected: &str) {
    for length in 1..=xml.len() {
        let (mut stream, mut out) = (make(), Vec::new());
        xml.as_bytes().chunks(length).for_each(|piece| stream.feed(piece, &mut out));
        stream.finish(&mut out);
        let expected = expected.replace("@@", "/web/2026");
        assert_eq!(String::from_utf8(out).unwrap(), expected, "in pieces of {length}");
    }
}

fn plain() -> Stream {
    Stream::plain(place(), Inserted::default())
}

fn page() -> Stream {
    let inserted =
        Inserted { head: "<script>a&&b</script>".into(), foot: "<i/>".into(), ..Inserted::default() };
    Stream::page(place(), inserted)
}

#[test]
fn drawings_are_rewritten() {
    check(
        plain,
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><image xlink:href=\"c.png\"/><a href = '/d'/>\
         <style>a{b:url(e)}</style><script><![CDATA[location]]></script><use href='#x'/></svg>",
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><image xlink:href=\"@@im_/http://e.org/a/c.png\"/>\
         <a href = '@@/http://e.org/d'/><style>a{b:url(@@oe_/http://e.org/a/e)}</style>\
         <script><![CDATA[__varve_location]]></script><use href='#x'/></svg>",
    );
}

#[test]
fn feeds_lead_into_the_archive() {
    check(
        plain,
        "<?xml-stylesheet type=\"text/xsl\" href=\"c.xsl\"?><!-- <svg> --><rss xmlns:x='http://x.org/'><link> http://e.org/?a&amp;b </link>\
         <guid>http://e.org/</guid><image><url>http://f.org/i</url></image><enclosure url='http://e.org/v'/>\
         <x:link rel='self' href=\"/f\"/><a href='/x'/><link>relative</link><description>http://e.org/</description></rss>",
        "<?xml-stylesheet type=\"text/xsl\" href=\"@@cs_/http://e.org/a/c.xsl\"?><!-- <svg> --><rss xmlns:x='http://x.org/'>\
         <link> @@/http://e.org/?a&amp;b </link><guid>http://e.org/</guid><image><url>@@im_/http://f.org/i</url></image>\
         <enclosure url='@@oe_/http://e.org/v'/><x:link rel='self' href=\"@@/http://e.org/f\"/><a href='/x'/><link>relative</link>\
         <description>http://e.org/</description></rss>",
    );
    check(
        plain,
        "<feed xmlns='http://www.w3.org/2005/Atom'><id>http://e.org/</id><link href='http://e.org/b'/><icon>/i</icon><content src='/c'/></feed>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><id>http://e.org/</id><link href='@@/http://e.org/b'/><icon>@@im_/http://e.org/i</icon>\
         <content src='@@oe_/http://e.org/c'/></feed>",
    );
    check(plain, "<data><link>http://e.org/</link></data>", "<data><link>http://e.org/</link></data>");
}

#[test]
fn pages_stay_well_formed() {
    check(
        page,
        "<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title><script src=\"c.js\" integrity=\"y\"/>\
         </head><body><a href=\"d?e&amp;f='\"/></body></html>",
        "<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head><script xmlns=\"http://www.w3.org/1999/xhtml\">//<![CDATA[\na&&b\n//]]></script><title>x</title>\
         <script src=\"@@js_/http://e.org/a/c.js\" /></head><body><a href=\"@@/http://e.org/a/d?e&amp;f='\"/><i/></body></html>",
    );
}

#[test]
fn heads_may_be_empty_or_missing() {
    let head = "<script xmlns=\"http://www.w3.org/1999/xhtml\">//<![CDATA[\na&&b\n//]]></script>";
    check(page, "<html><head/><body/></html>", &format!("<html><head>{head}</head><body/></html>"));
    check(page, "<html><body></body></html>", &format!("<html>{head}<body><i/></body></html>"));
}

/// Whatever is drawn may run scripts; whatever is data must not be changed.
#[test]
fn drawings_and_pages_of_any_type_get_the_head() {
    let head = "<script xmlns=\"http://www.w3.org/1999/xhtml\">a</script>";
    let any =
        || Stream::plain(place(), Inserted { head: "<script>a</script>".into(), ..Inserted::default() });
    check(
        any,
        "<?xml version='1.0'?><svg:svg a='b'><g/></svg:svg>",
        &format!("<?xml version='1.0'?><svg:svg a='b'>{head}<g/></svg:svg>"),
    );
    check(any, "<svg a='b'/>", &format!("<svg a='b'>{head}</svg>"));
    check(any, "<html><head></head></html>", &format!("<html><head>{head}</head></html>"));
    check(any, "<data><svg/></data>", "<data><svg/></data>");
}

#[test]
fn manifests_keep_what_is_relative() {
    check(
        || Stream::dash(place(), &Limits::default()),
        "<MPD><BaseURL> http://f.org/v/ </BaseURL><BaseURL>w/</BaseURL><SegmentTemplate media=\"$Number$.m4s\" \
         initialization=\"/i?a&amp;b\"/></MPD>",
        "<MPD><BaseURL> @@oe_/http://f.org/v/ </BaseURL><BaseURL>w/</BaseURL><SegmentTemplate media=\"$Number$.m4s\" \
         initialization=\"@@oe_/http://e.org/i?a&amp;b\"/></MPD>",
    );
}

#[test]
fn what_is_too_long_passes() {
    let limits = Limits { value_bytes_max: 64, ..Limits::default() };
    let xml = format!("<svg><a href='/{}'/><a href='/b'/></svg>", "x".repeat(200));
    let expected = xml.replace("'/b'", "'@@/http://e.org/b'");
    let inserted = || Inserted { limits: limits.clone(), ..Inserted::default() };
    check(|| Stream::plain(place(), inserted()), &xml, &expected);
}
