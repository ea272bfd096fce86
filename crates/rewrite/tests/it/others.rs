//! Sheets, scripts, data and playlists, by the public face.

use rewrite::{Kind, Modifier, Place, Rewriter, Settings};

use crate::{place, rewrite, text};

#[test]
fn each_kind_is_rewritten() {
    assert_eq!(text(Kind::Css, "a{b:url(c)}"), "a{b:url(/web/2026oe_/http://e.org/a/c)}");
    assert_eq!(text(Kind::Script, "location"), "__varve_location");
    assert_eq!(text(Kind::Json, "{\"location\":\"http://e.org\"}"), "{\"location\":\"http://e.org\"}");
    assert_eq!(text(Kind::Hls, "c.ts\n"), "/web/2026oe_/http://e.org/a/c.ts\n");
    assert_eq!(
        text(Kind::Xml, "<svg><image href='c'/></svg>"),
        "<svg><image href='/web/2026im_/http://e.org/a/c'/></svg>"
    );
    assert_eq!(text(Kind::Dash, "<BaseURL>/c/</BaseURL>"), "<BaseURL>/web/2026oe_/http://e.org/c/</BaseURL>");
    assert_eq!(text(Kind::Other, "<a href=c>"), "<a href=c>");
}

#[test]
fn calls_get_the_name_that_was_asked_for() {
    let place = Place::new("/web/", "2026", Modifier::Script, "http://e.org/?callback=f").unwrap();
    for kind in [Kind::Json, Kind::Script] {
        let out = rewrite(Settings::new(place.clone(), kind), b"/**/g({\"location\":location})");
        assert_eq!(out, b"f({\"location\":location})", "{kind:?}");
        let out = rewrite(Settings::new(place.clone(), kind), b"[1]");
        assert_eq!(out, b"[1]", "{kind:?}");
    }
}

#[test]
fn wide_scripts_become_utf8() {
    let wide: Vec<u8> = "'ř'+location".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let settings = Settings { charset: Some("utf-16be".into()), ..Settings::new(place(), Kind::Script) };
    let mut rewriter = Rewriter::new(settings.clone()).unwrap();
    let mut out = Vec::new();
    rewriter.feed(&wide, &mut out).unwrap();
    assert_eq!(rewriter.charset(), Some("UTF-8"));
    rewriter.finish(&mut out).unwrap();
    assert_eq!(out, "'ř'+__varve_location".as_bytes());
    assert_eq!(crate::pieces(settings, &wide, 1), out);
}

#[test]
fn behind_the_end_nothing_is_taken() {
    let mut rewriter = Rewriter::new(Settings::new(place(), Kind::Html)).unwrap();
    let mut out = Vec::new();
    rewriter.finish(&mut out).unwrap();
    assert_eq!(rewriter.feed(b"x", &mut out), Err(rewrite::Error::Finished));
    assert_eq!(rewriter.finish(&mut out), Err(rewrite::Error::Finished));
}

#[test]
fn rewriters_may_change_threads() {
    fn is_send<T: Send>() {}
    is_send::<Rewriter>();
}
