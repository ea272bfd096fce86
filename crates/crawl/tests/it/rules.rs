//! Robots, retries, filters, sheets: who is asked for what, and what is kept of it.

use std::sync::Arc;
use std::time::Duration;

use crawl::RobotsRule;

use crate::web::{Page, Web, set};

fn web() -> Web {
    Web::start([
        ("a.test/robots.txt", Page::of("text/plain", "User-agent: *\nDisallow: /closed/\n")),
        ("a.test/", Page::linking(&["/open", "/closed/x", "/nofollow", "/noindex"])),
        ("a.test/open", Page::html("open")),
        ("a.test/closed/x", Page::html("closed")),
        ("a.test/nofollow", Page::html("<meta name=robots content=nofollow><a href=/behind>b</a>")),
        ("a.test/behind", Page::html("behind")),
        ("a.test/noindex", Page::html("<meta name=robots content=noindex><a href=/after>a</a>")),
        ("a.test/after", Page::html("after")),
    ])
}

#[test]
fn c2_robots_txt_and_meta_are_obeyed() {
    let web = web();
    let ended = web.crawl("http://a.test/", |_| {});
    assert_eq!(web.urls(), set(&["a.test/", "a.test/after", "a.test/nofollow", "a.test/open"]));
    assert_eq!((ended.counts.robots, ended.counts.filtered.urls), (1, 1));
    assert!(!web.requests().contains(&"a.test/closed/x".to_owned()));
}

#[test]
fn robots_are_ignored_where_that_is_agreed() {
    let web = web();
    web.crawl("http://a.test/", |settings| settings.robots = RobotsRule::Ignore);
    assert_eq!(web.urls().len(), 7);
    let web = self::web();
    web.crawl("http://a.test/", |settings| settings.robots = RobotsRule::TxtOnly);
    let expected =
        ["a.test/", "a.test/after", "a.test/behind", "a.test/nofollow", "a.test/noindex", "a.test/open"];
    assert_eq!(web.urls(), set(&expected));
}

#[test]
fn what_fails_is_tried_again_and_then_given_up() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/busy"])),
        ("a.test/busy", Page::status("503 Service Unavailable")),
    ]);
    let ended = web.crawl("http://a.test/", |settings| settings.retries = 2);
    let tries = web.requests().iter().filter(|place| *place == "a.test/busy").count();
    assert_eq!(tries, 3);
    assert!(ended.is_complete);
    assert_eq!(web.captured()["http://a.test/busy"], Some(503));
}

#[test]
fn a7_what_a_filter_drops_is_counted_and_not_kept_but_its_links_are_followed() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/p.png", "/t.txt", "/q"])),
        ("a.test/p.png", Page::of("image/png", "\u{89}PNG")),
        ("a.test/t.txt", Page::of("text/plain", "text")),
        ("a.test/q", Page::html("<a href=/r>r</a>")),
        ("a.test/r", Page::of("text/plain", "r")),
    ]);
    let ended = web.crawl("http://a.test/", |settings| {
        let mime = filter::Filter::mime(&["text/plain".to_owned()], &[]).unwrap();
        settings.filters = Arc::new(filter::Chain::new(vec![mime]));
    });
    assert_eq!(web.urls(), set(&["a.test/r", "a.test/t.txt"]));
    assert_eq!(ended.counts.filtered.urls, 3);
    let log = web.archive().note("job0", "filtered.log").unwrap().unwrap();
    assert_eq!(std::io::read_to_string(log).unwrap().lines().count(), 3);
}

#[test]
fn b9_a_sheet_holds_for_its_part_of_the_web() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/skip/1", "/other", "http://www.a.test/slow/1"])),
        ("a.test/other", Page::html("other")),
        ("a.test/skip/1", Page::html("skip")),
    ]);
    web.crawl("http://a.test/", |settings| {
        let sheet = scope::Sheet {
            name: "skip".to_owned(),
            prefixes: vec!["http://(test,a,)/skip/".to_owned()],
            skip: Some(true),
            ..scope::Sheet::default()
        };
        settings.scope.sheets = scope::Sheets::new(&[sheet]).unwrap();
    });
    assert!(!web.requests().contains(&"a.test/skip/1".to_owned()));
    assert!(web.urls().contains("a.test/other"));
}

#[test]
fn a_redirected_seed_takes_the_scope_along() {
    let web = Web::start([
        ("a.test/", Page::redirect("http://www.a.test/home/")),
        ("www.a.test/home/", Page::linking(&["/home/more", "http://a.test/x", "http://other.a.test/"])),
        ("www.a.test/home/more", Page::html("more")),
        ("a.test/x", Page::html("x")),
    ]);
    web.crawl("http://a.test/", |_| {});
    let expected = ["a.test/", "a.test/x", "www.a.test/home/", "www.a.test/home/more"];
    assert_eq!(web.urls(), set(&expected));
}

#[test]
fn d7_a_crawl_in_which_nothing_comes_ends() {
    let web = Web::start([("a.test/", Page::linking(&["/x"]))]);
    let ended = web.crawl("http://a.test/", |settings| {
        settings.quiet_max = Some(Duration::from_millis(300));
        settings.gate.delay_min = Duration::from_secs(3600);
        settings.gate.delay_max = Duration::from_secs(3600);
    });
    assert!(ended.how.contains("No data"), "{}", ended.how);
}
