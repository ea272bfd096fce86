//! Links of style sheets.

use extract::{Limits, Links, css};

/// The links of a sheet, as `rule reference`.
#[track_caller]
fn check(sheet: &str, expect: &[&str]) {
    let mut links = Links::new(&Limits::default());
    css::links(sheet, &mut links);
    let found: Vec<String> =
        links.as_slice().iter().map(|link| format!("{} {}", link.rule.attribute(), link.reference)).collect();
    assert_eq!(found, expect, "{sheet}");
}

#[test]
fn addresses_with_and_without_quotes_are_found() {
    check("a{b:url(x.png)}", &["url x.png"]);
    check("a{b:URL( \"x y.png\" )}", &["url x y.png"]);
    check("a{b:url('x.png'), url( //h/y.png )}", &["url x.png", "url //h/y.png"]);
    check("a{b:src('x.png')}", &["url x.png"]);
    check("background:url(x.png", &["url x.png"]);
    check("a{b:url(http://h/?a=1&b=(2))}c{d:url(e)}", &["url e"]);
}

#[test]
fn escapes_are_resolved() {
    check(r"a{b:url(x\)y.png)}", &["url x)y.png"]);
    check(r"a{b:url('x\26 y.png')}", &["url x&y.png"]);
    check(r"a{b:url(x\000026y.png)}", &["url x&y.png"]);
    check(r"a{b:u\72l(x.png)}", &["url x.png"]);
    check("a{b:url('x\\\ny.png')}", &["url xy.png"]);
    check(r#"url(\"x.gif\")"#, &["url x.gif"]);
    check(r"a{b:url('\0 x')}", &["url \u{fffd}x"]);
}

#[test]
fn imports_are_found_where_they_count() {
    check("@import 'a.css'; @import url(b.css) screen;", &["import a.css", "import b.css"]);
    check("@charset \"utf-8\";@layer x;@IMPORT/**/\"a.css\";", &["import a.css"]);
    check("@importx 'a.css';", &[]);
    let mut links = Links::new(&Limits::default());
    css::links("a{} @import 'late.css';", &mut links);
    assert_eq!(links.as_slice()[0].hop, extract::Hop::Speculative);
}

#[test]
fn strings_are_addresses_in_image_sets_only() {
    check(
        r#"a{b:image-set("a.png" 1x, url(b.png) 2x, "c.avif" type("image/avif"))} d::before{content:"no.png"}"#,
        &["image-set a.png", "url b.png", "image-set c.avif"],
    );
    check(r#"a{b:-webkit-image-set(url("a.png") 1x)} c{d:local("e.png") format("woff2")}"#, &["url a.png"]);
}

#[test]
fn what_is_no_link_is_none() {
    check("/* url(a.png) */ a{} /* open url(b.png)", &[]);
    check("a{content:'url(a.png)'}", &[]);
    check("@namespace svg url(http://www.w3.org/2000/svg);@namespace 'http://x/y';", &[]);
    check("a{b:url(data:image/png;base64,AAAA);c:url( 'DATA:,x' );d:url(#gradient);e:url()}", &[]);
    check("a{b:myurl(a.png);c:-url(b.png)}", &[]);
    check("a{b:url(a b.png)}", &[]);
    check("a{b:url('a\nb.png')}", &[]);
}

#[test]
fn pictures_of_old_explorers_are_found() {
    check(
        "a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(enabled=true, src='x.png',sizingMethod=crop)}",
        &["alphaimageloader x.png"],
    );
}

#[test]
fn limits_hold() {
    let mut limits = Limits::default();
    limits.links_max = 3;
    let mut links = Links::new(&limits);
    css::links(&"a{b:url(x)}".repeat(1000), &mut links);
    assert_eq!(links.as_slice().len(), 3);
}
