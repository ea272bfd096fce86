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
        "<?x-archive-orig-xml-stylesheet type=\"text/xsl\" href=\"c.xsl\"?><!-- <svg> --><rss xmlns:x='http://x.org/'>\
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

#[test]
fn style_sheets_stay_and_transformations_do_not() {
    check(
        plain,
        "<?xml-stylesheet type=\"text/css\" href=\"c.css\"?><?xml-stylesheet href='d.css'?><data/>",
        "<?xml-stylesheet type=\"text/css\" href=\"@@cs_/http://e.org/a/c.css\"?><?xml-stylesheet href='@@cs_/http://e.org/a/d.css'?><data/>",
    );
    for kind in ["text/xsl", "text/xml", "application/xslt+xml", "text/&#120;sl", "text/css' type='text/xsl"]
    {
        let instruction = format!("xml-stylesheet type='{kind}' href='#c'?><data/>");
        check(plain, &format!("<?{instruction}"), &format!("<?x-archive-orig-{instruction}"));
    }
    let limits = Limits { value_bytes_max: 64, ..Limits::default() };
    let long = format!("xml-stylesheet type='text/xsl' a='{} > <svg>' href='#c'?><data/>", "x".repeat(200));
    let inserted = || Inserted { limits: limits.clone(), ..Inserted::default() };
    let make = || Stream::plain(place(), inserted());
    check(make, &format!("<?{long}"), &format!("<?x-archive-orig-{long}"));
}

/// Browsers follow links of HTML in documents of any other kind.
#[test]
fn links_of_html_are_rewritten_wherever_they_stand() {
    check(
        plain,
        "<feed><content><div xmlns='http://www.w3.org/1999/xhtml'><a href='http://f.org/'/></div></content></feed>",
        "<feed><content><div xmlns='http://www.w3.org/1999/xhtml'><a href='@@/http://f.org/'/></div></content></feed>",
    );
    check(
        plain,
        "<data xmlns:h='http://www.w3.org/1999/xhtm&#108;'><h:a href='/b'/></data>",
        "<data xmlns:h='http://www.w3.org/1999/xhtm&#108;'><h:a href='@@/http://e.org/b'/></data>",
    );
}

/// Whether the head is surely put in before all scripts, in whatever pieces it comes.
#[track_caller]
fn check_head(xml: &str, expected: bool) {
    let limits = Limits { value_bytes_max: 64, ..Limits::default() };
    for length in [1, 7, xml.len()] {
        let inserted =
            Inserted { head: "<script>a</script>".into(), limits: limits.clone(), ..Inserted::default() };
        let (mut stream, mut out) = (Stream::plain(place(), inserted), Vec::new());
        xml.as_bytes().chunks(length).for_each(|piece| stream.feed(piece, &mut out));
        stream.finish(&mut out);
        assert_eq!(stream.holds_head(), expected, "{xml} in pieces of {length}");
    }
}

#[test]
fn heads_that_a_browser_may_not_see_do_not_count() {
    let long = "x".repeat(100);
    check_head("<!DOCTYPE svg [<!ENTITY a '\"><svg>'>]><svg/>", true);
    check_head("<?xml version='1.0' encoding='utf-8'?><svg/>", true);
    check_head(&format!("<svg/><a b='{long}'/>"), true);
    // Each of these hides what we take for the outermost element, or disarms what is put into it.
    check_head(&format!("<svg a='{long}><svg>'><script/></svg>"), false);
    check_head(&format!("<?a {long}><svg?><svg/>"), false);
    check_head(&format!("<!DOCTYPE svg [<!ENTITY a '{long}><svg>'>]><svg/>"), false);
    check_head("<!DOCTYPE svg [<!ATTLIST script type CDATA 'b'>]><svg/>", false);
    check_head("<!DOCTYPE svg [<?xml-stylesheet type='text/xsl' href='#a'?>]><svg/>", false);
    check_head("<!DOCTYPE html [<!ENTITY a \"<script>b()</script>\">]><html>&a;<p/></html>", false);
    check_head("<html> <p>&a;</p></html>", true);
}
