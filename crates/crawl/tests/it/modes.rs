//! The crawl modes of Appendix C and the presets: exactly these URLs, and how far a narrow link store reaches (C1).

use crawl::Settings;
use scope::Preset;

use crate::web::{Page, Web, set};

/// Three hosts of two domains that link to each other.
fn web() -> Web {
    Web::start([
        (
            "www.one.test/docs/",
            Page::linking(&["a.html", "sub/b.html", "/other.html", "http://two.one.test/"]),
        ),
        ("www.one.test/docs/a.html", Page::linking(&["/docs/", "http://www.far.example/", "c.html"])),
        ("www.one.test/docs/c.html", Page::linking(&[])),
        ("www.one.test/docs/sub/b.html", Page::linking(&["../a.html"])),
        ("www.one.test/other.html", Page::linking(&["/another.html"])),
        ("www.one.test/another.html", Page::linking(&[])),
        ("two.one.test/", Page::linking(&["/inner/", "http://www.far.example/deep/"])),
        ("two.one.test/inner/", Page::linking(&[])),
        ("www.far.example/", Page::linking(&["/elsewhere.html"])),
        ("www.far.example/elsewhere.html", Page::linking(&[])),
        ("www.far.example/deep/", Page::linking(&["down.html", "/elsewhere.html"])),
        ("www.far.example/deep/down.html", Page::linking(&[])),
    ])
}

const START: &str = "http://www.one.test/docs/";

#[track_caller]
fn check(preset: &str, change: impl FnOnce(&mut Settings), expected: &[&str]) {
    let web = web();
    let preset: Preset = preset.parse().unwrap();
    let ended = web.crawl(START, |settings| {
        settings.scope.preset = preset;
        change(settings);
    });
    assert!(ended.is_committed && ended.is_complete, "{ended:?}");
    assert_eq!(web.urls(), set(expected));
    let requests = web.requests();
    let different: std::collections::BTreeSet<_> = requests.iter().collect();
    assert_eq!(different.len(), requests.len(), "each is asked for once: {requests:?}");
}

#[test]
fn c1_single_stays_below_the_start_urls_path() {
    let below = [
        "www.one.test/docs/",
        "www.one.test/docs/a.html",
        "www.one.test/docs/c.html",
        "www.one.test/docs/sub/b.html",
    ];
    check("prefix", |_| {}, &below);
}

#[test]
fn c1_multi_within_a_domain() {
    let domain = [
        "two.one.test/",
        "two.one.test/inner/",
        "www.one.test/another.html",
        "www.one.test/docs/",
        "www.one.test/docs/a.html",
        "www.one.test/docs/c.html",
        "www.one.test/docs/sub/b.html",
        "www.one.test/other.html",
    ];
    check("multi:.one.test", |_| {}, &domain);
    check("domain", |_| {}, &domain);
}

#[test]
fn c1_multi_goes_anywhere() {
    let everything = [
        "two.one.test/",
        "two.one.test/inner/",
        "www.far.example/",
        "www.far.example/deep/",
        "www.far.example/deep/down.html",
        "www.far.example/elsewhere.html",
        "www.one.test/another.html",
        "www.one.test/docs/",
        "www.one.test/docs/a.html",
        "www.one.test/docs/c.html",
        "www.one.test/docs/sub/b.html",
        "www.one.test/other.html",
    ];
    check("multi", |_| {}, &everything);
}

#[test]
fn c1_indexpage_takes_each_link_of_the_start_page_in_single_mode() {
    let web = Web::start([
        ("www.one.test/", Page::linking(&["http://a.test/x/", "http://b.test/y/1.html"])),
        ("a.test/x/", Page::linking(&["in.html", "/out.html"])),
        ("a.test/x/in.html", Page::linking(&["more/deep.html"])),
        ("a.test/x/more/deep.html", Page::linking(&["/out.html", "http://b.test/y/2.html"])),
        ("b.test/y/1.html", Page::linking(&["2.html", "/z/3.html"])),
        ("b.test/y/2.html", Page::linking(&["http://a.test/x/hidden.html"])),
    ]);
    web.crawl("http://www.one.test/", |settings| {
        settings.scope.preset = Preset::IndexPage { domains: Vec::new() }
    });
    let expected = [
        "a.test/x/",
        "a.test/x/in.html",
        "a.test/x/more/deep.html",
        "b.test/y/1.html",
        "b.test/y/2.html",
        "www.one.test/",
    ];
    assert_eq!(web.urls(), set(&expected));
}

#[test]
fn host_page_and_list() {
    let host = [
        "www.one.test/another.html",
        "www.one.test/docs/",
        "www.one.test/docs/a.html",
        "www.one.test/docs/c.html",
        "www.one.test/docs/sub/b.html",
        "www.one.test/other.html",
    ];
    check("host", |_| {}, &host);
    check("page", |_| {}, &["www.one.test/docs/"]);
    check("list", |_| {}, &["www.one.test/docs/"]);
}

#[test]
fn c1_depth_counts_links() {
    let one = [
        "www.one.test/docs/",
        "www.one.test/docs/a.html",
        "www.one.test/docs/sub/b.html",
        "www.one.test/other.html",
    ];
    check("host", |settings| settings.scope.depth = Some(1), &one);
    check("host", |settings| settings.scope.depth = Some(0), &["www.one.test/docs/"]);
}

#[test]
fn what_a_page_needs_is_taken_though_it_is_elsewhere() {
    let web = Web::start([
        ("a.test/", Page::html("<img src='http://cdn.test/i.png'><a href='http://b.test/'>b</a>")),
        ("cdn.test/i.png", Page::of("image/png", "png")),
        ("b.test/", Page::linking(&[])),
    ]);
    web.crawl("http://a.test/", |_| {});
    assert_eq!(web.urls(), set(&["a.test/", "cdn.test/i.png"]));
}

/// A tree in which every page links to ten others: without a width, hundreds of requests stay within three links of the start.
#[test]
fn c1_a_narrow_link_store_reaches_far() {
    const WIDTH: u32 = 5;
    const REQUESTS: u64 = 200;
    let tree = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, request| {
        let path = request.target.trim_end_matches('/');
        let body = if path.ends_with("robots.txt") || path.len() > 400 {
            String::new()
        } else {
            (0..10).map(|digit| format!("<a href='{path}/{digit}/'>{digit}</a>")).collect()
        };
        wire.send(&testkit::server::reply("200 OK", &[("Content-Type", "text/html")], body.as_bytes()))?;
        Ok(true)
    });
    let reach = |width: Option<u32>| -> f64 {
        let web = Web::start([]);
        web.crawl("http://tree.test/", |settings| {
            settings.width = width;
            settings.budgets.job.objects = Some(REQUESTS);
            // Digits repeat in this tree, and it is deep.
            settings.scope.repeats = 1000;
            settings.scope.path_depth = 1000;
            settings.fetch.dns.overrides[0].to_port = Some(tree.address().port());
            settings.concurrency = 1;
        });
        let distances: Vec<usize> = web.urls().iter().map(|url| url.matches('/').count() - 1).collect();
        assert_eq!(distances.len() as u64, REQUESTS);
        distances.iter().sum::<usize>() as f64 / distances.len() as f64
    };
    let predicted = REQUESTS as f64 / (2.0 * f64::from(WIDTH));
    let reached = reach(Some(WIDTH));
    assert!((reached - predicted).abs() <= 0.2 * predicted, "{reached} of {predicted}");
    assert!(reach(None) < 3.0);
}
