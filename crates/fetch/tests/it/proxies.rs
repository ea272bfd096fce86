//! Proxies: HTTP and SOCKS5, with and without credentials, and what happens when they will not.

use fetch::{Proxies, Settings};
use testkit::proxy::{Passage, Proxy, Rules};
use testkit::server::Place;
use testkit::site::Site;
use testkit::tls::{Authority, Fault};

use crate::fetcher::{bytes, get, hasty, settings};

const HOST: &str = "www.varve.test";

fn through(proxy: &Proxy, scheme: &str) -> Settings {
    let mut settings = settings();
    settings.proxies = Proxies::all(format!("{scheme}{}", proxy.address()).parse().unwrap());
    settings
}

fn passage(method: &str, port: u16, passed: bool) -> Passage {
    Passage { method: method.into(), host: HOST.into(), port, passed }
}

#[test]
fn an_http_proxy_is_asked_for_whole_urls() {
    let site = Site::start();
    let proxy = Proxy::http(Rules::to(site.address(), &[HOST]));
    let exchange = get(through(&proxy, "http://"), "http://www.varve.test/about");
    assert_eq!(exchange.status(), Some(200));
    assert!(
        exchange.request.starts_with(b"GET http://www.varve.test/about HTTP/1.1\r\nHost: www.varve.test\r\n")
    );
    assert_eq!(bytes(&exchange), proxy.seen()[0].reply);
    assert_eq!(proxy.passages(), [passage("GET", 80, true)]);
    assert!(exchange.by_proxy);
    assert_eq!(exchange.peer, Some(proxy.address()));
}

#[test]
fn https_goes_through_a_tunnel() {
    let authority = Authority::new();
    let site = Site::start_at(&Place::tls(authority.server(&[HOST], Fault::None)));
    for (proxy, scheme, method) in [
        (Proxy::http(Rules::to(site.address(), &[HOST])), "http://", "CONNECT"),
        (Proxy::socks5(Rules::to(site.address(), &[HOST])), "socks5://", "SOCKS5"),
    ] {
        let mut settings = through(&proxy, scheme);
        settings.tls.extra_roots = vec![authority.certificate()];
        let exchange = get(settings, "https://www.varve.test/about");
        assert_eq!(exchange.outcome.code(), "complete", "{scheme}: {}", exchange.outcome);
        assert_eq!(bytes(&exchange), site.last("/about").reply, "{scheme}");
        assert!(exchange.request.starts_with(b"GET /about HTTP/1.1\r\n"), "{scheme}");
        assert_eq!(exchange.tls.unwrap().certificate.code(), "valid", "{scheme}");
        assert_eq!(proxy.passages(), [passage(method, 443, true)], "{scheme}");
    }
}

#[test]
fn a_socks_proxy_looks_names_up_itself() {
    let site = Site::start();
    let proxy = Proxy::socks5(Rules::to(site.address(), &[HOST]));
    let exchange = get(through(&proxy, "socks5://"), "http://www.varve.test/about");
    assert_eq!(bytes(&exchange), site.last("/about").reply);
    assert!(exchange.request.starts_with(b"GET /about HTTP/1.1\r\n"));
    assert_eq!(proxy.passages(), [passage("SOCKS5", 80, true)]);
}

#[test]
fn credentials_are_given_to_the_proxy_and_to_nobody_else() {
    let site = Site::start();
    let rules = || Rules {
        credentials: Some(("me".into(), "open sesame".into())),
        ..Rules::to(site.address(), &[HOST])
    };
    for (proxy, scheme) in [(Proxy::http(rules()), "http://"), (Proxy::socks5(rules()), "socks5://")] {
        let exchange =
            get(through(&proxy, &format!("{scheme}me:open%20sesame@")), "http://www.varve.test/about");
        assert_eq!(exchange.status(), Some(200), "{scheme}: {}", exchange.outcome);
        assert_eq!(site.last("/about").fields("proxy-authorization").len(), 0, "{scheme}");
        // Nor does the archive have them.
        let ids = fetch::Ids { request: "urn:a", response: "urn:b", warcinfo: None };
        let mut record = String::new();
        std::io::Read::read_to_string(&mut exchange.request_record(ids).unwrap().block, &mut record).unwrap();
        assert!(!record.to_lowercase().contains("proxy-authorization"), "{scheme}: {record}");
        let wrong = get(through(&proxy, &format!("{scheme}me:wrong@")), "http://www.varve.test/about");
        assert_eq!(wrong.outcome.code(), "proxy-failed", "{scheme}: {}", wrong.outcome);
        assert!(wrong.response.is_empty(), "{scheme}: a proxy's words are no page");
        assert!(!proxy.passages().last().is_some_and(|last| last.passed) || scheme == "socks5://");
    }
}

