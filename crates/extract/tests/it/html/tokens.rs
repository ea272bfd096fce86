//! Our tokens are those of html5gum: on small oddities, on our own page, and on the pages of the vectors.

#[path = "../../attacks/html_tokens.rs"]
mod html_tokens;

use std::fs;
use std::path::Path;

use html_tokens::compare;

use super::splitting::PAGE;

/// Whole and byte by byte.
#[track_caller]
fn check(pages: &[&str]) {
    for html in pages {
        eprintln!("{html:?}");
        compare(html, usize::MAX);
        compare(html, 1);
    }
}

#[test]
fn tags_and_attributes() {
    check(&[
        "<a>",
        "<A B=C d='e' F=\"g\">",
        "<a b c = d e=>",
        "<a/b/>",
        "<a / >",
        "<a b=c/>",
        "<a =b c==d>",
        "<a b='c'd=e>",
    ]);
    check(&[
        "<a a=1 A=2>",
        "<a b=\"&amp;&copy=&copy\">",
        "<a\tb\nc\r\nd\x0ce>",
        "<a b",
        "<a b='",
        "<a b=c",
        "<",
        "</",
        "</a",
        "</>",
    ]);
    check(&[
        "</a b=c>",
        "</ a>",
        "</1>",
        "<1>",
        "< a>",
        "<a<b>",
        "<a <b>",
        "<a b<c>",
        "<a\0b c\0d=e\0f>",
        "<a b=\r\nc>",
    ]);
}

#[test]
fn comments_and_their_odd_ends() {
    check(&[
        "<!-->a",
        "<!--->a",
        "<!---->a",
        "<!----->a",
        "<!--a--!>b",
        "<!--a--!-->b",
        "<!--a--b-->c",
        "<!--a->b-->c",
    ]);
    check(&[
        "<!--",
        "<!---",
        "<!----",
        "<!--a--",
        "<!--a--!",
        "<!--a-",
        "<!-a>b",
        "<!",
        "<!a",
        "<!>",
        "<?a?>b",
        "<!-- <!-- -->",
    ]);
    check(&[
        "<![CDATA[a]]>b",
        "<!doctype html>a",
        "<!DOCTYPE a PUBLIC \"b>c\">d",
        "<!doctypehtml>a",
        "<!doc>a",
        "</ a>b",
        "<!---!>a-->",
    ]);
}

#[test]
fn raw_text() {
    check(&[
        "<title>a<b>&amp;</title>c",
        "<title>a</titl></title >b",
        "<TITLE>a</TiTlE/>b",
        "<title>a</title",
        "<title>a</",
    ]);
    check(&[
        "<style>a<!--</style>b",
        "<xmp><b>&amp;</xmp>c",
        "<plaintext>a</plaintext>",
        "<textarea>\n&lt</textarea>",
        "<style>a</style b='>'>c",
    ]);
}

#[test]
fn scripts_and_their_odd_ends() {
    check(&["<script>a<b</script>c", "<script><!--a</script>b", "<script><!--<script>a</script>b</script>c"]);
    check(&[
        "<script><!--<script>a</script>b-->c</script>d",
        "<script><!--></script>a",
        "<script><!---></script>a",
    ]);
    check(&[
        "<script><!--<script </script>a</script>b",
        "<script><!--<scriptx></script>a",
        "<script></scriptx></script>a",
    ]);
    check(&[
        "<script><!-- a -- b --> <script></script>c",
        "<script><!-",
        "<script><!--",
        "<script><!--<script>a--",
        "<script></scrip",
    ]);
    check(&["<script><!--<script>a</script/b</script>c--></script>d"]);
}

#[test]
fn references() {
    check(&[
        "&amp;&amp&am;&",
        "&notit;&notin;",
        "&#65;&#x41;&#65&#xg;&#;",
        "&#0;&#128;&#xd800;&#x110000;&#99999999999;",
        "&ampa&amp=",
        "a&lt",
    ]);
}

#[test]
fn carriage_returns() {
    check(&["a\r\nb\rc", "<a b='c\r\nd'>", "<title>a\r\nb</title>", "<!--a\rb-->"]);
}

#[test]
fn our_own_page() {
    check(&[PAGE]);
}

#[test]
fn the_pages_of_the_vectors() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let mut count = 0;
    each_page(&dir, &mut |html| {
        count += 1;
        compare(html, usize::MAX);
        compare(html, 1013);
    });
    eprintln!("{count} pages compared");
    assert!(count > 50);
}

/// Every HTML file below a folder.
fn each_page(dir: &Path, take: &mut impl FnMut(&str)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_page(&path, take);
        } else if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            eprintln!("{}", path.display());
            take(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
}
