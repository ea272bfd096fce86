//! Who wants addresses alone finds the same ones, whatever is passed over on the way.

use extract::html::{Page, Reader, Wanted};
use extract::{Hop, Limits};

use super::splitting::PAGE;

fn addresses(page: &Page) -> Vec<(String, Hop, String)> {
    let links = page.links.as_slice().iter();
    links.map(|link| (link.reference.clone(), link.hop, link.rule.to_string())).collect()
}

/// Reads a page whole and in pieces, with and without what else there is to know of links.
#[track_caller]
pub(crate) fn check(html: &str) -> usize {
    let read = |wanted: Wanted, bytes: usize| {
        let mut reader = Reader::new(wanted, &Limits::default());
        let mut rest = html;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.ceil_char_boundary(bytes));
            reader.write(piece);
            rest = behind;
        }
        reader.finish()
    };
    let whole = read(Wanted::LINKS, html.len());
    for bytes in [html.len(), 7, 61, 300] {
        let page = read(Wanted::ADDRESSES, bytes.max(1));
        assert_eq!(addresses(&page), addresses(&whole), "in pieces of {bytes}");
        assert_eq!((&page.base, &page.robots, &page.refresh), (&whole.base, &whole.robots, &whole.refresh));
        assert_eq!((&page.canonical, page.cut), (&whole.canonical, whole.cut));
    }
    addresses(&whole).len()
}

#[test]
fn a_page_with_something_of_everything_leads_to_the_same() {
    assert_eq!(check(PAGE), 11);
    // In capitals a conditional comment is an ordinary one.
    assert_eq!(check(&PAGE.to_ascii_uppercase()), 10);
    assert!(check(&PAGE.repeat(5)) >= 11);
}

#[test]
fn tags_that_are_the_same_are_passed_over_only_where_they_mean_nothing() {
    let item = "<li class=\"item item--wide\"><h3 class=\"item__title\"><a class=\"item__link\" href=\"/a\">a</a></h3></li>";
    assert_eq!(check(&item.repeat(20)), 20);
    // In a drawing such a tag ends the drawing, and what is a script or raw text behind it depends on that.
    let drawing = "<div class=\"a drawing\"></div><svg><style>a{b:url(c.png)}<div class=\"a drawing\"></div>\
        <title><a href=t></title><![CDATA[<a href=d>]]></svg>";
    assert!(check(&drawing.repeat(3)) >= 3);
    let form = "<div class=\"a form for it\"></div><form method=post><button formaction=\"/x\"></form>\
        <button formaction=\"/y\"></FORM><form class=\"a form for it\"><button formaction=\"/z\">";
    assert_eq!(check(&form.repeat(3)), 6);
    let quiet = "<noscript class=\"without one\"><base href=/no/></noscript><p class=\"with one alone\">\
        <script class=\"some script\">'http://example.org/s.html'</script><a href=/b><base href=/yes/>";
    assert_eq!(check(&quiet.repeat(3)), 6);
    // A tag that looks the same and is not.
    assert_eq!(check("<p class=\"some long class\"><p class=\"some long class\" style=\"a:url(b.png)\">"), 1);
    assert_eq!(check("<p class=\"some long class\"><p class=\"some long class\"/><a href=b>"), 1);
}

#[test]
fn end_tags_are_told_by_their_whole() {
    assert_eq!(check("</p x=\"<a href=no>\"><a href=yes></p/ y='<a href=no>'></p\n><a href=yes>"), 2);
    assert_eq!(check("<form method=post></ form><button formaction=no></form\t><button formaction=yes>"), 1);
    assert_eq!(check("<title><a href=no></title ><a href=yes></a-name-that-is-long><a href=yes>"), 2);
    assert_eq!(check("<a\u{b}href=no><a\x0chref=yes><a href\u{1}=no><a =href=no ==href=no href = yes>"), 2);
}
