//! Any bytes as a robots.txt, as a URL, as what a page says about itself.

use std::time::Duration;

use robots::{Directives, Fetched, Limits, Patience, Policy, Robots, path_of, robots_url};

const NAMES: [&str; 5] = ["varve", "a", "*", "", "b/1, archive.org_bot"];

pub(crate) fn attack(bytes: &[u8]) {
    // The first line is a URL for the rest.
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let url = String::from_utf8_lossy(&bytes[..line]);
    let rest = &bytes[line..];
    urls(&url);
    directives(&url);

    let limits = Limits::default();
    let robots = Robots::parse(rest, &limits);
    assert!(robots.heap_bytes() <= 16 * rest.len() + 64, "more than the file could hold");
    let lines = rest.len() + 1;
    for names in NAMES {
        let verdict = robots.allows(names, &url);
        assert!(verdict.line.is_none_or(|line| (1..=lines).contains(&line)), "no such line");
        assert!(verdict.allowed || verdict.line.is_some(), "forbidden by nothing");
        assert!(robots.allows(names, "/robots.txt").allowed);
        assert_eq!(
            robots.allows(names, &path_of(&url)).allowed,
            naive(&robots, names, &url),
            "the path is not the URL"
        );
        let kept = robots.only_for(names);
        assert_eq!(kept.allows("somebody", &url), verdict, "kept alone the rules say something else");
        assert_eq!(kept.crawl_delay("somebody"), robots.crawl_delay(names));
        assert!(kept.sitemaps().eq(robots.sitemaps()));
        assert!(
            robots.crawl_delay(names).is_none_or(|delay| delay <= Duration::from_millis(u32::MAX.into()))
        );
    }
    cut(rest, &url);
    policy(rest, &url);
}

/// A path that begins with two slashes reads as a host, so it is asked for behind one.
fn naive(robots: &Robots, names: &str, url: &str) -> bool {
    let path = path_of(url);
    if path.starts_with("//") {
        robots.allows(names, &path).allowed
    } else {
        robots.allows(names, url).allowed
    }
}

fn urls(url: &str) {
    let path = path_of(url);
    assert!(path.starts_with('/') && !path.contains('#'), "{path}");
    if let Some(robots) = robots_url(url) {
        assert_eq!(robots_url(&robots).as_ref(), Some(&robots), "the robots.txt of a robots.txt is itself");
        assert!(robots.ends_with("/robots.txt"));
    }
}

fn directives(text: &str) {
    for found in [Directives::from_meta(text), Directives::from_header(text, "varve")] {
        assert!(found.ignored.len() <= 16 && found.ignored.concat().len() <= 16 * 1000);
        let mut twice = found.clone();
        twice.merge(found.clone());
        assert_eq!((twice.noindex, twice.nofollow), (found.noindex, found.nofollow));
    }
}

/// A file over the limit says what its beginning says.
fn cut(bytes: &[u8], url: &str) {
    let limit = bytes.len() / 2;
    let robots = Robots::parse(bytes, &Limits { robots_bytes: limit, ..Limits::default() });
    if robots.is_cut() && !bytes.starts_with(b"\xEF") {
        let end = bytes[..limit].iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(0);
        let alone = Robots::parse(&bytes[..end], &Limits::default());
        assert_eq!(robots.allows("a", url), alone.allows("a", url));
    }
}

fn policy(bytes: &[u8], url: &str) {
    let (limits, patience) = (Limits::default(), Patience::default());
    let now = "2026-11-16T00:00:00Z".parse().unwrap();
    let mut policy = Policy::from_fetch(Fetched::Status(200, bytes), now, &limits);
    let before = policy.allows("a", url, now, &patience);
    policy.renew(Fetched::Unreachable, now, &limits);
    assert_eq!(policy.allows("a", url, now, &patience), before, "a failure changes the rules");
    assert!(policy.fetch_again_at(&patience) > now);
}
