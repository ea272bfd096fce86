//! Addresses that must not be asked: spelled in every way, by name, by redirect, by override. (Issue 3, acceptance 4.)

use fetch::{AddressKind as Kind, Allowed, Exchange, Failure, Network, Outcome, Settings};
use testkit::dns::{NameServer, Zone};
use testkit::misbehave::Misbehave;
use testkit::site::Site;

use crate::fetcher::{follow, get, request, settings, with_hosts};
use crate::names::asking;

/// An address, and what it is. One of each range and the last of the larger ones.
const REFUSED: &[(&str, Kind)] = &[
    ("0.0.0.0", Kind::Unspecified),
    ("0.255.255.255", Kind::Unspecified),
    ("127.0.0.1", Kind::Loopback),
    ("127.255.255.254", Kind::Loopback),
    ("10.0.0.1", Kind::Private),
    ("10.255.255.255", Kind::Private),
    ("172.16.0.1", Kind::Private),
    ("172.31.255.255", Kind::Private),
    ("192.168.0.1", Kind::Private),
    ("192.168.255.255", Kind::Private),
    ("100.64.0.1", Kind::Shared),
    ("100.127.255.255", Kind::Shared),
    ("169.254.0.1", Kind::LinkLocal),
    ("169.254.169.254", Kind::Metadata),
    ("100.100.100.200", Kind::Metadata),
    ("192.0.0.1", Kind::Protocol),
    ("192.0.2.1", Kind::Documentation),
    ("198.51.100.1", Kind::Documentation),
    ("203.0.113.1", Kind::Documentation),
    ("198.18.0.1", Kind::Benchmarking),
    ("198.19.255.255", Kind::Benchmarking),
    ("224.0.0.1", Kind::Multicast),
    ("239.255.255.255", Kind::Multicast),
    ("240.0.0.1", Kind::Reserved),
    ("255.255.255.255", Kind::Broadcast),
    ("::", Kind::Unspecified),
    ("::1", Kind::Loopback),
    ("fe80::1", Kind::LinkLocal),
    ("febf::1", Kind::LinkLocal),
    ("fec0::1", Kind::SiteLocal),
    ("fc00::1", Kind::UniqueLocal),
    ("fdff::1", Kind::UniqueLocal),
    ("fd00:ec2::254", Kind::Metadata),
    ("2001:db8::1", Kind::Documentation),
    ("2001:2::1", Kind::Benchmarking),
    ("ff02::1", Kind::Multicast),
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo (whose client's address is turned over).
    ("::ffff:127.0.0.1", Kind::Loopback),
    ("::ffff:10.0.0.1", Kind::Private),
    ("::ffff:169.254.169.254", Kind::Metadata),
    ("::127.0.0.1", Kind::Loopback),
    ("::10.0.0.1", Kind::Private),
    ("::ffff:0:127.0.0.1", Kind::Loopback),
    ("64:ff9b::127.0.0.1", Kind::Loopback),
    ("64:ff9b::169.254.169.254", Kind::Metadata),
    ("64:ff9b::192.168.1.1", Kind::Private),
    ("64:ff9b:1::10.0.0.1", Kind::Private),
    ("2002:7f00:1::", Kind::Loopback),
    ("2002:a00:1::1", Kind::Private),
    ("2002:a9fe:a9fe::", Kind::Metadata),
    ("2001:0:4136:e378:8000:63bf:80ff:fffe", Kind::Loopback),
];

/// Hosts as a URL may spell them; all of them are this machine, or a network's own.
const SPELLINGS: &[&str] = &[
    "2130706433",
    "0x7f000001",
    "0x7F.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "0",
    "0x0",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "0x0a000001",
    "167772161",
    "012.1",
    "192.168.257",
    "2852039166",
    "0xa9fea9fe",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "any.localhost",
];

/// Settings that allow what the usual ones allow: public addresses.
fn strict(mut settings: Settings) -> Settings {
    settings.allowed = Allowed::default();
    settings
}

#[track_caller]
fn check_refused(exchange: &Exchange, kind: Option<Kind>, what: &str) {
    let Outcome::Failed(Failure::AddressRefused(found)) = &exchange.outcome else {
        panic!("{what}: {}", exchange.outcome);
    };
    assert!(kind.is_none_or(|kind| kind == *found), "{what}: {found:?}");
    assert!(exchange.response.is_empty() && exchange.request.is_empty(), "{what}");
}

/// The host of a URL for an address.
fn host_of(address: &str) -> String {
    if address.contains(':') { format!("[{address}]") } else { address.to_owned() }
}

#[test]
fn an_address_is_refused_however_it_is_reached() {
    let server = Misbehave::start();
    let mut only_server = settings();
    // The redirecting server itself may be asked; where it leads may not.
    only_server.allowed =
        Allowed { private: false, networks: vec![Network::single(server.server().address().ip())] };
    for (address, kind) in REFUSED {
        let url = format!("http://{}/", host_of(address));
        check_refused(&get(strict(settings()), &url), Some(*kind), &url);
        check_refused(&get(strict(settings()), &url.replace("http:", "https:")), Some(*kind), &url);
        check_refused(&get(strict(with_ip(address)), "http://www.varve.test/"), Some(*kind), address);
        // The server is at 127.0.0.1, so whatever means the same is allowed with it.
        if *kind != Kind::Loopback {
            let hops = follow(only_server.clone(), request(&format!("{}?{url}", server.url("to")))).exchanges;
            assert_eq!(hops.len(), 2, "{address}");
            check_refused(&hops[1], Some(*kind), address);
        }
    }
}

/// Settings with a host that an override leads to this address.
fn with_ip(address: &str) -> Settings {
    with_hosts(settings(), &["www.varve.test"], (address.parse::<std::net::IpAddr>().unwrap(), 80).into())
}

#[test]
fn an_address_is_refused_however_it_is_spelled() {
    for host in SPELLINGS {
        let url = format!("http://{host}/");
        check_refused(&get(strict(settings()), &url), None, &url);
    }
}

#[test]
fn a_name_that_leads_to_such_an_address_is_refused() {
    let zone = REFUSED.iter().zip(0..).fold(Zone::new(), |zone, ((address, _), number)| {
        zone.addresses(&format!("n{number}.varve.test"), 60, &[address])
    });
    let zone = zone.alias("alias.varve.test", 60, "n2.varve.test");
    let server = NameServer::start(zone);
    for ((address, kind), number) in REFUSED.iter().zip(0..) {
        let exchange = get(strict(asking(&server)), &format!("http://n{number}.varve.test/"));
        check_refused(&exchange, Some(*kind), address);
    }
    check_refused(&get(strict(asking(&server)), "http://alias.varve.test/"), Some(Kind::Loopback), "alias");
}

#[test]
fn nobody_listening_is_reached() {
    let site = Site::start();
    let port = site.address().port();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 60, &["127.0.0.1"]));
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "www.varve.test"] {
        let exchange = get(strict(asking(&server)), &format!("http://{host}:{port}/about"));
        check_refused(&exchange, Some(Kind::Loopback), host);
    }
    assert_eq!(site.connections(), 0);
}

