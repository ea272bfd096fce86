//! `varve robots …`: what a site allows, and what it would like to be found.

use insta::assert_snapshot;

use crate::run::{Run, varve};

const ROBOTS: &str = "User-agent: *\r\nDisallow: /private/\r\nCrawl-delay: 2.5\r\n\r\n\
    User-agent: otherbot\r\nDisallow: /\r\nAllow: /$\r\n";

fn check(words: &[&str]) -> Run {
    varve(["robots", "check"].iter().chain(words)).file("robots.txt", ROBOTS)
}

#[test]
fn help_of_check() {
    assert_snapshot!(varve(["robots", "check", "--help"]).shown());
}

#[test]
fn help_of_sitemap() {
    assert_snapshot!(varve(["robots", "sitemap", "--help"]).shown());
}

#[test]
fn c2_each_url_is_allowed_or_not() {
    let urls = ["http://example.org/", "/private/a", "/robots.txt", "/private"];
    assert_snapshot!(check(&[&["robots.txt"], &urls[..]].concat()).shown());
    assert_snapshot!(
        check(&[&["robots.txt", "--agent", "OtherBot/2.0", "--explain"], &urls[..]].concat()).shown()
    );
}

#[test]
fn json_tells_the_line_and_the_delay() {
    assert_snapshot!(check(&["robots.txt", "--json", "/private/a", "/a\u{1b}[2J"]).shown());
}

#[test]
fn urls_and_the_file_come_from_standard_input_too() {
    let output = check(&["robots.txt", "-"]).stdin("/private/1\r\n/2").output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "disallowed\t/private/1\nallowed\t/2\n");
    let output = check(&["-", "/a", "--agent", "b"]).stdin("User-agent: b\nDisallow: /a").output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "disallowed\t/a\n");
    assert_snapshot!(check(&["-", "-"]).shown());
}

#[test]
fn the_exit_code_tells_only_when_asked() {
    assert_eq!(check(&["robots.txt", "/private/"]).output().status.code(), Some(0));
    assert_eq!(check(&["robots.txt", "--exit-code", "/private/"]).output().status.code(), Some(1));
    assert_eq!(check(&["robots.txt", "--exit-code", "/"]).output().status.code(), Some(0));
    assert_eq!(check(&["robots.txt"]).output().status.code(), Some(2));
    assert_eq!(check(&["missing.txt", "/"]).output().status.code(), Some(1));
}

#[test]
fn what_lies_beyond_the_limit_is_said_to_be_left_out() {
    let long = format!("User-agent: *\nDisallow: /a\n{}Disallow: /b\n", "# a comment\n".repeat(50_000));
    assert_snapshot!(varve(["robots", "check", "long.txt", "/a", "/b"]).file("long.txt", long).shown());
}

#[test]
fn a_sitemap_is_listed_and_its_faults_are_told() {
    let text = "<urlset><url><loc>http://example.org/?a&amp;b</loc><lastmod>2026-11</lastmod><priority>0.5</priority>\
        <changefreq>daily</changefreq><image:image><image:loc>http://example.org/i.png</image:loc></image:image></url>\
        <url><loc>http://example.org/2</loc><lastmod>2026-11-16T10:00:00+01:00</lastmod></url>";
    let run = |words: &[&str]| varve(["robots", "sitemap"].iter().chain(words)).file("s.xml", text);
    assert_snapshot!(run(&["s.xml"]).shown());
    assert_snapshot!(run(&["s.xml", "--json", "--quiet"]).shown());
}

#[test]
fn what_is_no_sitemap_is_said_to_be_none() {
    assert_snapshot!(varve(["robots", "sitemap", "page.html"]).file("page.html", "<html></html>").shown());
}
