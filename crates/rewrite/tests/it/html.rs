//! What becomes of the elements of a page.

use rewrite::{Kind, Modifier, Place, Settings};

use crate::{place, rewrite, text};

/// `@im_/` and the like stand for the archive; `~/` for the site.
#[track_caller]
fn check(html: &str, expected: &str) {
    let modifiers = ["", "im_", "cs_", "js_", "oe_", "if_"];
    let expected = modifiers.iter().fold(expected.replace("~/", "http://e.org/"), |text, modifier| {
        text.replace(&format!("@{modifier}/"), &format!("/web/2026{modifier}/"))
    });
    assert_eq!(text(Kind::Html, html), expected, "{html}");
}

#[track_caller]
fn stays(html: &str) {
    assert_eq!(text(Kind::Html, html), html);
}

#[test]
fn links_are_followed_in_the_archive() {
    check("<a href=c>x</a>", "<a href=\"@/~/a/c\">x</a>");
    check("<area href='/c'>", "<area href=\"@/~/c\">");
    check("<form action='?c'>", "<form action=\"@/~/a/b.html?c\">");
    check("<button formaction=c>", "<button formaction=\"@/~/a/c\">");
    check("<a href='c' ping='d /e'>", "<a href=\"@/~/a/c\" ping=\"@/~/a/d @/~/e\">");
    check("<q cite=c>", "<q cite=\"@/~/a/c\">");
    stays("<a href='#c' id=d>x</a><a href=''>y</a><a href=mailto:z@e.org>z</a>");
}

