//! What links become.

use proptest::prelude::*;

use super::*;

fn place() -> Place {
    let url = "http://example.org/some/path/index.html?q#f";
    Place::new("/web/", "20261116080000", Modifier::Page, url).unwrap()
}

#[track_caller]
fn check(link: &str, url: &str) {
    let expected = format!("/web/20261116080000im_/{url}");
    assert_eq!(place().rewrite(link, Modifier::Image), expected, "{link:?}");
}

#[track_caller]
fn stays(link: &str) {
    assert_eq!(place().rewrite(link, Modifier::Image), link);
}

#[test]
fn links_of_all_kinds_become_absolute() {
    check("http://other.example/a?b#c", "http://other.example/a?b#c");
    check("HTTPS://other.example", "HTTPS://other.example");
    check("//other.example/a", "http://other.example/a");
    check("/a", "http://example.org/a");
    check("a", "http://example.org/some/path/a");
    check("../a", "http://example.org/some/a");
    check("../../../../a", "http://example.org/a");
    check("..", "http://example.org/some/");
    check("./", "http://example.org/some/path/");
    check("a/./b/../c", "http://example.org/some/path/a/c");
    check("%2E%2e/a", "http://example.org/some/a");
    check("?x=../y", "http://example.org/some/path/index.html?x=../y");
    check("http:a", "http://example.org/some/path/a");
    check("https:a", "https://a");
    check("ftp://files.example/a", "ftp://files.example/a");
}

#[test]
fn blanks_and_line_breaks_are_no_part_of_a_link() {
    check(" \n a.png\t ", "http://example.org/some/path/a.png");
    check("ht\ntp://other.\texample/a", "http://other.example/a");
}

#[test]
fn backslashes_are_slashes_before_the_query() {
    check("\\a\\b?c\\d", "http://example.org/a/b?c\\d");
    check("\\\\other.example\\a", "http://other.example/a");
    check("http:\\\\other.example\\a", "http://other.example/a");
}

#[test]
fn hosts_of_other_letters_are_written_as_they_are_asked_for() {
    check("http://příklad.example/ž", "http://xn--pklad-zsa96e.example/ž");
    check("http://user:word@bücher.example:8080/", "http://user:word@xn--bcher-kva.example:8080/");
}

#[test]
fn what_leads_nowhere_else_stays() {
    for link in ["", "#a", "data:text/html,<a>", "blob:http://example.org/1", "about:blank", "mailto:a@b.c"] {
        stays(link);
    }
    for link in ["tel:1", "urn:a:b", "http://", "http:///", "file:///a", "chrome://a", "wss://a.b/c"] {
        stays(link);
    }
}

#[test]
fn what_is_in_the_archive_stays() {
    stays("/web/2014im_/http://example.org/");
    stays("/web/http://example.org/");
    check("/web/2014", "http://example.org/web/2014");
    check("/web/2014/summer", "http://example.org/web/2014/summer");
    let place =
        Place::new("http://localhost:8471/web/", "2026", Modifier::Page, "https://a.example/").unwrap();
    for link in ["http://localhost:8471/web/1/b", "//localhost:8471/web/1/http://b.c/", "/web/1/https://b.c/"]
    {
        assert_eq!(place.rewrite(link, Modifier::Image), link);
    }
    assert_eq!(place.rewrite("/b", Modifier::Page), "http://localhost:8471/web/2026/https://a.example/b");
}

#[test]
fn a_base_is_honoured() {
    let mut place = place();
    place.set_base("//other.example/x/y");
    assert_eq!(place.rewrite("z", Modifier::Page), "/web/20261116080000/http://other.example/x/z");
    place.set_base("mailto:nobody");
    assert_eq!(place.rewrite("z", Modifier::Page), "/web/20261116080000/http://other.example/x/z");
    assert_eq!(place.url(), "http://example.org/some/path/index.html?q");
}

#[test]
fn wrong_places_are_refused() {
    assert!(matches!(Place::new("web", "1", Modifier::Page, "http://a/"), Err(Error::Prefix { .. })));
    assert!(matches!(Place::new("//a/", "1", Modifier::Page, "http://a/"), Err(Error::Prefix { .. })));
    assert!(matches!(Place::new("/web/", "1x", Modifier::Page, "http://a/"), Err(Error::Timestamp { .. })));
    assert!(matches!(Place::new("/web/", "1", Modifier::Page, "a.html"), Err(Error::Url { .. })));
}

#[test]
fn scripts_in_links_are_rewritten() {
    let link = place().rewrite("javascript:location='/a'", Modifier::Page);
    assert_eq!(link, "javascript:__varve_location='/a'");
}

fn piece() -> impl Strategy<Value = String> {
    let words =
        ["a", "b.c", ".", "..", "%2e", "%2E.", "/", "//", "\\", "?", "#", "", "é", "x y", "@", "\t", "&"];
    let schemes =
        ["http:", "https:", "HTTP:", "ftp:", "http://", "https://e.org", "//e.org", "http://u@e.org:81"];
    prop_oneof![4 => proptest::sample::select(words.to_vec()), 1 => proptest::sample::select(schemes.to_vec())]
        .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the link, the URL is the one that the `url` crate makes of it.
    #[test]
    fn joining_is_what_browsers_do(pieces in proptest::collection::vec(piece(), 0..9)) {
        let link = pieces.concat();
        let base = "http://example.org/some/path/index.html?q";
        let right = url::Url::parse(base).unwrap().join(&link);
        if let (Ok(right), Some(ours)) = (right, place().resolve(&link)) {
            let ours_parsed = url::Url::parse(&ours);
            prop_assert_eq!(ours_parsed.as_ref().map(url::Url::as_str).ok(), Some(right.as_str()), "{:?} {:?}", link, ours);
        }
    }
}
