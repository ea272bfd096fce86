//! Hostile input costs no more than its length: nothing here may take the square of it.
//!
//! Each case is run at one size and at eight times that size; a quadratic step would make it 64 times as dear. The bound
//! is far from both, so that a busy machine does not matter.

use std::time::Instant;

use robots::sitemap;
use robots::{Directives, Limits, Robots};

#[track_caller]
fn check(what: &str, size: usize, run: impl Fn(usize)) {
    let time = |size| {
        (0..3)
            .map(|_| {
                let start = Instant::now();
                run(size);
                start.elapsed()
            })
            .min()
            .unwrap_or_default()
    };
    time(size);
    let (small, large) = (time(size), time(size * 8));
    assert!(large < small * 32 + std::time::Duration::from_millis(5), "{what}: {small:?}, then {large:?}");
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
