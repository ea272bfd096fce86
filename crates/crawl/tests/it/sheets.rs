//! Sheets from end to end: what they say holds in their part of the web, and nowhere else (B9).

use std::collections::BTreeMap;
use std::time::Duration;

use crate::web::{Page, Web, set};

/// A crawl with one sheet for what begins like this.
#[track_caller]
fn crawl(web: &Web, seeds: &str, prefix: &str, sheet: scope::Sheet) -> crawl::Ended {
    let prefixes = vec![prefix.to_owned()];
    let sheet = scope::Sheet { name: "sheet".to_owned(), prefixes, ..sheet };
    web.crawl(seeds, |settings| settings.scope.sheets = scope::Sheets::new(&[sheet]).unwrap())
}

/// Two folders with as many pages each.
fn two_folders() -> Web {
    let places = ["/few/1", "/few/2", "/few/3", "/few/4", "/many/1", "/many/2", "/many/3", "/many/4"];
    let web = Web::start([("a.test/", Page::linking(&places))]);
    for place in places {
        web.set(&format!("a.test{place}"), Page::html(&format!("{place} {}", "x".repeat(1000))));
    }
    web
}

fn beginning(web: &Web, place: &str) -> usize {
    web.urls().iter().filter(|url| url.starts_with(place)).count()
}

#[test]
fn b9_a_host_is_asked_as_slowly_as_its_sheet_says() {
    let pages = || {
        let links: &[&str] = &["/1", "/2"];
        let web = Web::start([("a.test/", Page::linking(links)), ("b.test/", Page::linking(links))]);
        for place in ["a.test/1", "a.test/2", "b.test/1", "b.test/2"] {
            web.set(place, Page::html(place));
        }
        web
    };
    let sheets = |delay: f64| {
        let sheet = scope::Sheet {
            name: "pace".to_owned(),
            prefixes: vec!["http://(test,a,".to_owned()],
            delay: Some(delay),
            ..scope::Sheet::default()
        };
        scope::Sheets::new(&[sheet]).unwrap()
    };
    let both = "http://a.test/\nhttp://b.test/\n";
    let web = pages();
    let ended = web.crawl(both, |settings| {
        settings.scope.sheets = sheets(3600.0);
        settings.quiet_max = Some(Duration::from_secs(2));
    });
    assert!(!ended.is_complete);
    assert_eq!(beginning(&web, "b.test/"), 3);
    assert!(beginning(&web, "a.test/") <= 1, "an hour has not gone by: {:?}", web.urls());
    // The other way round.
    let web = pages();
    web.crawl(both, |settings| {
        settings.scope.sheets = sheets(0.0);
        settings.gate.delay_min = Duration::from_secs(3600);
        settings.gate.delay_max = Duration::from_secs(3600);
        settings.quiet_max = Some(Duration::from_secs(2));
    });
    assert_eq!(beginning(&web, "a.test/"), 3);
    assert!(beginning(&web, "b.test/") <= 1, "{:?}", web.urls());
}

#[test]
fn b9_a_part_has_a_budget_of_its_own() {
    let web = two_folders();
    let sheet = scope::Sheet { max_objects: Some(2), ..scope::Sheet::default() };
    let ended = crawl(&web, "http://a.test/", "http://(test,a,)/few/", sheet);
    assert!(ended.is_committed);
    assert_eq!((beginning(&web, "a.test/few/"), beginning(&web, "a.test/many/")), (2, 4));
    // Each page is found on the one before, so that its bytes are known when the next is taken.
    let web = two_folders();
    for (page, next) in [(1, 2), (2, 3), (3, 4)] {
        let text = format!("<a href=/few/{next}>{next}</a>{}", "x".repeat(1000));
        web.set(&format!("a.test/few/{page}"), Page::html(&text));
    }
    web.set("a.test/", Page::linking(&["/few/1", "/many/1"]));
    let sheet = scope::Sheet { max_bytes: Some(1500), ..scope::Sheet::default() };
    crawl(&web, "http://a.test/", "http://(test,a,)/few/", sheet);
    assert_eq!((beginning(&web, "a.test/few/"), beginning(&web, "a.test/many/")), (2, 1));
}

#[test]
fn b9_robots_are_ignored_where_a_sheet_says_so() {
    let pages = || {
        Web::start([
            (
                "a.test/robots.txt",
                Page::of("text/plain", "User-agent: *\nDisallow: /agreed/\nDisallow: /closed/\n"),
            ),
            ("a.test/", Page::linking(&["/agreed/1", "/closed/1"])),
            ("a.test/agreed/1", Page::html("agreed")),
            ("a.test/closed/1", Page::html("closed")),
        ])
    };
    let web = pages();
    let ignore = scope::Sheet { robots: Some(scope::Robots::Ignore), ..scope::Sheet::default() };
    crawl(&web, "http://a.test/", "http://(test,a,)/agreed/", ignore);
    assert_eq!(web.urls(), set(&["a.test/", "a.test/agreed/1"]));
    let web = pages();
    web.crawl("http://a.test/", |settings| {
        settings.robots = crawl::RobotsRule::Ignore;
        let sheet = scope::Sheet {
            name: "obey".to_owned(),
            prefixes: vec!["http://(test,a,)/closed/".to_owned()],
            robots: Some(scope::Robots::Obey),
            ..scope::Sheet::default()
        };
        settings.scope.sheets = scope::Sheets::new(&[sheet]).unwrap();
    });
    assert_eq!(web.urls(), set(&["a.test/", "a.test/agreed/1"]));
}

#[test]
fn b9_headers_and_agent_are_sent_where_a_sheet_says_so() {
    let web = two_folders();
    let sheet = scope::Sheet {
        agent: Some("guest".to_owned()),
        headers: BTreeMap::from([("X-Key".to_owned(), "sesame".to_owned())]),
        ..scope::Sheet::default()
    };
    crawl(&web, "http://a.test/", "http://(test,a,)/few/", sheet);
    let mut count = 0;
    for seen in web.seen() {
        let is_there = seen.target().starts_with("/few/");
        assert_eq!(seen.fields("x-key"), if is_there { vec!["sesame"] } else { vec![] }, "{}", seen.target());
        assert_eq!(seen.fields("user-agent") == ["guest"], is_there, "{}", seen.target());
        count += usize::from(is_there);
    }
    assert_eq!(count, 4);
}

#[test]
fn b9_traps_hold_where_a_sheet_says_so() {
    let web = two_folders();
    let sheet = scope::Sheet { traps: vec![".*/[34]".to_owned()], ..scope::Sheet::default() };
    crawl(&web, "http://a.test/", "http://(test,a,)/few/", sheet);
    assert_eq!((beginning(&web, "a.test/few/"), beginning(&web, "a.test/many/")), (2, 4));
}
