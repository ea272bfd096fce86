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

/// Rewrites XML with a head, in pieces: the output, the charset that `Content-Type` must name, and whether the head is surely in it.
fn xml(charset: Option<&str>, bytes: &[u8], length: usize) -> (String, Option<&'static str>, bool) {
    let settings = Settings {
        charset: charset.map(str::to_owned),
        head: b"<script>shim</script>".to_vec(),
        ..Settings::new(place(), Kind::Xml)
    };
    let (mut rewriter, mut out) = (Rewriter::new(settings).unwrap(), Vec::new());
    bytes.chunks(length).for_each(|piece| rewriter.feed(piece, &mut out).unwrap());
    rewriter.finish(&mut out).unwrap();
    (String::from_utf8(out).unwrap(), rewriter.charset(), rewriter.holds_head())
}

/// A browser reads the same characters as we do, because the output is UTF-8 and says so.
#[test]
fn xml_of_any_encoding_becomes_utf8() {
    let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><svg t='\xe9'><script t='\xe9'>e()</script><a href='/\xe9'/></svg>";
    let wide: Vec<u8> =
        "<?xml version='1.0'?><svg a='é'/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    // In Shift_JIS, `]` is the second byte of a character.
    let mixed = b"<?xml version='1.0' encoding='shift_jis'?><svg><![CDATA[\x83]]><p>]]></svg>";
    let japanese = b"<?xml version='1.0' encoding='iso-2022-jp'?><!-- \x1b$B--><svg>\x1b(B --><svg/>";
    for length in [1, 5, 1 << 10] {
        let (text, charset, holds_head) = xml(None, latin, length);
        let (before, behind) = text.split_once("<svg t='é'>").unwrap();
        assert!(before.starts_with("<?xml") && behind.starts_with("<script xmlns"), "{text}");
        assert!(text.contains("<script t='é'>e()") && text.contains("/http://e.org/é'"), "{text}");
        assert_eq!((charset, holds_head), (Some("UTF-8"), true));
        let (text, charset, _) = xml(None, &wide, length);
        assert!(text.contains("<svg a='é'>") && charset == Some("UTF-8"), "{text}");
        let (text, ..) = xml(None, mixed, length);
        assert!(text.contains("<![CDATA[ゾ]><p>]]></svg>"), "{text}");
        let (text, _, holds_head) = xml(None, japanese, length);
        assert!(holds_head && text.find("shim") > text.rfind("-->"), "{text}");
        // The header wins, and bytes that are no characters are replaced.
        let (text, charset, _) = xml(Some("utf-8"), latin, length);
        assert!(text.contains("<svg t='\u{fffd}'>") && charset == Some("UTF-8"), "{text}");
        assert_eq!(xml(None, b"<svg/>", length).1, Some("UTF-8"));
    }
}

/// Where nothing tells the encoding, a browser may take it for ISO-2022-JP, in which the first comment hides the head.
#[test]
fn escapes_before_the_head_of_a_page_without_a_charset_make_it_uncertain() {
    let holds_head = |charset: Option<&str>, html: &[u8]| {
        [1, 7, 1 << 12].map(|length| {
            let settings = Settings {
                charset: charset.map(str::to_owned),
                head: b"<script>shim</script>".to_vec(),
                ..Settings::new(place(), Kind::Html)
            };
            let (mut rewriter, mut out) = (Rewriter::new(settings).unwrap(), Vec::new());
            html.chunks(length).for_each(|piece| rewriter.feed(piece, &mut out).unwrap());
            rewriter.finish(&mut out).unwrap();
            rewriter.holds_head()
        })
    };
    let hidden = b"<!--\x1b$B--><p>\x1b(B--><script>evil()</script>";
    assert_eq!(holds_head(None, hidden), [false; 3]);
    assert_eq!(holds_head(None, b"<!--\x1b$B-->text\x1b(B--><script>evil()</script>"), [false; 3]);
    let late = [b"<!--".as_slice(), &[b' '; 2000], b"\x1b$B--><p>\x1b(B--><script>evil()</script>"].concat();
    assert_eq!(holds_head(None, &late), [false; 3]);
    assert_eq!(holds_head(Some("utf-8"), hidden), [true; 3]);
    assert_eq!(holds_head(None, b"<meta charset=utf-8><p>\x1b$B"), [true; 3]);
    // Old pages in that encoding have it behind the head, where it hides nothing.
    assert_eq!(holds_head(None, b"<html><head><title>\x1b$B%F%9%H\x1b(B</title>"), [true; 3]);
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