#[test]
fn what_a_proxy_will_not_do_is_an_outcome_of_its_own() {
    let site = Site::start();
    let refusing = || Rules { refuses: true, ..Rules::to(site.address(), &[HOST]) };
    for (proxy, scheme, url) in [
        (Proxy::http(refusing()), "http://", "https://www.varve.test/"),
        (Proxy::http(Rules::default()), "http://", "https://www.varve.test/"),
        (Proxy::socks5(refusing()), "socks5://", "http://www.varve.test/"),
        (Proxy::socks5(Rules::default()), "socks5://", "http://www.varve.test/"),
    ] {
        let exchange = get(through(&proxy, scheme), url);
        assert_eq!(exchange.outcome.code(), "proxy-failed", "{scheme}: {}", exchange.outcome);
        assert!(exchange.response.is_empty(), "{scheme}: a proxy's words are no page");
    }
    assert_eq!(site.connections(), 0);
}

#[test]
fn a_proxy_that_is_not_there_is_an_outcome_of_its_own() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for scheme in ["http://", "socks5://"] {
        let mut settings = settings();
        settings.proxies = Proxies::all(format!("{scheme}{free}").parse().unwrap());
        assert_eq!(get(settings, "http://www.varve.test/").outcome.code(), "proxy-failed", "{scheme}");
    }
}

#[test]
fn a_proxy_that_is_silent_is_given_up() {
    let server = testkit::server::Server::start(&Place::default(), testkit::server::Wire::hang);
    for (scheme, url) in [("http://", "https://www.varve.test/"), ("socks5://", "http://www.varve.test/")] {
        let mut settings = hasty();
        settings.proxies = Proxies::all(format!("{scheme}{}", server.address()).parse().unwrap());
        let code = get(settings, url).outcome.code();
        assert!(["proxy-failed", "connect-timeout"].contains(&code), "{scheme}: {code}");
    }
}

#[test]
fn exceptions_go_past_the_proxy() {
    let site = Site::start();
    let proxy = Proxy::http(Rules::default());
    let mut settings = through(&proxy, "http://");
    settings.proxies.except = vec!["127.0.0.0/8".parse().unwrap()];
    let exchange = get(settings, &format!("http://{}/about", site.address()));
    assert_eq!(exchange.status(), Some(200));
    assert!(!exchange.by_proxy);
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn an_address_that_must_not_be_asked_is_not_asked_through_a_proxy_either() {
    let site = Site::start();
    for (proxy, scheme) in [
        (Proxy::http(Rules::to(site.address(), &["10.0.0.1"])), "http://"),
        (Proxy::socks5(Rules::to(site.address(), &["10.0.0.1"])), "socks5://"),
    ] {
        let mut settings = through(&proxy, scheme);
        settings.allowed = fetch::Allowed::default();
        for host in ["10.0.0.1", "0x0a000001", "[::ffff:10.0.0.1]", "localhost", "localhost.", "a.localhost"]
        {
            let exchange = get(settings.clone(), &format!("http://{host}/"));
            assert_eq!(exchange.outcome.code(), "address-refused", "{scheme}{host}");
        }
        assert_eq!(proxy.connections(), 0, "{scheme}");
    }
}

/// Its own address is judged, after its name was looked up.
#[test]
fn a_proxy_in_a_private_network_is_refused_unless_it_is_allowed() {
    let site = Site::start();
    for (proxy, scheme) in [
        (Proxy::http(Rules::to(site.address(), &[HOST])), "http://"),
        (Proxy::socks5(Rules::to(site.address(), &[HOST])), "socks5://"),
    ] {
        for host in ["127.0.0.1", "localhost"] {
            let mut settings = settings();
            settings.allowed = fetch::Allowed::default();
            let named = format!("{scheme}{host}:{}", proxy.address().port());
            settings.proxies = Proxies::all(named.parse().unwrap());
            let before = proxy.connections();
            let exchange = get(settings.clone(), "http://www.varve.test/about");
            assert_eq!(exchange.outcome.code(), "proxy-refused", "{named}: {}", exchange.outcome);
            assert!(exchange.outcome.to_string().contains("--allow-private-proxy"), "{}", exchange.outcome);
            assert_eq!(proxy.connections(), before, "{named}");
            settings.proxy_allowed = fetch::Allowed::private();
            let exchange = get(settings.clone(), "http://www.varve.test/about");
            assert_eq!(exchange.status(), Some(200), "{named}: {}", exchange.outcome);
            // Whoever allows the proxy does not allow what lies behind it.
            let exchange = get(settings, "http://10.0.0.1/");
            assert_eq!(exchange.outcome.code(), "address-refused", "{named}");
        }
    }
}
