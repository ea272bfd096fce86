//! Encryption: what is wrong with a certificate is kept as a fact; what is wrong with a handshake is an outcome.

use std::io::Read as _;

use fetch::{Fetcher, Settings};
use testkit::misbehave::Misbehave;
use testkit::server::{Place, Server};
use testkit::site::Site;
use testkit::tls::{Authority, Fault, FaultyHandshake, faulty};

use crate::expected::{EXPECTED, Expected};
use crate::fetcher::{bytes, fetch, get, hasty, request, settings, wait, with_hosts};
use crate::misbehaviour::{settings_of, wrong_outcome};

const HOST: &str = "www.varve.test";

/// Settings that trust this authority alone and find the host at this site.
fn trusting(authority: &Authority, site: &Site) -> Settings {
    let mut settings = with_hosts(settings(), &[HOST], site.address());
    settings.tls.extra_roots = vec![authority.certificate()];
    settings.tls.without_system_roots = true;
    settings
}

fn verdict(fault: Fault) -> &'static str {
    match fault {
        Fault::None => "valid",
        Fault::Expired => "expired",
        Fault::NotYetValid => "not-valid-yet",
        Fault::WrongName => "wrong-name",
        Fault::SelfSigned => "self-signed",
        Fault::UnknownIssuer => "unknown-issuer",
    }
}

#[test]
fn a_bad_certificate_is_a_fact_and_the_page_is_kept() {
    let authority = Authority::new();
    for fault in Fault::ALL {
        let site = Site::start_at(&Place::tls(authority.server(&[HOST], fault)));
        let exchange = get(trusting(&authority, &site), "https://www.varve.test/about");
        assert!(exchange.outcome.is_complete(), "{fault:?}: {}", exchange.outcome);
        assert_eq!(bytes(&exchange), site.last("/about").reply, "{fault:?}");
        let facts = exchange.tls.unwrap();
        assert_eq!(facts.certificate.code(), verdict(fault), "{fault:?}");
        assert_eq!((facts.version, facts.alpn.as_deref()), ("tls/1.3", Some("http/1.1")), "{fault:?}");
        assert!(facts.cipher.starts_with("TLS_"), "{fault:?}: {}", facts.cipher);
        assert_eq!(facts.chain.len(), 1, "{fault:?}");
    }
}

#[test]
fn a_bad_certificate_has_a_record_and_a_good_one_none() {
    let authority = Authority::new();
    let ids = fetch::Ids { request: "urn:a", response: "urn:b", warcinfo: None };
    for (fault, says) in [(Fault::None, None), (Fault::SelfSigned, Some("certificate: self-signed\r\n"))] {
        let site = Site::start_at(&Place::tls(authority.server(&[HOST], fault)));
        let exchange = get(trusting(&authority, &site), "https://www.varve.test/about");
        let record = exchange.certificate_record("urn:c", ids);
        let text = record.map(|mut record| {
            let mut text = String::new();
            record.block.read_to_string(&mut text).unwrap();
            assert_eq!(record.length, text.len() as u64);
            assert_eq!(record.draft.get(warc::Name::ConcurrentTo).as_deref(), Some("<urn:b>"));
            text
        });
        assert_eq!(text.is_some(), says.is_some(), "{fault:?}");
        assert!(text.is_none_or(|text| text.starts_with(says.unwrap_or_default())), "{fault:?}");
    }
}

#[test]
fn a_bad_certificate_is_refused_where_the_settings_say_so() {
    let authority = Authority::new();
    for fault in Fault::ALL {
        let site = Site::start_at(&Place::tls(authority.server(&[HOST], fault)));
        let mut settings = trusting(&authority, &site);
        settings.tls.refuse_invalid = true;
        let code = get(settings, "https://www.varve.test/about").outcome.code();
        let expected = if fault == Fault::None { "complete" } else { "tls-certificate" };
        assert_eq!(code, expected, "{fault:?}");
        // Nothing was said to somebody who is not who they say.
        assert_eq!(site.seen().is_empty(), fault != Fault::None, "{fault:?}");
    }
}

