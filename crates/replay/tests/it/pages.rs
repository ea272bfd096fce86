//! Our own pages.

use crate::world::{Server, World, answer, html, page};

#[test]
fn a_calendar_has_years_days_and_what_changed() {
    let url = "http://example.org/";
    let digest = |time: &str, text: &str| html(url, time, text);
    let world = World::of(&[
        digest("20240229120000", "one"),
        digest("20260301080000", "two"),
        digest("20260301090000", "two"),
        digest("20260401090000", "three"),
        answer(url, "20260501090000", "404 Gone", "Content-Type: text/html\r\n", b"gone"),
    ]);
    let server = world.serve();
    let text = server.get("/web/*/http://example.org/").text();
    for expected in [
        "5 captures",
        "29 February 2024",
        "/web/2024*/http://example.org/",
        "All of 2026",
        "<caption>March</caption>",
        "1 March 2026: 2 captures, new",
        "/web/20260301*/http://example.org/#times",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let day = server.get("/web/20260301*/http://example.org/").text();
    assert!(day.contains(">changed</span>") && day.contains(">same</span>"), "{day}");
    let year = server.get("/web/2024*/http://example.org/").text();
    assert!(year.contains("29 February 2024: 1 capture, new\""), "{year}");
}

#[test]
fn a_listing_has_urls_with_first_last_and_number() {
    let mut records = vec![
        html("http://example.org/b", "20250101000000", "x"),
        html("http://example.org/b", "20260101000000", "y"),
    ];
    records.extend(
        (0..5).map(|at| page(&format!("http://example.org/a/{at}"), "20260101000000", "image/png", b"x")),
    );
    let world = World::of(&records);
    let mut settings = world.settings();
    settings.limits.urls_in_page = 4;
    let server = Server::start(settings);
    let first = server.get("/web/*/http://example.org/*").text();
    assert!(first.contains("http://example.org/a/3") && !first.contains("http://example.org/a/4"), "{first}");
    let next = first.split("rel=next href=\"").nth(1).expect("further ones").split('"').next().unwrap();
    let second = server.get(next).text();
    for expected in [
        "http://example.org/a/4",
        "http://example.org/b",
        "data-of=Captures>2</td><td data-of=First>1 January 2025</td><td data-of=Last>1 January 2026</td>",
    ] {
        assert!(second.contains(expected), "{expected} in {second}");
    }
    assert!(!second.contains("http://example.org/a/3") && !second.contains("rel=next"));
    let of_2025 = server.get("/web/2025*/http://example.org/*").text();
    assert!(of_2025.contains("http://example.org/b") && !of_2025.contains("http://example.org/a/0"));
}

#[test]
fn what_is_missing_leads_on() {
    let world = World::of(&[
        html("http://example.org/dir/one", "20260101000000", "x"),
        html("http://example.org/dir/three", "20260101000000", "x"),
        html("http://m.example.org/dir/two", "20260101000000", "x"),
        html("http://example.com/", "20260101000000", "x"),
    ]);
    world.add("other", &[html("http://example.org/dir/two", "20260101000000", "x")]);
    let answer = world.serve().get("/web/2026/http://example.org/dir/two");
    assert_eq!(answer.status, 404);
    for expected in [
        "/web/*/http://example.org/dir/one",
        "/web/*/http://example.org/dir/three",
        "/web/*/http://m.example.org/dir/two",
        "/other/*/http://example.org/dir/two",
        "/web/*/http://example.org/*",
        "http://127.0.0.1:8470/?url=http%3A%2F%2Fexample.org%2Fdir%2Ftwo#harvest",
    ] {
        assert!(answer.text().contains(expected), "{expected} in {}", answer.text());
    }
    assert!(!answer.text().contains("example.com"));
}

/// A hundred thousand captures are never read for one page.
#[test]
fn very_many_captures_are_sampled() {
    let url = "http://example.org/";
    let world = World::of(&[html(url, "20200101000000", "often")]);
    let one = world.archive.snapshot().unwrap().versions(&urlkey::key(url)).next().unwrap().unwrap();
    let start = urlkey::time::parse_14("20200101000000").unwrap();
    let many = (1..3000_i64).map(|number| {
        let at = start.checked_add(jiff::SignedDuration::from_hours(number * 20)).unwrap();
        cdx::Capture { timestamp: cdx::Timestamp::parse(&urlkey::time::to_14(at)).ok(), ..one.clone() }
    });
    world.publish("web", "many", many.collect());
    let mut settings = world.settings();
    settings.limits.counted = 500;
    settings.limits.counted_in_month = 5;
    let server = Server::start(settings);
    for _ in 0..2 {
        let answer = server.get("/web/20220301000001if_/http://example.org/");
        assert_eq!(answer.status, 302);
        let path = answer.expect("location").strip_prefix("http://localhost").unwrap().replace("if_", "");
        let text = server.get(&path).text();
        assert!(text.contains("more than"), "{text}");
    }
    let calendar = server.get("/web/2025*/http://example.org/").text();
    assert!(calendar.contains("more than") && calendar.contains("December"), "{calendar}");
}

#[test]
fn the_pages_of_the_program_are_linked() {
    let world = World::of(&[html("http://example.org/", "20260101000000", "x")]);
    let server = world.serve();
    assert!(server.get("/").text().contains("http://127.0.0.1:8470/"));
    assert!(
        server.get("/web/").text().contains("1 captures") || server.get("/web/").text().contains("1 capture")
    );
    assert_eq!(server.get("/none/").status, 404);
    assert_eq!(server.get("/robots.txt").text(), "User-agent: *\nDisallow: /\n");
}
