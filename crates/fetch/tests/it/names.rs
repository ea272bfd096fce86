//! Names: asked for once, remembered, tried in turn.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
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
    let exchange = check(zone.clone(), "www.varve.test", "complete");
    // The archive has the way, too.
    let text = exchange.dns.unwrap().text();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "www.varve.test.\t60\tIN\tCNAME\tweb.varve.test.",
            "web.varve.test.\t60\tIN\tCNAME\thost.varve.test.",
            "host.varve.test.\t60\tIN\tA\t127.0.0.1"
        ]
    );
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

/// A name server that knows one IPv4 address for every name, and says nothing when it is asked for IPv6.
fn mute_for_six() -> (UdpSocket, SocketAddr) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (theirs, address) = (socket.try_clone().unwrap(), socket.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut query = [0; 512];
        // An empty message is the test's goodbye.
        while let Ok((length @ 1.., from)) = theirs.recv_from(&mut query) {
            let labels = query[12..length].iter().position(|byte| *byte == 0).unwrap();
            let question = &query[12..12 + labels + 5];
            if question[labels + 2] == 1 {
                let mut reply = [&query[..2], &[0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0], question].concat();
                reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 127, 0, 0, 1]);
                theirs.send_to(&reply, from).unwrap();
            }
        }
    });
    (socket, address)
}

#[test]
fn a_family_that_nobody_answers_for_does_not_hold_the_other_up() {
    let (site, (socket, server)) = (Site::start(), mute_for_six());
    let mut settings = settings();
    (settings.dns.servers, settings.dns.timeout) = (vec![server], Duration::from_secs(60));
    settings.timeouts.connect = Duration::from_secs(40);
    let start = Instant::now();
    assert_eq!(get(settings, &site.url("/about")).status(), Some(200));
    // Far less than any of the times, on the busiest machine.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    socket.send_to(&[], server).unwrap();
}

#[test]
fn where_a_host_is_can_be_asked_beforehand() {
    let site = Site::start();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1", "10.0.0.1"]));
    let mut settings = asking(&server);
    settings.allowed = fetch::Allowed { private: false, networks: vec!["127.0.0.0/8".parse().unwrap()] };
    wait(async {
        let fetcher = Fetcher::new(settings.clone()).unwrap();
        let told = async |url: &str| -> Result<Vec<String>, &'static str> {
            let answer = fetcher.lookup(&url.parse().unwrap()).await.map_err(|failure| failure.code())?;
            Ok(answer.addresses.iter().map(|found| found.address.to_string()).collect())
        };
        let local = || Ok(vec!["127.0.0.1".to_owned()]);
        assert_eq!(told(&site.url("/about")).await, local());
        assert_eq!(told("http://127.0.0.1/").await, local());
        assert_eq!(told("http://10.0.0.1/").await, Err("address-refused"));
        assert_eq!(told("http://nowhere.varve.test/").await, Err("dns-no-such-name"));
        assert_eq!(told("data:,x").await, Err("bad-url"));
        let exchange = fetcher.fetch(request(&site.url("/about"))).await;
        assert_eq!(exchange.status(), Some(200));
    });
    assert_eq!(server.asked("www.varve.test", Kind::A), 1);
    settings.proxies = fetch::Proxies::all("http://127.0.0.1:1".parse().unwrap());
    wait(async {
        let fetcher = Fetcher::new(settings).unwrap();
        let answer = fetcher.lookup(&site.url("/about").parse().unwrap()).await.unwrap();
        assert_eq!(answer.addresses, []);
    });
}