#[test]
fn tls_1_2_is_spoken_too() {
    let authority = Authority::new();
    let config = authority.server_of(&[HOST], Fault::None, &[&rustls::version::TLS12]);
    let site = Site::start_at(&Place::tls(config));
    let facts = get(trusting(&authority, &site), "https://www.varve.test/").tls.unwrap();
    assert_eq!((facts.version, facts.certificate.code()), ("tls/1.2", "valid"));
}

#[test]
fn encrypted_connections_are_kept_and_used_again() {
    let authority = Authority::new();
    let site = Site::start_at(&Place::tls(authority.server(&[HOST], Fault::None)));
    wait(async {
        let fetcher = Fetcher::new(trusting(&authority, &site)).unwrap();
        for path in ["/", "/about", "/coded/gzip-chunked"] {
            let exchange = fetcher.fetch(request(&format!("https://{HOST}{path}"))).await;
            assert_eq!(bytes(&exchange), site.last(path).reply, "{path}");
            assert_eq!(exchange.tls.unwrap().certificate.code(), "valid", "{path}");
        }
    });
    assert_eq!(site.connections(), 1);
}

#[test]
fn a_certificate_may_be_for_an_address() {
    let authority = Authority::new();
    let site = Site::start_at(&Place::tls(authority.server(&["127.0.0.1"], Fault::None)));
    let exchange = get(trusting(&authority, &site), &format!("https://{}/about", site.address()));
    assert_eq!(exchange.tls.unwrap().certificate.code(), "valid");
}

#[test]
fn each_faulty_handshake_has_its_outcome() {
    for how in FaultyHandshake::ALL {
        let server = faulty(how);
        let url = server.url("/").replace("http:", "https:");
        // Only silence is ended by time.
        let settings = if how == FaultyHandshake::Silence { hasty() } else { settings() };
        let code = get(settings, &url).outcome.code();
        let expected: &[&str] = match how {
            FaultyHandshake::OldAlert
            | FaultyHandshake::OldAlert11
            | FaultyHandshake::OldHello
            | FaultyHandshake::Ssl3Hello => &["tls-old"],
            FaultyHandshake::Failure | FaultyHandshake::Close => &["tls-failed"],
            FaultyHandshake::PlainHttp | FaultyHandshake::Garbage => &["tls-none"],
            FaultyHandshake::Reset => &["connect-reset", "tls-failed"],
            FaultyHandshake::Silence => &["tls-timeout"],
        };
        assert!(expected.contains(&code), "{how:?}: {code}");
    }
}

#[test]
fn misbehaviour_is_the_same_behind_tls() {
    let authority = Authority::new();
    let server = Misbehave::start_at(&Place::tls(authority.server(&["127.0.0.1"], Fault::None)));
    // Those that misbehave before there is a request do it within the handshake here; and time is the same everywhere.
    let is_same =
        |row: &&Expected| !row.0.ends_with("-accept") && !row.1.contains("time") && !row.1.contains("idle");
    let mut wrong = Vec::new();
    for row in EXPECTED.iter().filter(is_same) {
        let url = server.url(row.0).replace("http:", "https:");
        let mut settings = settings_of(row);
        // Reading the system's certificates for each row would take longer than all the rest.
        settings.tls.without_system_roots = true;
        let exchange = fetch(settings, request(&url));
        wrong.extend(wrong_outcome(row, &exchange));
        let verdict = exchange.tls.as_ref().map(|facts| facts.certificate.code());
        if verdict != Some("unknown-issuer") {
            wrong.push(format!("{}: {verdict:?}", row.0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_end_without_goodbye_is_told() {
    let authority = Authority::new();
    let place = Place::tls(authority.server(&["127.0.0.1"], Fault::None));
    let server = Server::start(&place, |wire| {
        wire.request()?;
        wire.send(b"HTTP/1.1 200 OK\r\n\r\ncut off?")?;
        wire.tcp().shutdown(std::net::Shutdown::Write)
    });
    let exchange = get(settings(), &server.url("/").replace("http:", "https:"));
    // Without a length nobody can tell whether that was all: the page is kept, and the doubt with it.
    assert!(bytes(&exchange).ends_with(b"cut off?"));
    assert!(exchange.oddities.contains(&fetch::http1::Oddity::NoCloseNotify), "{:?}", exchange.oddities);
}
