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

/// A module with this body of `varve_filter`, to which `$at` and `$length` say where the facts are.
fn module(body: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "varve" "log" (func $log (param i32 i32 i32)))
            (memory (export "memory") 4)
            (func (export "varve_interface") (result i32) i32.const 1)
            (func (export "varve_alloc") (param i32) (result i32) i32.const 1024)
            (func (export "varve_filter") (param $at i32) (param $length i32) (result i64)
                (local $end i32)
                (local.set $end (i32.add (local.get $at) (local.get $length)))
                {body}))"#
    );
    wat::parse_str(text).unwrap()
}

#[test]
fn a7_a_module_that_fails_at_one_document_keeps_it_and_says_so() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/good", "/bad~"])),
        ("a.test/good", Page::html("good")),
        ("a.test/bad~", Page::html("bad")),
    ]);
    // It cannot bear a tilde, and drops everything else.
    let body = "(loop $on
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 126)) (then unreachable))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $on (i32.lt_u (local.get $at) (local.get $end))))
        (i64.const 1)";
    let ended = web.crawl("http://a.test/", |settings| {
        let module = filter::Module::new("touchy", &module(body), None, filter::Limits::default()).unwrap();
        settings.filters = Arc::new(filter::Chain::new(vec![module.into()]));
    });
    assert!(ended.is_committed && ended.is_complete, "{ended:?}");
    // The front page has the link, but not in what is told about it.
    assert_eq!(web.urls(), set(&["a.test/bad~"]));
    assert_eq!(ended.counts.filtered.urls, 2);
    let remarks = web.note("job0", "remarks-report.txt");
    assert_eq!(remarks.lines().count(), 1, "{remarks}");
    for part in ["`touchy`", "http://a.test/bad~", "the document is kept"] {
        assert!(remarks.contains(part), "{remarks}");
    }
}

#[test]
fn a6_a_module_is_told_all_about_a_document() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/page"])),
        (
            "a.test/page",
            Page::html("<html lang=en><title>Page</title><p>This is a page of text in English.")
                .with("Last-Modified", "Sun, 15 Nov 2026 12:00:00 GMT")
                .with("X-Told", "yes"),
        ),
    ]);
    let told: Arc<std::sync::Mutex<Vec<serde_json::Value>>> = Arc::default();
    let theirs = told.clone();
    let log: filter::Log =
        Arc::new(move |_, _, line| theirs.lock().unwrap().push(serde_json::from_str(line).unwrap()));
    let started = web.crawl("http://a.test/", |settings| {
        let body = "(call $log (i32.const 1) (local.get $at) (local.get $length)) (i64.const 0)";
        let limits = filter::Limits { text_bytes_max: 64 << 10, ..filter::Limits::default() };
        let module = filter::Module::with_log("curious", &module(body), None, limits, log).unwrap();
        settings.filters = Arc::new(filter::Chain::new(vec![module.into()]));
    });
    assert!(started.is_committed);
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 2, "robots.txt is nobody's document: {told:?}");
    let page = told.iter().find(|facts| facts["url"] == "http://a.test/page").unwrap();
    assert_eq!((&page["status"], &page["mime"]), (&200.into(), &"text/html".into()));
    assert_eq!((&page["hops"], &page["via"]), (&"L".into(), &"http://a.test/".into()));
    assert_eq!((&page["title"], &page["language"]), (&"Page".into(), &"en".into()));
    assert_eq!(page["create_time"], "2026-11-15T12:00:00Z");
    let commit = web.archive().snapshot().unwrap().commits()[0].at;
    let commit_time: jiff::Timestamp = page["commit_time"].as_str().unwrap().parse().unwrap();
    assert_eq!(commit_time.as_second(), commit.as_second());
    let headers = page["headers"].as_array().unwrap();
    assert!(headers.contains(&serde_json::json!(["X-Told", "yes"])), "{headers:?}");
    let front = told.iter().find(|facts| facts["url"] == "http://a.test/").unwrap();
    assert_eq!(
        (&front["hops"], front["via"].is_null(), front["create_time"].is_null()),
        (&"".into(), true, true)
    );
}

#[test]
fn a7_size_is_that_of_the_document_unpacked() {
    let site = testkit::site::Site::start();
    let crawl = |filters: Vec<filter::Filter>| {
        Web::start([]).crawl(&site.url("/coded/gzip"), |settings| {
            settings.scope.preset = scope::Preset::List;
            settings.fetch.dns.overrides[0].to_port = Some(site.address().port());
            settings.filters = Arc::new(filter::Chain::new(filters));
        })
    };
    // With that of robots.txt, which is longer by little.
    let sent = crawl(Vec::new()).counts.got.bytes;
    let ended = crawl(vec![filter::Filter::size(None, Some(sent))]);
    assert_eq!(ended.counts.filtered.urls, 1, "as it was sent it would have passed: {ended:?}");
}

#[test]
fn a7_what_is_not_modified_was_judged_before() {
    let web = Web::start([
        ("a.test/", Page::linking(&["/tagged"])),
        ("a.test/tagged", Page::html("tagged").with("ETag", "\"1\"")),
    ]);
    web.crawl("http://a.test/", |_| {});
    let ended = web.crawl("http://a.test/", |settings| {
        settings.filters =
            Arc::new(filter::Chain::new(vec![filter::Filter::status(&["200".to_owned()], &[]).unwrap()]));
    });
    assert_eq!((ended.counts.not_modified.urls, ended.counts.filtered.urls), (1, 0), "{ended:?}");
    let ended = web.crawl("http://a.test/", |settings| {
        settings.filters = Arc::new(filter::Chain::new(vec![filter::Filter::size(Some(1 << 30), None)]));
    });
    assert_eq!(
        (ended.counts.not_modified.urls, ended.counts.filtered.urls),
        (1, 1),
        "the front page alone: {ended:?}"
    );
}
