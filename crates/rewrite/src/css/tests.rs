//! Which addresses are rewritten.

use super::*;

fn place() -> Place {
    Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/b.css").unwrap()
}

/// Rewrites in pieces of every length.
fn rewrite(css: &str, limits: &Limits) -> String {
    let mut all: Vec<Vec<u8>> = (1..=css.len().clamp(1, 40))
        .map(|length| {
            let (mut stream, mut out) = (Stream::new(limits), Vec::new());
            for piece in css.as_bytes().chunks(length) {
                stream.feed(piece, &place(), &mut out);
            }
            stream.finish(&place(), &mut out);
            out
        })
        .collect();
    all.dedup();
    assert_eq!(all.len(), 1, "{css}");
    String::from_utf8(all.remove(0)).unwrap()
}

/// `@c/` stands for the archive and style sheets, `@o/` for others.
#[track_caller]
fn check(css: &str, expected: &str) {
    let expected = expected.replace("@c/", "/web/2026cs_/").replace("@o/", "/web/2026oe_/");
    assert_eq!(rewrite(css, &Limits::default()), expected, "{css}");
}

#[track_caller]
fn stays(css: &str) {
    check(css, css);
}

#[test]
fn addresses_are_rewritten() {
    check("a{b:url(c.png)}", "a{b:url(@o/http://e.org/a/c.png)}");
    check("a{b:url( '/c.png' ) x}", "a{b:url( '@o/http://e.org/c.png' ) x}");
    check("a{b:URL(\"//f.org/c\")}", "a{b:URL(\"@o/http://f.org/c\")}");
    check("a{b:u\\72l(  c.png  )}", "a{b:u\\72l(  @o/http://e.org/a/c.png  )}");
    check("a{b:url(\" c \")}", "a{b:url(\" @o/http://e.org/a/c \")}");
    check("a{b:url(c\\ d)}", "a{b:url(@o/http://e.org/a/c\\20 d)}");
    check("a{b:url(c", "a{b:url(@o/http://e.org/a/c");
}

#[test]
fn imports_are_style_sheets() {
    check("@import 'c.css';", "@import '@c/http://e.org/a/c.css';");
    check("@import url(c.css) print;", "@import url(@c/http://e.org/a/c.css) print;");
    check(
        "@IMPORT/**/\"/c\" layer(x) url(y)",
        "@IMPORT/**/\"@c/http://e.org/c\" layer(x) url(@o/http://e.org/a/y)",
    );
    check("<!-- @import '/c'; -->", "<!-- @import '@c/http://e.org/c'; -->");
}

#[test]
fn sets_of_pictures_are_rewritten() {
    check(
        "a{b:image-set('c' 1x, url('d') type('image/png') 2x) 'e'}",
        "a{b:image-set('@o/http://e.org/a/c' 1x, url('@o/http://e.org/a/d') type('image/png') 2x) 'e'}",
    );
    check(
        "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='c',x='y')}",
        "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='@o/http://e.org/a/c',x='@o/http://e.org/a/y')}",
    );
}

#[test]
fn what_is_no_address_stays() {
    stays("a{content:'url(b)'} /* url(c) @import 'd' */");
    stays("a{b:url(data:image/png;base64,AAAA)} c{d:url('data:,')} e{f:url(#g)} h{i:url()}");
    stays("@namespace svg url(http://www.w3.org/2000/svg);");
    stays("@charset 'utf-8';a{font:'x'}");
    stays("a{b:url(c d)}");
    stays("a{b:url(/web/2026oe_/http://e.org/)}");
    check("a{b:'c\nurl(d)", "a{b:'c\nurl(@o/http://e.org/a/d)");
}

#[test]
fn what_is_too_long_passes() {
    let limits = Limits { value_bytes_max: 64, ..Limits::default() };
    let long = "x".repeat(500);
    for css in
        [format!("url({long}) url(y)"), format!("url('{long}') url(y)"), format!("@import '{long}';url(y)")]
    {
        let rewritten = rewrite(&css, &limits);
        assert_eq!(rewritten, css.replace("url(y)", "url(/web/2026oe_/http://e.org/a/y)"));
    }
}
