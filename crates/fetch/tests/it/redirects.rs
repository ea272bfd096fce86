//! Redirects: followed as far as is right, each hop an exchange of its own, cookies kept along the way.

use fetch::{Exchange, Jar, JarLimits, Request, Settings, TrailEnd};
use testkit::misbehave::Misbehave;
use testkit::site::Site;

use crate::fetcher::{document, follow, get, request, settings, settings_for};

fn statuses(hops: &[Exchange]) -> Vec<u16> {
    hops.iter().map(|hop| hop.status().unwrap_or(0)).collect()
}

fn with_cookies(mut settings: Settings) -> Settings {
    settings.cookies = Some(Jar::default());
    settings
}

#[test]
fn each_hop_is_an_exchange_of_its_own() {
    let site = Site::start();
    for (path, expected, end) in [
        ("/redirect", vec![301, 200], "/about"),
        ("/redirect-relative", vec![302, 200], "/articles/1"),
        ("/redirect-other-host", vec![307, 200], "/about"),
        ("/redirect/3", vec![302, 302, 302, 302, 200], "/about"),
        ("/about", vec![200], "/about"),
    ] {
        let hops = follow(settings_for(&site), request(&site.url(path))).exchanges;
        assert_eq!(statuses(&hops), expected, "{path}");
        assert_eq!(hops.last().unwrap().url.path(), end, "{path}");
        // Each says where the next one goes, and its bytes are its own.
        for pair in hops.windows(2) {
            assert_eq!(pair[0].redirect.as_ref(), Some(&pair[1].url), "{path}");
            assert!(pair[0].outcome.is_complete(), "{path}");
        }
    }
}

#[test]
fn one_exchange_follows_nothing_and_says_where_to() {
    let site = Site::start();
    let exchange = get(settings_for(&site), &site.url("/redirect"));
    assert_eq!(exchange.redirect.unwrap().as_str(), site.url("/about"));
    assert_eq!(site.seen().len(), 1);
}

/// How many exchanges there were, the last one's status, and why there are no more.
#[track_caller]
fn check_end(settings: Settings, url: &str, expected: (usize, Option<u16>, TrailEnd)) {
    let trail = follow(settings, request(url));
    assert_eq!((trail.exchanges.len(), trail.last().unwrap().status(), trail.end), expected, "{url}");
}

#[test]
fn e5_thirty_are_followed_and_no_more() {
    let server = Misbehave::start();
    check_end(settings(), &server.url("redirect-chain-30"), (31, Some(200), TrailEnd::Arrived));
    check_end(settings(), &server.url("redirect-chain-31"), (31, Some(302), TrailEnd::TooMany));
    check_end(settings(), &server.url("redirect-growing"), (31, Some(302), TrailEnd::TooMany));
    let mut few = settings();
    few.limits.redirects = 3;
    check_end(few, &server.url("redirect-chain-30"), (4, Some(302), TrailEnd::TooMany));
}

#[test]
fn e5_a_circle_is_noticed() {
    let server = Misbehave::start();
    check_end(settings(), &server.url("redirect-loop"), (1, Some(302), TrailEnd::Loop));
    check_end(settings(), &server.url("cycle-a"), (2, Some(302), TrailEnd::Loop));
}

#[test]
fn a_page_that_sets_a_cookie_and_leads_to_itself_is_no_circle() {
    let server = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, request| {
        let is_known = request.field("cookie").is_some();
        let (status, fields) = match is_known {
            true => ("200 OK", vec![]),
            false => ("302 Found", vec![("Location", "/"), ("Set-Cookie", "known=1")]),
        };
        wire.send(&testkit::server::reply(status, &fields, b""))?;
        Ok(true)
    });
    check_end(settings(), &server.url("/"), (2, Some(200), TrailEnd::Arrived));
}

#[test]
fn what_cannot_be_followed_ends_the_chain() {
    let server = Misbehave::start();
    for name in ["javascript", "data", "file", "ftp"] {
        check_end(
            settings(),
            &server.url(&format!("location-{name}")),
            (1, Some(302), TrailEnd::OtherScheme),
        );
    }
    for name in ["none", "empty", "bad-port", "no-host"] {
        check_end(settings(), &server.url(&format!("location-{name}")), (1, Some(302), TrailEnd::Arrived));
    }
    let mut small = settings();
    small.limits.head_bytes = 64 << 10;
    check_end(small, &server.url("location-huge"), (1, None, TrailEnd::Arrived));
    // What can be read with some patience is followed.
    for (name, path) in [
        ("location-spaces", "/to%20nowhere"),
        ("location-nul", "/a%00b"),
        ("location-not-utf8", "/caf%E9"),
        ("location-twice", "/http10"),
    ] {
        let hops = follow(settings(), request(&server.url(name))).exchanges;
        assert_eq!(hops.len(), 2, "{name}");
        assert_eq!(hops[1].url.path(), path, "{name}");
    }
}