#[test]
fn of_several_addresses_only_those_that_may_be_asked_are() {
    let site = Site::start();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 60, &["10.0.0.1", "127.0.0.1"]));
    let mut settings = asking(&server);
    settings.allowed = Allowed { private: false, networks: vec!["127.0.0.0/8".parse().unwrap()] };
    let exchange = get(settings, &site.url("/about"));
    assert_eq!((exchange.status(), exchange.peer), (Some(200), Some(site.address())));
}

#[test]
fn what_is_allowed_on_purpose_is_asked() {
    let site = Site::start();
    let url = format!("http://{}/about", site.address());
    let mut one = strict(settings());
    one.allowed.networks = vec!["127.0.0.1".parse().unwrap()];
    assert_eq!(get(one, &url).status(), Some(200));
    let mut other = strict(settings());
    other.allowed.networks = vec!["10.0.0.0/8".parse().unwrap()];
    check_refused(&get(other, &url), Some(Kind::Loopback), "another network");
    assert_eq!(get(settings(), &url).status(), Some(200));
}

#[test]
fn metadata_services_are_refused_even_where_private_addresses_are_allowed() {
    for address in ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254"] {
        let url = format!("http://{}/latest/meta-data/", host_of(address));
        check_refused(&get(settings(), &url), Some(Kind::Metadata), address);
    }
}

#[test]
fn an_answer_that_changes_does_not_slip_through() {
    // A name whose address was fine and is then another: each new connection is judged anew.
    let site = Site::start();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 0, &["127.0.0.2"]));
    let mut settings = asking(&server);
    settings.allowed = Allowed { private: false, networks: vec!["127.0.0.2".parse().unwrap()] };
    settings.dns.ttl_min = std::time::Duration::ZERO;
    crate::fetcher::wait(async {
        let fetcher = fetch::Fetcher::new(settings).unwrap();
        let first = fetcher.fetch(request(&site.url("/about"))).await;
        assert_eq!(first.outcome.code(), "connect-refused");
        server.change(|zone| zone.addresses("www.varve.test", 0, &["127.0.0.1"]));
        let second = fetcher.fetch(request(&site.url("/about"))).await;
        check_refused(&second, Some(Kind::Loopback), "rebound");
    });
    assert_eq!(site.connections(), 0);
}

#[test]
fn other_schemes_are_not_fetched() {
    for url in
        ["file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "data:,a", "javascript:1"]
    {
        assert_eq!(get(settings(), url).outcome.code(), "bad-url", "{url}");
    }
}
