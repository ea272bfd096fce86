//! Hostile input costs no more than its length: nothing here may take the square of it.
//!
//! Each case is run at one size eight times and at eight times that size once, which is the same length in all. A quadratic
//! step would make the second eight times as dear, four is allowed, and a failure is one only if it comes back again and
//! again, so that a busy machine does not matter.

use std::time::{Duration, Instant};

use robots::sitemap;
use robots::{Directives, Limits, Robots};

#[track_caller]
fn check(what: &str, size: usize, run: impl Fn(usize)) {
    const ATTEMPTS: usize = 10;
    let time = |size: usize, times: usize| {
        let start = Instant::now();
        (0..times).for_each(|_| run(size));
        start.elapsed()
    };
    let is_quadratic = |_| time(size * 8, 1) > time(size, 8).max(Duration::from_millis(4)) * 4;
    let failures = (0..ATTEMPTS).map(is_quadratic).take_while(|failed| *failed).count();
    assert!(failures < ATTEMPTS, "{what} takes more than its length");
}

#[test]
fn stars_do_not_multiply() {
    check("*a*a*a* against aaaa", 1000, |size| {
        let text = format!("User-agent: *\nDisallow: /{}b$", "*a".repeat(size));
        let robots = Robots::parse(text.as_bytes(), &Limits::default());
        assert!(robots.allows("x", &format!("/{}", "a".repeat(size * 4))).allowed);
    });
}

#[test]
fn names_and_rules_are_read_once() {
    check("names", 2000, |size| {
        let text: String =
            (0..size).map(|number| format!("User-agent: a{number}\nCrawl-delay: 1\n")).collect();
        let limits = Limits { robots_bytes: usize::MAX, ..Limits::default() };
        let robots = Robots::parse(format!("{text}Disallow: /").as_bytes(), &limits);
        assert!(!robots.allows("a1", "/x").allowed);
    });
}

#[test]
fn attributes_and_tags_are_read_once() {
    check("attributes", 2000, |size| {
        let attributes: String = (0..size).map(|number| format!(" a{number}='x'")).collect();
        sitemap::parse(
            format!("<urlset><link{attributes} href='/a'/></urlset>").as_bytes(),
            &Limits::default(),
        );
    });
    check("tags", 2000, |size| {
        sitemap::parse(format!("<urlset>{}", "<a></b>".repeat(size)).as_bytes(), &Limits::default());
    });
    check("directives", 2000, |size| {
        assert!(Directives::from_meta(&"unavailable_after: a, b,".repeat(size)).ignored.len() < 100);
    });
}