#[test]
fn methods_change_as_the_standard_says() {
    let server = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, request| {
        let status = request.parameter("status").unwrap_or("200 OK");
        wire.send(&testkit::server::reply(status, &[("Location", "/end")], b""))?;
        Ok(true)
    });
    for (status, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
        let url = server.url(&format!("/start?status={status}")).parse().unwrap();
        let hops = follow(settings(), Request::new("POST", url).body("a=1")).exchanges;
        assert_eq!(hops.len(), 2, "{status}");
        let last = server.last("/end");
        assert!(last.request.starts_with(format!("{method} /end ").as_bytes()), "{status}");
        assert_eq!(last.request.ends_with(b"\r\n\r\na=1"), method == "POST", "{status}");
    }
    let url = server.url("/start?status=303").parse().unwrap();
    assert_eq!(follow(settings(), Request::new("HEAD", url)).exchanges[1].method, "HEAD");
}

#[test]
fn other_statuses_with_a_location_are_not_followed() {
    let server = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, request| {
        let status = request.parameter("status").unwrap_or("200 OK");
        wire.send(&testkit::server::reply(status, &[("Location", "/end")], b""))?;
        Ok(true)
    });
    for status in [200, 201, 300, 304, 305, 404] {
        let hops = follow(settings(), request(&server.url(&format!("/start?status={status}")))).exchanges;
        assert_eq!(hops.len(), 1, "{status}");
    }
}

/// E5: cookies are kept and sent along redirects.
#[test]
fn e5_cookies_are_sent_along_redirects() {
    let site = Site::start();
    let hops = follow(with_cookies(settings_for(&site)), request(&site.url("/set-cookie"))).exchanges;
    assert_eq!(statuses(&hops), [302, 200]);
    let mut sent: Vec<String> =
        String::from_utf8(document(&hops[1])).unwrap().split("; ").map(str::to_owned).collect();
    sent.sort();
    assert_eq!(sent, ["name=varve", "seen=1"]);
    // Without a jar of the job's they are kept along the way, and no longer.
    let plain = settings_for(&site);
    let hops = follow(plain.clone(), request(&site.url("/set-cookie"))).exchanges;
    assert_ne!(document(&hops[1]), b"");
    let hops = follow(plain.clone(), request(&site.url("/show-cookies"))).exchanges;
    assert_eq!(document(&hops[0]), b"");
    get(plain.clone(), &site.url("/set-cookie"));
    assert_eq!(document(&get(plain, &site.url("/show-cookies"))), b"");
}

#[test]
fn e5_a_jar_is_shared_by_the_exchanges_of_a_job_and_by_no_other_host() {
    let site = Site::start();
    let settings = with_cookies(settings_for(&site));
    get(settings.clone(), &site.url("/set-cookie"));
    assert!(!document(&get(settings.clone(), &site.url("/show-cookies"))).is_empty());
    let other = get(settings, &site.url_on("other.varve.test", "/show-cookies"));
    assert_eq!(document(&other), b"");
}

#[test]
fn a_flood_of_cookies_does_not_fill_the_jar() {
    let server = Misbehave::start();
    let mut settings = settings();
    settings.limits.head_lines = 10_000;
    let limits = JarLimits { total: 100, per_domain: 20, bytes: 1000 };
    let jar = Jar::new(limits);
    settings.cookies = Some(jar.clone());
    let exchange = get(settings, &server.url("set-cookie-flood"));
    assert_eq!(exchange.outcome.code(), "complete");
    let sent = jar.header(&exchange.url).unwrap();
    assert_eq!(sent.split("; ").count(), 20);
}

#[test]
fn a_password_stays_with_its_host() {
    let site = Site::start();
    let url = site.url("/redirect-other-host").replace("http://", "http://archive:secret@");
    follow(
        settings_for(&site),
        request(&url).header("Authorization", "Bearer secret").header("Cookie", "a=secret"),
    );
    let last = site.last("/about");
    assert!(!String::from_utf8_lossy(&last.request).contains("secret"), "{last:?}");
    assert_eq!(last.fields("authorization").len(), 0);
}

#[test]
fn half_a_head_redirects_nowhere_and_sets_no_cookie() {
    let server = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, _| {
        wire.send(b"HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\nLocation: http://www.varve.te")?;
        Ok(false)
    });
    let jar = Jar::default();
    let mut settings = settings();
    settings.cookies = Some(jar.clone());
    let exchange = get(settings, &server.url("/"));
    assert_eq!((exchange.outcome.code(), exchange.status()), ("truncated-disconnect", Some(302)));
    assert_eq!((exchange.redirect, exchange.is_head_whole), (None, false));
    assert_eq!(jar.header(&exchange.url), None);
}
