//! An ordinary site: what comes is what was sent, byte for byte, and connections are used again.

use std::io::Read as _;

use fetch::{Condition, Fetcher, Request};
use testkit::server::Place;
use testkit::site::{PAGES, Site, large};

use crate::fetcher::{bytes, document, fetch, get, request, settings, settings_for, wait};

#[test]
fn raw_bytes_equal_the_wire_for_every_page() {
    let site = Site::start();
    for page in PAGES {
        let exchange = get(settings_for(&site), &site.url(page.path));
        assert!(exchange.outcome.is_complete(), "{}: {}", page.path, exchange.outcome);
        let seen = site.last(page.path);
        assert_eq!(bytes(&exchange), seen.reply, "{}", page.path);
        assert_eq!(exchange.request, seen.request, "{}", page.path);
        assert_eq!(exchange.status(), Some(page.status), "{}", page.path);
        assert_eq!(exchange.media_type().unwrap_or_default(), page.media_type, "{}", page.path);
        assert_eq!(exchange.peer, Some(site.address()), "{}", page.path);
    }
}

#[test]
fn one_connection_serves_page_after_page() {
    let site = Site::start();
    // All but those that end with their connection.
    let pages = PAGES.iter().filter(|page| page.path != "/http10" && page.path != "/http10-keep-alive");
    wait(async {
        let fetcher = Fetcher::new(settings_for(&site)).unwrap();
        for (number, page) in pages.enumerate() {
            let exchange = fetcher.fetch(request(&site.url(page.path))).await;
            assert!(exchange.outcome.is_complete(), "{}: {}", page.path, exchange.outcome);
            assert_eq!(exchange.is_reused, number > 0, "{}", page.path);
            assert_eq!(bytes(&exchange), site.last(page.path).reply, "{}", page.path);
        }
    });
    assert_eq!(site.connections(), 1);
}

#[test]
fn hosts_do_not_share_connections() {
    let site = Site::start();
    wait(async {
        let fetcher = Fetcher::new(settings_for(&site)).unwrap();
        for host in ["www.varve.test", "other.varve.test", "www.varve.test"] {
            fetcher.fetch(request(&site.url_on(host, "/about"))).await;
        }
    });
    assert_eq!(site.connections(), 2);
    let hosts: Vec<String> = site.seen().iter().flat_map(|seen| seen.fields("host")).collect();
    let port = site.address().port();
    let expected = ["www", "other", "www"].map(|name| format!("{name}.varve.test:{port}"));
    assert_eq!(hosts, expected);
}

#[test]
fn every_coding_unfolds_to_the_same_page() {
    let site = Site::start();
    let plain: Vec<Vec<u8>> = PAGES
        .iter()
        .filter(|page| page.path.starts_with("/coded/"))
        .map(|page| document(&get(settings_for(&site), &site.url(page.path))))
        .collect();
    assert_eq!(plain.len(), 5);
    assert!(plain.iter().all(|page| page.starts_with(b"<!DOCTYPE html>") && *page == plain[0]));
}

#[test]
fn chunk_framing_is_kept_and_can_be_taken_off() {
    let site = Site::start();
    let exchange = get(settings_for(&site), &site.url("/chunked"));
    let mut body = Vec::new();
    exchange.body().read_to_end(&mut body).unwrap();
    assert!(body.starts_with(b"14;name=value\r\n") && body.ends_with(b"X-Checked: yes\r\n\r\n"));
    assert!(document(&exchange).starts_with(b"<!DOCTYPE html>"));
    assert!(document(&exchange).ends_with(b"</html>\n"));
}

#[test]
fn a_large_body_spills_and_is_the_same() {
    let site = Site::start();
    let exchange = get(settings_for(&site), &site.url("/large?bytes=20000000"));
    assert!(exchange.response.is_spilled());
    assert_eq!(exchange.body_bytes(), 20_000_000);
    assert!(document(&exchange) == large(20_000_000));
    // Any number of readers, each from the start.
    let (mut one, mut two) = (exchange.response.reader(), exchange.response.reader());
    let (mut first, mut second) = ([0; 100], [0; 100]);
    one.read_exact(&mut first).unwrap();
    two.read_exact(&mut second).unwrap();
    assert_eq!(first, second);
}

#[test]
fn ipv6_works_like_ipv4() {
    let Some(place) = Place::v6() else { return eprintln!("this machine has no IPv6 loopback") };
    let site = Site::start_at(&place);
    let exchange = get(settings(), &format!("http://{}/about", site.address()));
    assert_eq!(bytes(&exchange), site.last("/about").reply);
    assert_eq!(exchange.peer, Some(site.address()));
    assert_eq!(site.last("/about").fields("host"), [site.address().to_string()]);
}

