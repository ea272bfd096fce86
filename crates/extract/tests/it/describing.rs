//! Types, charsets, languages and dates.

use extract::charset::{Charset, Decoder, Source};
use extract::identify::{Claims, Evidence, Identity, Kind, identify};
use extract::mime::Mime;
use extract::{dates, language};

fn of(bytes: &[u8], content_type: &str, url: &str) -> Identity {
    let types = [content_type];
    let content_types = if content_type.is_empty() { &[][..] } else { &types[..] };
    identify(bytes, &Claims { content_types, url, ..Claims::default() })
}

#[track_caller]
fn check(bytes: &[u8], content_type: &str, mime: &str, kind: Kind) {
    let identity = of(bytes, content_type, "");
    assert_eq!(
        (identity.mime.essence(), identity.kind),
        (mime, kind),
        "{content_type}: {}",
        bytes.escape_ascii()
    );
}

/// A6: the type is found by looking, not only believed.
#[test]
fn a6_wrong_claims_are_not_believed() {
    check(b"%PDF-1.4\n%\xe2\xe3", "text/html", "application/pdf", Kind::Pdf);
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/jpeg", "image/png", Kind::Other);
    check(b"GIF89a\x01\0\x01\0", "text/plain", "image/gif", Kind::Other);
    check(b"{\"a\": [1, true, null]}", "text/html", "application/json", Kind::Json);
    check(b"#EXTM3U\n#EXTINF:1,\na.ts\n", "text/plain", "application/vnd.apple.mpegurl", Kind::Playlist);
    check(
        b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>",
        "text/html",
        "application/rss+xml",
        Kind::Feed,
    );
    check(
        b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'/>",
        "text/xml",
        "application/atom+xml",
        Kind::Feed,
    );
    check(
        b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
        "text/xml",
        "text/xml",
        Kind::Sitemap,
    );
    check(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "application/xml", "image/svg+xml", Kind::Svg);
    check(
        b"<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'/>",
        "application/xml",
        "application/dash+xml",
        Kind::Dash,
    );
}

#[test]
fn right_claims_are_kept_with_all_that_they_say() {
    let identity = of(b"<p>hello", "text/html; charset=iso-8859-2", "");
    assert_eq!(identity.mime.to_string(), "text/html;charset=iso-8859-2");
    assert_eq!(identity.evidence, Evidence::Claim);
    assert_eq!(identity.claimed.as_ref(), Some(&identity.mime));
    check(b"<html><body>", "text/plain", "text/plain", Kind::Text);
    check(b"a{b:c} d{e:f}", "text/plain", "text/plain", Kind::Text);
    check(b"PK\x03\x04\x14\0\0\0\0\0", "application/java-archive", "application/java-archive", Kind::Other);
    check(b"\xff\xd8\xff\xe0", "image/pjpeg", "image/pjpeg", Kind::Other);
    check(b"BMW and other cars", "text/plain", "text/plain", Kind::Text);
    check(b"ID3 is a format", "text/plain", "text/plain", Kind::Text);
}