#[test]
fn in_a_frame_links_stay_there_unless_they_lead_out() {
    let place = Place::new("/web/", "2026", Modifier::Frame, "http://e.org/").unwrap();
    let html = "<a href=a><a href=b target=_top><a href=c target=_blank>";
    let out = rewrite(Settings::new(place, Kind::Html), html.as_bytes());
    let expected = "<a href=\"/web/2026if_/http://e.org/a\"><a href=\"/web/2026/http://e.org/b\" target=_top>\
                    <a href=\"/web/2026/http://e.org/c\" target=_blank>";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn embedded_things_have_their_modifiers() {
    check("<img src=c.png>", "<img src=\"@im_/~/a/c.png\">");
    check("<input type=image src=c>", "<input type=image src=\"@im_/~/a/c\">");
    check(
        "<iframe src=c></iframe><frame src=d>",
        "<iframe src=\"@if_/~/a/c\"></iframe><frame src=\"@if_/~/a/d\">",
    );
    check("<video src=c poster=d>", "<video src=\"@oe_/~/a/c\" poster=\"@im_/~/a/d\">");
    check(
        "<object data=c><param name=movie value=/d><param value='x y'>",
        "<object data=\"@oe_/~/a/c\"><param name=movie value=\"@oe_/~/d\"><param value='x y'>",
    );
    check("<embed src=c><body background=d>", "<embed src=\"@oe_/~/a/c\"><body background=\"@im_/~/a/d\">");
    check(
        "<svg><image xlink:href=c /><use href='d#e'/><a href=f></a></svg>",
        "<svg><image xlink:href=\"@im_/~/a/c\" /><use href=\"@im_/~/a/d#e\" /><a href=\"@/~/a/f\"></a></svg>",
    );
}

#[test]
fn relations_tell_what_a_link_is() {
    check("<link rel=stylesheet href=c>", "<link rel=stylesheet href=\"@cs_/~/a/c\">");
    check("<link rel='shortcut icon' href=c>", "<link rel='shortcut icon' href=\"@im_/~/a/c\">");
    check("<link rel=preload as=script href=c>", "<link rel=preload as=script href=\"@js_/~/a/c\">");
    check(
        "<link rel=preload as=font href=c crossorigin>",
        "<link rel=preload as=font href=\"@oe_/~/a/c\" crossorigin>",
    );
    check("<link rel=modulepreload href=c>", "<link rel=modulepreload href=\"@js_/~/a/c\">");
    check("<link rel=next href=c>", "<link rel=next href=\"@/~/a/c\">");
    check("<link rel=preconnect href=//f.org>", "<link rel=preconnect href=\"@/http://f.org\">");
    check(
        "<link rel=preload as=image imagesrcset='c 1x'>",
        "<link rel=preload as=image imagesrcset=\"@im_/~/a/c 1x\">",
    );
}

#[test]
fn sets_of_pictures_are_rewritten() {
    check(
        "<img srcset='c,d 1x, /e 2x, data:x,y 3x'>",
        "<img srcset=\"@im_/~/a/c,d 1x, @im_/~/e 2x, data:x,y 3x\">",
    );
}

#[test]
fn what_would_hinder_is_gone() {
    check("<script src=c integrity=d nonce=e crossorigin></script>", "<script src=\"@js_/~/a/c\"></script>");
    check(
        "<link rel=stylesheet href=c integrity=d crossorigin=anonymous>",
        "<link rel=stylesheet href=\"@cs_/~/a/c\">",
    );
    check(
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">",
        "<meta http-equiv=\"X-Archive-Orig-Content-Security-Policy\" content=\"default-src 'none'\">",
    );
    check(
        "<script type=speculationrules>{\"prefetch\":1}</script>",
        "<script type=\"x-archive-orig-speculationrules\">{\"prefetch\":1}</script>",
    );
    check(
        "<script type='speculation&#114;ules'>{}</script>",
        "<script type=\"x-archive-orig-speculationrules\">{}</script>",
    );
    check(
        "<meta name=referrer content=origin>",
        "<meta name=referrer content=\"no-referrer-when-downgrade\">",
    );
}

#[test]
fn the_first_base_counts_from_where_it_stands() {
    check(
        "<img src=c><base href=/x/y><img src=d><base href=/z/><img src=e>",
        "<img src=\"@im_/~/a/c\"><base href=\"@/~/x/y\"><img src=\"@im_/~/x/d\"><base href=\"@/~/z/\"><img src=\"@im_/~/x/e\">",
    );
    stays("<base target=_top><base href=''><base href>");
}

#[test]
fn refreshes_lead_into_the_archive() {
    check(
        "<meta http-equiv=refresh content='5; url=/c'>",
        "<meta http-equiv=refresh content=\"5; url=@/~/c\">",
    );
    check(
        "<meta http-equiv='&#114;efresh' content='5; url=/c'>",
        "<meta http-equiv='&#114;efresh' content=\"5; url=@/~/c\">",
    );
    stays("<meta http-equiv=refresh content=5><meta http-equiv=refresh content>");
    stays("<meta property='og:image' content='http://e.org/c'>");
}

#[test]
fn styles_and_scripts_are_rewritten() {
    check("<p style=\"b:url('c')\">", "<p style=\"b:url('@oe_/~/a/c')\">");
    check("<p style='b:url(&quot;c&quot;)'>", "<p style=\"b:url(&quot;@oe_/~/a/c&quot;)\">");
    check(
        "<style>@import 'c';a{b:url(d)}</style>",
        "<style>@import '@cs_/~/a/c';a{b:url(@oe_/~/a/d)}</style>",
    );
    check("<script>location='x<y'</script>", "<script>__varve_location='x<y'</script>");
    check("<script type=module>import '/c'</script>", "<script type=module>import '@js_/~/c'</script>");
    check(
        "<p onclick=\"location.href='c' &amp;&amp; d\">",
        "<p onclick=\"__varve_location.href='c' &amp;&amp; d\">",
    );
    check("<a href='javascript:location=1'>", "<a href=\"javascript:__varve_location=1\">");
    check(
        "<script type=importmap>{\"imports\":{\"c\":\"./d\"}}</script>",
        "<script type=importmap>{\"imports\":{\"c\":\"@js_/~/a/d\"}}</script>",
    );
    stays("<script type='application/json'>{\"location\": location}</script>");
    stays("<script type='text/template'><a href='/c'>location</a></script>");
    stays("<style type=text/css>a{b:c}</style><p onclick='f()'>");
}

#[test]
fn entities_are_read_and_written() {
    check("<a href='c?d&amp;e=&quot;'>", "<a href=\"@/~/a/c?d&amp;e=&quot;\">");
    check("<a href='http&#x3a;//f.org/&#x67;'>", "<a href=\"@/http://f.org/g\">");
    check("<a href='c?d&copy=1'>", "<a href=\"@/~/a/c?d&amp;copy=1\">");
}

#[test]
fn markup_in_other_places_is_rewritten() {
    check("<template><img src=c></template>", "<template><img src=\"@im_/~/a/c\"></template>");
    check("<noscript><img src=c></noscript>", "<noscript><img src=\"@im_/~/a/c\"></noscript>");
    check("<iframe srcdoc='<img src=c>'>", "<iframe srcdoc=\"&lt;img src=&quot;@im_/~/a/c&quot;>\">");
    stays("<!-- <a href=c> --><textarea><a href=c></textarea><xmp><a href=c></xmp>");
    stays("<img data-src=/c data-srcset='/d 1x'>");
}

#[test]
fn the_first_of_two_attributes_counts() {
    check("<a href=c href=d>", "<a href=\"@/~/a/c\" href=d>");
    check("<a href='#c' href=d>", "<a href='#c' href=d>");
}

#[test]
fn what_is_in_the_archive_stays() {
    stays("<a href=/web/2025/http://e.org/>");
}

#[test]
fn characters_keep_their_bytes() {
    let latin = b"<meta charset=latin1><a href='c\xe9'>\xe9</a><script>'\xe9'+location</script>";
    let out = rewrite(Settings::new(place(), Kind::Html), latin);
    assert_eq!(
        out,
        b"<meta charset=latin1><a href=\"/web/2026/http://e.org/a/c\xe9\">\xe9</a><script>'\xe9'+__varve_location</script>"
    );
    let japanese = Settings { charset: Some("shift_jis".into()), ..Settings::new(place(), Kind::Html) };
    let out = rewrite(japanese, b"<a href='\x83\x5c'>\x83\x5c</a>");
    assert_eq!(out, b"<a href=\"/web/2026/http://e.org/a/\x83\x5c\">\x83\x5c</a>");
    let invalid = rewrite(Settings::new(place(), Kind::Html), b"<p>\xff\xfe\xfd</p><p title='\xff'>");
    assert_eq!(invalid, b"<p>\xff\xfe\xfd</p><p title='\xff'>");
}

#[test]
fn wide_characters_become_utf8() {
    let wide: Vec<u8> = "\u{feff}<a href=č>ř</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut rewriter = rewrite::Rewriter::new(Settings::new(place(), Kind::Html)).unwrap();
    let mut out = Vec::new();
    for byte in wide {
        rewriter.feed(&[byte], &mut out).unwrap();
    }
    rewriter.finish(&mut out).unwrap();
    assert_eq!(rewriter.charset(), Some("UTF-8"));
    assert_eq!(String::from_utf8(out).unwrap(), "<a href=\"/web/2026/http://e.org/a/č\">ř</a>");
}