#[test]
fn e1_a_known_page_is_not_sent_again() {
    let site = Site::start();
    let first = get(settings_for(&site), &site.url("/about"));
    let head = first.head.as_ref().unwrap();
    let (etag, last_modified) = (head.text("etag"), head.text("last-modified"));
    let known = |condition| fetch(settings_for(&site), Request { condition, ..request(&site.url("/about")) });
    let by_tag = known(Condition { etag: etag.map(Into::into), last_modified: None });
    let by_date = known(Condition { etag: None, last_modified: last_modified.map(Into::into) });
    for exchange in [by_tag, by_date] {
        assert_eq!((exchange.status(), exchange.body_bytes()), (Some(304), 0));
        assert!(exchange.outcome.is_complete());
    }
}

#[test]
fn head_post_and_ranges_are_answered() {
    let site = Site::start();
    let url = |path: &str| site.url(path).parse().unwrap();
    let head = fetch(settings_for(&site), Request::new("HEAD", url("/large")));
    assert_eq!((head.status(), head.body_bytes()), (Some(200), 0));
    let post = fetch(settings_for(&site), Request::new("POST", url("/post")).body("a=1&b=2"));
    assert_eq!(document(&post), b"a=1&b=2");
    assert_eq!(site.last("/post").fields("content-length"), ["7"]);
    let part = fetch(settings_for(&site), Request::get(url("/ranges")).header("Range", "bytes=9-17"));
    assert_eq!((part.status(), document(&part)), (Some(206), b"line 001\n".to_vec()));
}

#[test]
fn a_password_in_the_url_is_sent_as_a_header_and_not_in_the_line() {
    let site = Site::start();
    let closed = get(settings_for(&site), &site.url("/secret"));
    assert_eq!(closed.status(), Some(401));
    let url = site.url("/secret").replace("http://", "http://archive:open%20sesame@");
    let open = get(settings_for(&site), &url);
    assert_eq!(open.status(), Some(200));
    assert!(!String::from_utf8_lossy(&open.request).contains("sesame"));
}

#[test]
fn headers_are_sent_in_their_spelling_and_order() {
    let site = Site::start();
    let asked =
        request(&site.url("/about")).header("X-One", "1").header("x-TWO", "2").header("User-Agent", "mine/1");
    let exchange = fetch(settings_for(&site), asked);
    let text = String::from_utf8_lossy(&exchange.request).into_owned();
    assert!(text.starts_with("GET /about HTTP/1.1\r\nHost: www.varve.test:"), "{text}");
    assert!(text.contains("\r\nX-One: 1\r\nx-TWO: 2\r\n"), "{text}");
    assert_eq!(site.last("/about").fields("user-agent"), ["mine/1"]);
    assert!(text.contains("gzip, deflate, br, zstd"), "{text}");
}

#[test]
fn a_header_that_would_smuggle_another_is_not_sent() {
    let site = Site::start();
    for (name, value) in [("X-A", "1\r\nX-B: 2"), ("X-A\r\nX-B", "1"), ("X-A", "\0"), ("", "1"), ("X A", "1")]
    {
        let exchange = fetch(settings_for(&site), request(&site.url("/about")).header(name, value));
        assert_eq!(exchange.outcome.code(), "bad-request", "{name:?}: {value:?}");
    }
    assert_eq!(site.connections(), 0);
}

#[test]
fn a_body_can_be_read_while_it_arrives() {
    let (go, wait_for) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(wait_for);
    let server = testkit::server::Server::answering(&Place::default(), move |wire, _| {
        wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")?;
        // Not before the reader has seen the first half.
        let _ = gate.lock().unwrap().recv();
        wire.send(b"other")?;
        Ok(true)
    });
    let url = server.url("/");
    wait(async {
        let fetcher = Fetcher::new(settings()).unwrap();
        let started = fetcher.start(request(&url));
        let mut arrivals = started.response().arrivals();
        let mut seen = Vec::new();
        while !seen.ends_with(b"first") {
            seen.extend_from_slice(&arrivals.next().await.unwrap().unwrap());
        }
        go.send(()).unwrap();
        let exchange = started.finish().await;
        assert!(exchange.outcome.is_complete());
        assert!(bytes(&exchange).ends_with(b"firstother"));
    });
}
