//! Names: asked for once, remembered, tried in turn.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use fetch::dns::{Families, Override};
use fetch::{Fetcher, Settings};
use testkit::dns::{Kind, NameServer, Zone};
use testkit::server::{DeadEnd, Place};
use testkit::site::Site;

use crate::fetcher::{get, request, settings, settings_for, wait};

/// Settings that ask this server and nobody else.
pub(crate) fn asking(server: &NameServer) -> Settings {
    let mut settings = settings();
    settings.dns.servers = vec![server.address()];
    settings.dns.timeout = Duration::from_millis(500);
    settings
}

#[track_caller]
fn check(zone: Zone, host: &str, code: &str) -> fetch::Exchange {
    let site = Site::start();
    let exchange = get(asking(&NameServer::start(zone)), &site.url_on(host, "/about"));
    assert_eq!(exchange.outcome.code(), code, "{host}: {}", exchange.outcome);
    exchange
}

#[test]
fn a_name_is_looked_up_and_the_answer_kept() {
    let exchange =
        check(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1"]), "www.varve.test", "complete");
    let answer = exchange.dns.unwrap();
    assert_eq!(answer.name, "www.varve.test");
    assert_eq!((answer.addresses[0].address, answer.addresses[0].ttl), (Ipv4Addr::LOCALHOST.into(), 300));
    assert!(answer.server.is_some());
}

#[test]
fn aliases_are_followed_and_circles_are_not() {
    let zone = Zone::new()
        .alias("www.varve.test", 60, "web.varve.test")
        .alias("web.varve.test", 60, "host.varve.test")
        .addresses("host.varve.test", 60, &["127.0.0.1"])
        .alias("round.varve.test", 60, "about.varve.test")
        .alias("about.varve.test", 60, "round.varve.test");
    check(zone.clone(), "www.varve.test", "complete");
    let circle = check_any(zone, "round.varve.test");
    assert!(circle.starts_with("dns-"), "{circle}");
}

/// The code that a host's exchange ends with.
fn check_any(zone: Zone, host: &str) -> &'static str {
    let site = Site::start();
    get(asking(&NameServer::start(zone)), &site.url_on(host, "/about")).outcome.code()
}

#[test]
fn what_has_no_address_says_why() {
    let zone = Zone::new()
        .addresses("empty.varve.test", 60, &[])
        .fails("broken.varve.test")
        .silent("mute.varve.test");
    check(zone.clone(), "nowhere.varve.test", "dns-no-such-name");
    check(zone.clone(), "empty.varve.test", "dns-no-address");
    check(zone.clone(), "broken.varve.test", "dns-failed");
    check(zone, "mute.varve.test", "dns-failed");
}

#[test]
fn a_long_answer_comes_by_tcp() {
    let server = NameServer::start(Zone::new().addresses_by_tcp("www.varve.test", 60, &["127.0.0.1"]));
    let site = Site::start();
    assert_eq!(get(asking(&server), &site.url("/about")).status(), Some(200));
    assert!(server.asked_by_tcp() > 0);
}

#[test]
fn answers_are_remembered_also_when_there_is_none() {
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1"]));
    let site = Site::start();
    let mut settings = asking(&server);
    // Each exchange makes its own connection, and so needs the address.
    settings.pool.per_host = 0;
    wait(async {
        let fetcher = Fetcher::new(settings).unwrap();
        for _ in 0..5 {
            fetcher.fetch(request(&site.url("/about"))).await;
            fetcher.fetch(request(&site.url_on("nowhere.varve.test", "/"))).await;
        }
    });
    assert_eq!(site.connections(), 5);
    for name in ["www.varve.test", "nowhere.varve.test"] {
        assert_eq!((server.asked(name, Kind::A), server.asked(name, Kind::Aaaa)), (1, 1), "{name}");
    }
}

#[test]
fn many_who_ask_at_once_ask_once() {
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1"]));
    let site = Site::start();
    wait(async {
        let fetcher = Fetcher::new(asking(&server)).unwrap();
        let exchanges: Vec<_> = (0..8)
            .map(|_| {
                let (fetcher, request) = (fetcher.clone(), request(&site.url("/about")));
                tokio::spawn(async move { fetcher.fetch(request).await })
            })
            .collect();
        for exchange in exchanges {
            assert_eq!(exchange.await.unwrap().status(), Some(200));
        }
    });
    assert_eq!(server.asked("www.varve.test", Kind::A), 1);
}

#[test]
fn an_address_that_refuses_is_followed_by_the_next() {
    let site = Site::start();
    let zone = Zone::new().addresses("www.varve.test", 60, &["127.0.0.2", "127.0.0.3", "127.0.0.1"]);
    let exchange = get(asking(&NameServer::start(zone)), &site.url("/about"));
    assert_eq!((exchange.status(), exchange.peer), (Some(200), Some(site.address())));
}

#[test]
fn an_address_that_is_silent_does_not_hold_the_next_up() {
    let site = Site::start();
    let port = site.address().port();
    let dead = DeadEnd::at(SocketAddr::from(([127, 0, 0, 2], port))).unwrap();
    let zone = Zone::new().addresses("www.varve.test", 60, &[&dead.address().ip().to_string(), "127.0.0.1"]);
    let start = Instant::now();
    let exchange = get(asking(&NameServer::start(zone)), &site.url("/about"));
    assert_eq!((exchange.status(), exchange.peer), (Some(200), Some(site.address())));
    // The second address gets its turn long before the first is given up.
    assert!(start.elapsed() < settings().timeouts.connect / 2, "{:?}", start.elapsed());
}

#[test]
fn both_families_are_tried() {
    let Some(place) = Place::v6() else { return eprintln!("this machine has no IPv6 loopback") };
    let four = Site::start();
    let zone = Zone::new().addresses("www.varve.test", 60, &["127.0.0.1", "::1"]);
    let server = NameServer::start(zone);
    // Nothing listens on that port at ::1, or something else does; IPv4 answers.
    let exchange = get(asking(&server), &four.url("/about"));
    assert_eq!(exchange.status(), Some(200));
    let six = Site::start_at(&place);
    let exchange = get(asking(&server), &six.url("/about"));
    assert_eq!((exchange.status(), exchange.peer), (Some(200), Some(six.address())));
    let mut only_four = asking(&server);
    only_four.dns.families = Families::Ipv4;
    assert_ne!(get(only_four, &six.url("/about")).peer, Some(six.address()));
}

#[test]
fn an_override_answers_instead_of_the_name_servers() {
    let site = Site::start();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 60, &["127.0.0.9"]));
    let mut settings = asking(&server);
    settings.dns.overrides = settings_for(&site).dns.overrides;
    let exchange = get(settings, "http://www.varve.test/about");
    assert_eq!((exchange.status(), exchange.peer), (Some(200), Some(site.address())));
    assert_eq!(server.asked("www.varve.test", Kind::A), 0);
    // The host is asked for by its name all the same.
    assert_eq!(site.last("/about").fields("host"), ["www.varve.test"]);
}

#[test]
fn an_override_for_one_port_leaves_the_others() {
    let site = Site::start();
    let server = NameServer::start(Zone::new());
    let mut settings = asking(&server);
    let text = format!("www.varve.test:{}:127.0.0.1", site.address().port());
    settings.dns.overrides = vec![text.parse::<Override>().unwrap()];
    assert_eq!(get(settings.clone(), &site.url("/about")).status(), Some(200));
    assert_eq!(get(settings, "http://www.varve.test:1/").outcome.code(), "dns-no-such-name");
}