#[test]
fn where_nobody_says_anything_the_bytes_do() {
    check(b"  <!DOCTYPE HTML>", "", "text/html", Kind::Html);
    check(b"<table>", "", "text/html", Kind::Html);
    check(b"just words", "", "text/plain", Kind::Text);
    check(b"\0\x01\x02", "", "application/octet-stream", Kind::Other);
    check(b"[{\"a\":\"b\"}", "", "application/json", Kind::Json);
    check(b"body { color: red; }\np { margin: 0 }", "", "text/css", Kind::Css);
    check(b"(function(){var a=1;})();", "", "text/javascript", Kind::Script);
    check(b"{\\rtf1\\ansi}", "", "application/rtf", Kind::Other);
    check(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n", "", "application/warc", Kind::Other);
    check(b"fLaC\0\0\0\x22", "", "audio/flac", Kind::Other);
    check(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", "", "image/avif", Kind::Other);
    check(b"SQLite format 3\0", "", "application/vnd.sqlite3", Kind::Other);
    check(b"7z\xbc\xaf\x27\x1c\0\x04", "", "application/x-7z-compressed", Kind::Other);
}

#[test]
fn containers_are_looked_into() {
    let entry = |name: &[u8], data: &[u8]| {
        let mut bytes = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(name);
        bytes.extend(data);
        bytes
    };
    let epub = entry(b"mimetype", b"application/epub+zip");
    check(&epub, "application/zip", "application/epub+zip", Kind::Other);
    let mut docx = entry(b"[Content_Types].xml", b"<x/>");
    docx.extend(entry(b"word/document.xml", b"<x/>"));
    check(&docx, "", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Kind::Other);
    let mut doc = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    doc.extend([0; 504]);
    doc.extend(b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0");
    check(&doc, "application/octet-stream", "application/msword", Kind::Other);
}

#[test]
fn the_address_is_the_last_hint() {
    let identity = of(b"a, b\n1, 2\n", "", "http://x.org/data.csv?v=1");
    assert_eq!((identity.mime.essence(), identity.evidence), ("text/csv", Evidence::Address));
    assert_eq!(of(b"User-agent: *\n", "text/plain", "http://x.org/robots.txt").kind, Kind::Robots);
    assert_eq!(of(b"", "", "http://x.org/a.png").evidence, Evidence::Nothing);
}

#[track_caller]
fn check_charset(bytes: &[u8], mime: &str, name: &str, source: Source) {
    let charset = Charset::find(bytes, &Mime::parse(mime).unwrap()).unwrap();
    assert_eq!((charset.encoding.name(), charset.source), (name, source), "{}", bytes.escape_ascii());
}

#[test]
fn charsets_are_found_in_their_order() {
    check_charset(b"\xef\xbb\xbfx", "text/html;charset=iso-8859-2", "UTF-8", Source::Mark);
    check_charset(b"<meta charset=utf-8>", "text/html;charset=iso-8859-2", "ISO-8859-2", Source::Header);
    check_charset(b"<meta charset=iso-8859-2>", "text/html", "ISO-8859-2", Source::Meta);
    check_charset(b"<?xml version='1.0' encoding='koi8-r'?><a/>", "text/xml", "KOI8-R", Source::Declaration);
    check_charset(b"@charset \"koi8-r\";a{}", "text/css", "KOI8-R", Source::Declaration);
    check_charset("žluťoučký kůň".as_bytes(), "text/plain", "UTF-8", Source::Detected);
    check_charset(b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", "text/html", "windows-1252", Source::Detected);
    check_charset(b"plain", "text/html", "windows-1252", Source::Default);
    check_charset(b"plain", "text/css", "UTF-8", Source::Default);
    assert!(Charset::find(b"\x89PNG", &Mime::parse("image/png").unwrap()).is_none());
}

#[test]
fn a_late_meta_counts_in_the_head_only() {
    let head = |tail: &str| format!("<head>{}{tail}", " ".repeat(2000)).into_bytes();
    check_charset(&head("<meta charset=koi8-r>"), "text/html", "KOI8-R", Source::Meta);
    check_charset(
        &head("<script>'<meta charset=koi8-r>'</script>"),
        "text/html",
        "windows-1252",
        Source::Default,
    );
    check_charset(&head("</head><meta charset=koi8-r>"), "text/html", "windows-1252", Source::Default);
}

#[test]
fn text_is_the_same_however_it_is_cut() {
    let bytes = "\u{feff}aé€😀z\u{feff}".as_bytes();
    let broken = [bytes, b"\xff\xe2\x82", bytes, b"\xf0\x9f"].concat();
    for encoding in [encoding_rs::UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::UTF_16LE, encoding_rs::GB18030]
    {
        let whole = Decoder::new(encoding).decode(&broken, true).into_owned();
        for size in 1..broken.len() {
            let mut decoder = Decoder::new(encoding);
            let mut text: String =
                broken.chunks(size).map(|piece| decoder.decode(piece, false).into_owned()).collect();
            text.push_str(&decoder.decode(b"", true));
            assert_eq!(text, whole, "{} by {size}", encoding.name());
        }
    }
    assert_eq!(Decoder::new(encoding_rs::UTF_8).decode(bytes, true), "aé€😀z\u{feff}");
}

#[test]
fn utf8_is_handed_through() {
    let mut decoder = Decoder::new(encoding_rs::UTF_8);
    let _ = decoder.decode(b"start", false);
    assert!(matches!(decoder.decode("žádný".as_bytes(), false), std::borrow::Cow::Borrowed("žádný")));
}

#[track_caller]
fn check_language(text: &str, tag: &str) {
    let language = language::recognise(text);
    assert_eq!(language.map(|language| language.tag).as_deref(), Some(tag), "{text}");
}

#[test]
fn languages_are_recognised() {
    check_language(
        "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd.",
        "da",
    );
    check_language(
        "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.",
        "cs",
    );
    check_language(
        "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience.",
        "en",
    );
    check_language(
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt.",
        "de",
    );
    assert_eq!(language::recognise("ok"), None);
    assert_eq!(language::recognise("1234567890 1234567890 1234567890 1234567890"), None);
}

#[test]
fn what_is_told_comes_before_what_is_guessed() {
    let find = |markup, header| language::find(markup, header, "").map(|language| language.tag);
    assert_eq!(find(Some("EN_us"), Some("da")).as_deref(), Some("en-US"));
    assert_eq!(find(None, Some("da")).as_deref(), Some("da"));
    assert_eq!(find(Some("zh-hant-tw"), None).as_deref(), Some("zh-Hant-TW"));
    assert_eq!(find(Some("!"), Some("en, da")), None);
}

/// C6: every notation of HTTP becomes one, and what is none is told.
#[test]
fn c6_dates_of_all_forms_are_read() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "1994-11-06T08:49:37Z",
        "1994-11-06T09:49:37+01:00",
    ] {
        assert_eq!(dates::read(text).unwrap().to_string(), "1994-11-06T08:49:37Z", "{text}");
    }
    assert_eq!(dates::read("1994-11").unwrap().to_string(), "1994-11");
    assert_eq!(dates::read("1994").unwrap().to_string(), "1994");
    assert_eq!(dates::read("soon").unwrap_err().to_string(), "this is no date that we can read: `soon`");
    assert!(dates::read("1994-02-30").unwrap_err().impossible);
}
