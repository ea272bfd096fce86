//! What keeps strangers out, and pages to themselves.

use crate::archived::JOB;
use crate::served::{Served, TOKEN};

#[test]
fn a_form_needs_its_token_and_our_own_origin() {
    let served = Served::start();
    let good = format!("token={TOKEN}&urls=b.test");
    for (origin, form) in [
        (served.origin(), "urls=b.test"),
        (served.origin(), "token=&urls=b.test"),
        (served.origin(), &format!("token={}&urls=b.test", TOKEN.replace("f0", "f1"))),
        (served.origin(), &format!("token={TOKEN}0&urls=b.test")),
        ("http://localhost:8471".to_owned(), good.as_str()),
        ("http://evil.example".to_owned(), good.as_str()),
        ("null".to_owned(), good.as_str()),
    ] {
        let answer = served.post("/harvests", &origin, form);
        assert_eq!(answer.status, 403, "{origin} {form}");
        let answer = served.post(&format!("/jobs/{JOB}/stop"), &origin, form);
        assert_eq!(answer.status, 403, "{origin} {form}");
    }
    assert!(served.asked.0.lock().unwrap().is_empty());
}

#[test]
fn a_name_that_leads_here_by_another_hand_is_not_answered() {
    let served = Served::start();
    for path in ["/", "/api/v1/jobs", "/cdx?url=a.test", "/assets/varve.css"] {
        let answer = served.ask(&format!("GET {path} HTTP/1.1\r\nHost: evil.example"), "");
        assert_eq!(answer.status, 403, "{path}");
        assert!(!answer.body.contains("a.test"), "{path}");
    }
}

#[test]
fn requests_that_can_be_read_in_two_ways_are_refused() {
    let served = Served::start();
    let origin = served.origin();
    let own = origin.trim_start_matches("http://");
    for head in [
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}"),
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example"),
        format!("GET http://{own}/ HTTP/1.1\r\nHost: evil.example"),
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {own}"),
        format!(
            "POST /api/v1/jobs HTTP/1.1\r\nHost: {own}\r\nOrigin: {origin}\r\nOrigin: http://evil.example"
        ),
        format!(
            "POST /api/v1/jobs HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site"
        ),
    ] {
        let answer = served.ask(&head, "");
        assert_eq!(answer.status, 400, "{head}");
        assert!(answer.head.contains("application/problem+json"), "{head}");
    }
    let answer = served.ask(&format!("GET http://{own}/ HTTP/1.1\r\nHost: {own}"), "");
    assert_eq!(answer.status, 200);
}

#[test]
fn every_answer_keeps_to_itself() {
    let served = Served::start();
    for path in ["/", "/jobs", "/nothing", "/api/v1/archive", "/assets/live.js", "/search?q=x"] {
        let answer = served.get(path);
        for field in [
            "content-security-policy: default-src 'none'; style-src 'self'; script-src 'self';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(answer.head.contains(field), "{path}: no {field} in\n{}", answer.head);
        }
        assert!(!answer.head.contains("access-control-allow-origin"), "{path}");
        assert!(!answer.head.contains("set-cookie"), "{path}");
    }
}

#[test]
fn pages_load_nothing_from_elsewhere() {
    let served = Served::start();
    for path in ["/", "/jobs", &format!("/jobs/{JOB}"), &format!("/jobs/{JOB}/log")] {
        let page = served.get(path).body;
        for tag in ["<link", "<script", "<img", "<iframe"] {
            for rest in page.split(tag).skip(1) {
                let tag = rest.split('>').next().unwrap_or_default();
                assert!(!tag.contains("http://") && !tag.contains("https://"), "{path}: {tag}");
            }
        }
    }
}

#[test]
fn long_bodies_and_queries_are_refused() {
    let served = Served::start();
    // A byte too many, so that the server has read all of it when it refuses, and hangs up on nothing.
    let start = format!("token={TOKEN}&urls=");
    let long = format!("{start}{}", "a".repeat(api::Limits::default().wish_bytes + 1 - start.len()));
    assert_eq!(served.post("/harvests", &served.origin(), &long).status, 413);
    assert!(served.asked.0.lock().unwrap().is_empty());
    assert_eq!(served.get("/").status, 200);
    let query = "a".repeat(20_000);
    assert!(served.get(&format!("/search?q={query}")).status < 500);
}
