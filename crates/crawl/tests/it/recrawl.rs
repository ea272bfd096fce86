//! A second crawl of the same site: what is unchanged is referred to, what has vanished is gone (A8, D8).

use archive::{Dedup, Form};

use crate::web::{Page, Web, set};

fn web() -> Web {
    Web::start([
        ("a.test/", Page::linking(&["/same", "/changing", "/vanishing", "/unlinked", "/tagged"])),
        ("a.test/same", Page::html("always the same")),
        ("a.test/changing", Page::html("one")),
        ("a.test/vanishing", Page::html("soon gone")),
        ("a.test/unlinked", Page::html("still there, but no link will lead here")),
        ("a.test/tagged", Page::html("tagged").with("ETag", "\"1\"")),
    ])
}

#[test]
fn a8_the_second_time_only_what_changed_is_stored() {
    let web = web();
    let first = web.crawl("http://a.test/", |_| {});
    assert_eq!((first.counts.novel.urls, first.counts.duplicate.urls), (7, 0), "robots.txt is the seventh");
    web.set("a.test/", Page::linking(&["/same", "/changing", "/tagged"]));
    web.set("a.test/changing", Page::html("two"));
    web.remove("a.test/vanishing");
    let second = web.crawl("http://a.test/", |_| {});
    let counts = second.counts;
    // The front page and /changing are new, and so is the first 404 for /vanishing.
    assert_eq!((counts.novel.urls, counts.not_modified.urls, counts.gone), (2, 1, 1), "{counts:?}");
    // /same, /unlinked and robots.txt; the 404 has the same body as that of robots.txt.
    assert_eq!(counts.duplicate.urls, 4, "{counts:?}");
    let captured = web.captured();
    assert_eq!(captured["http://a.test/vanishing"], Some(404));
    assert_eq!(web.urls().len(), 6);
    let archive = web.archive();
    let text = |path: &str| {
        let found = archive.get(&format!("http://a.test{path}"), None).unwrap().unwrap();
        std::io::read_to_string(found.payload(Form::Decoded).unwrap()).unwrap()
    };
    assert_eq!(text("/changing"), "two");
    assert_eq!(text("/same"), "always the same");
    assert_eq!(text("/tagged"), "tagged");
    // Every older version stays.
    let snapshot = archive.snapshot().unwrap();
    let versions: Vec<_> = snapshot.versions("test,a)/vanishing").map(Result::unwrap).collect();
    let statuses: Vec<_> = versions.iter().map(|capture| capture.status).collect();
    assert_eq!(statuses, [Some(200), Some(404)]);
}

#[test]
fn d8_equal_content_within_a_crawl_is_stored_once() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/1", "/2", "/3"])),
        ("a.test/1", Page::html("the same")),
        ("a.test/2", Page::html("the same")),
        ("a.test/3", Page::html("the same")),
    ]);
    let ended = web.crawl("http://a.test/", |_| {});
    assert_eq!(ended.counts.duplicate.urls, 2);
    let archive = web.archive();
    for path in ["1", "2", "3"] {
        let found = archive.get(&format!("http://a.test/{path}"), None).unwrap().unwrap();
        assert_eq!(std::io::read_to_string(found.payload(Form::Decoded).unwrap()).unwrap(), "the same");
    }
    let web = Web::start([
        ("a.test/", Page::linking(&["/1", "/2"])),
        ("a.test/1", Page::html("the same")),
        ("a.test/2", Page::html("the same")),
    ]);
    let ended = web.crawl("http://a.test/", |settings| settings.dedup = Dedup::Url);
    assert_eq!(ended.counts.duplicate.urls, 0);
}

#[test]
fn a_page_that_has_not_changed_leads_on_as_before() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/1"]).with("ETag", "\"1\"")),
        ("a.test/1", Page::linking(&["/2"]).with("ETag", "\"1\"")),
        ("a.test/2", Page::html("two")),
    ]);
    web.crawl("http://a.test/", |_| {});
    web.set("a.test/2", Page::linking(&["/3"]));
    web.set("a.test/3", Page::html("three"));
    let ended = web.crawl("http://a.test/", |settings| settings.recheck = false);
    assert_eq!((ended.counts.not_modified.urls, ended.counts.novel.urls), (2, 2), "{ended:?}");
    assert_eq!(web.urls(), set(&["a.test/", "a.test/1", "a.test/2", "a.test/3"]));
}

#[test]
fn nothing_is_asked_again_where_that_is_not_wished() {
    let web = web();
    web.crawl("http://a.test/", |_| {});
    web.set("a.test/", Page::linking(&["/same"]));
    let before = web.requests().len();
    let ended = web.crawl("http://a.test/", |settings| settings.recheck = false);
    assert_eq!(web.requests().len() - before, 2);
    assert_eq!(ended.counts.gone, 0);
    assert_eq!(web.urls().len(), 6);
}

/// Pictures of other pages belong to a crawl of one page as little as the pages do.
#[test]
fn a8_what_other_pages_needed_is_not_asked_for_by_a_crawl_of_one() {
    let web = Web::start([
        ("a.test/", Page::html("<img src=/1.png><a href=/other>other</a>")),
        ("a.test/other", Page::html("<img src=/2.png>")),
        ("a.test/1.png", Page::html("one")),
        ("a.test/2.png", Page::html("two")),
    ]);
    web.crawl("http://a.test/", |_| {});
    assert_eq!(web.urls(), set(&["a.test/", "a.test/1.png", "a.test/2.png", "a.test/other"]));
    let before = web.requests().len();
    web.crawl("http://a.test/other", |settings| settings.scope.preset = "page".parse().unwrap());
    let asked: std::collections::BTreeSet<_> = web.requests().into_iter().skip(before).collect();
    assert!(asked.iter().any(|url| url.contains("2.png")), "{asked:?}");
    assert!(!asked.iter().any(|url| url.contains("1.png")), "{asked:?}");
}

#[test]
fn what_other_crawls_began_with_is_no_start_of_this_one() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/x/1", "/y/1"])),
        ("a.test/x/1", Page::html("x")),
        ("a.test/y/1", Page::linking(&["/y/2"])),
        ("a.test/y/2", Page::html("y")),
        ("a.test/y/old", Page::linking(&["/y/3"])),
        ("a.test/y/3", Page::html("only the old one leads here")),
    ]);
    web.crawl("http://a.test/\nhttp://a.test/y/old\n", |settings| {
        settings.scope.preset = scope::Preset::Page
    });
    let of_second = |preset: scope::Preset| {
        let before = web.requests().len();
        web.crawl("http://a.test/y/1", |settings| settings.scope.preset = preset);
        let mut asked: Vec<String> = web.requests().split_off(before);
        asked.sort();
        asked
    };
    assert_eq!(of_second(scope::Preset::Page), ["a.test/y/1"]);
    // What lies below the start is looked at again, and leads nowhere.
    assert_eq!(of_second(scope::Preset::Prefix), ["a.test/y/1", "a.test/y/2", "a.test/y/old"]);
}

#[test]
fn a5_a_crawl_that_brings_nothing_leaves_nothing() {
    let web = Web::start([]);
    let ended = web.crawl("http://a.test/", |settings| {
        // Nobody listens there.
        settings.fetch.dns.overrides[0].to_port = Some(1);
        settings.retries = 0;
    });
    assert!(!ended.is_committed && ended.counts.failed > 0, "{ended:?}");
    assert_eq!(job::list(&web.archive().work()).unwrap(), []);
    assert_eq!(web.urls(), set(&[]));
}
