//! Documents may be cut anywhere: what comes out is the same.

use proptest::prelude::*;
use rewrite::{Kind, Limits, Settings};

use crate::{pieces, place, rewrite};

/// Words of which documents are made that are not quite right.
const WORDS: [&str; 64] = [
    "<a href=",
    "<img src='",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<!--",
    "-->",
    "<base href=",
    "'",
    "\"",
    ">",
    "/x",
    "../y",
    "http://f.org/",
    "location",
    "window.",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    ";",
    "=",
    "=>",
    "import ",
    " from ",
    "url(",
    "@import ",
    "\\",
    "\n",
    " ",
    "/*",
    "*/",
    "//",
    "/",
    "`",
    "${",
    "class ",
    "const ",
    "<svg>",
    "<title>",
    "<noscript>",
    "</noscript>",
    "<iframe srcdoc='",
    "&amp;",
    "é",
    "<body>",
    "</body>",
    "<head>",
    "<meta charset=koi8-r>",
    "<?xml-stylesheet href='a'?>",
    "<![CDATA[",
    "]]>",
    "#EXT-X-MAP:URI=\"",
    "<BaseURL>",
    "</BaseURL>",
    "data:",
    "?",
    "<p on=",
    "f({",
];

fn document() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..60)
        .prop_map(|words| words.concat())
}

const KINDS: [Kind; 8] =
    [Kind::Html, Kind::Xhtml, Kind::Css, Kind::Script, Kind::Json, Kind::Xml, Kind::Hls, Kind::Dash];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_any_length_give_the_same(text in document(), length in 1usize..40, narrow in any::<bool>()) {
        for kind in KINDS {
            let mut settings = Settings::new(place(), kind);
            (settings.head, settings.foot) = (b"<i/>".to_vec(), b"<b/>".to_vec());
            if narrow {
                settings.limits = Limits { value_bytes_max: 64, depth_max: 5, ..Limits::default() };
            }
            let whole = rewrite(settings.clone(), text.as_bytes());
            let cut = pieces(settings, text.as_bytes(), length);
            prop_assert_eq!(String::from_utf8_lossy(&cut), String::from_utf8_lossy(&whole), "{:?} {:?}", kind, text);
        }
    }
}

#[test]
fn a_page_may_be_cut_at_every_byte() {
    let page = "<!doctype html><html><head><meta charset=utf-8><base href=/b/><title>é</title><style>a{b:url('c')}</style>\
                <script>if (location) { x = {location}; import('/y') }</script></head><body onload='location=1'>\
                <a href='d?e&amp;f'>g</a><img srcset='h 1x, i 2x'><noscript><img src=j></noscript></body></html>";
    let mut settings = Settings::new(place(), Kind::Html);
    (settings.head, settings.foot) = (b"<i>".to_vec(), b"<b>".to_vec());
    let whole = rewrite(settings.clone(), page.as_bytes());
    for at in 0..page.len() {
        let mut rewriter = rewrite::Rewriter::new(settings.clone()).unwrap();
        let mut out = Vec::new();
        let (first, second) = page.as_bytes().split_at(at);
        rewriter.feed(first, &mut out).unwrap();
        rewriter.feed(second, &mut out).unwrap();
        rewriter.finish(&mut out).unwrap();
        assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&whole), "cut at {at}");
    }
}
