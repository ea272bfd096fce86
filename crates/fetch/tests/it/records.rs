//! What goes into the archive: records whose block is the wire's bytes, and that say where they break off.

use std::io::Read as _;

use fetch::{Exchange, Ids};
use testkit::dns::{NameServer, Zone};
use testkit::misbehave::Misbehave;
use testkit::server::Place;
use testkit::site::{PAGES, Site};
use testkit::tls::{Authority, Fault};
use warc::{Algorithm, Encoding, Name, Options, Reader, Truncated, Writer};

use crate::expected::EXPECTED;
use crate::fetcher::{bytes, fetch, get, settings, settings_for};
use crate::misbehaviour::{request_of, settings_of};
use crate::names::asking;

const IDS: Ids<'static> = Ids { request: "urn:uuid:1", response: "urn:uuid:2", warcinfo: Some("urn:uuid:0") };

/// A file with the records of an exchange.
fn written(exchange: &Exchange) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    for record in [exchange.request_record(IDS), exchange.response_record(IDS)].into_iter().flatten() {
        writer.write_from(&record.draft, record.length, record.block).unwrap();
    }
    writer.into_inner()
}

/// Type, `WARC-Truncated` and block of every record; that reading complains of nothing is part of it.
#[track_caller]
fn read_back(file: &[u8], what: &str) -> Vec<(String, Option<Truncated>, Vec<u8>)> {
    let options = Options { verify: true, ..Options::default() };
    let mut reader = Reader::new(file, options).unwrap();
    let mut records = Vec::new();
    while let Some(mut record) = reader.next_record().unwrap_or_else(|error| panic!("{what}: {error}")) {
        let kind = record.head().record_type().name().to_owned();
        let truncated = record.head().truncated();
        let mut block = Vec::new();
        record.read_to_end(&mut block).unwrap();
        let (_, faults) = record.finish_with_faults().unwrap();
        assert!(faults.is_empty(), "{what}: {faults:?}");
        records.push((kind, truncated, block));
    }
    records
}

#[test]
fn what_arrived_of_any_misbehaviour_is_a_sound_record() {
    let server = Misbehave::start();
    for row in EXPECTED {
        let mut settings = settings_of(row);
        settings.digests.block = vec![Algorithm::Sha256];
        settings.digests.entity = vec![Algorithm::Sha1];
        let exchange = fetch(settings, request_of(row.0, &server.url(row.0)));
        let records = read_back(&written(&exchange), row.0);
        let kept = bytes(&exchange);
        let expected = [&exchange.request[..], &kept].into_iter().filter(|block| !block.is_empty()).count();
        assert_eq!(records.len(), expected, "{}", row.0);
        let Some((kind, _, block)) = records.first() else { continue };
        assert_eq!((kind.as_str(), &block[..]), ("request", &exchange.request[..]), "{}", row.0);
        let Some((kind, truncated, block)) = records.get(1) else { continue };
        assert_eq!(kind, "response", "{}", row.0);
        assert!(*block == kept, "{}", row.0);
        let expected = match exchange.outcome.code() {
            "complete" => None,
            "truncated-length" | "head-too-long" => Some(Truncated::Length),
            "truncated-time" | "truncated-idle" | "head-timeout" => Some(Truncated::Time),
            "truncated-disconnect" | "truncated-reset" | "reset" | "early-close" => {
                Some(Truncated::Disconnect)
            }
            _ => Some(Truncated::Unspecified),
        };
        assert_eq!(*truncated, expected, "{}", row.0);
    }
}

#[test]
fn every_ordinary_page_is_a_sound_record() {
    let site = Site::start();
    for page in PAGES {
        let mut settings = settings_for(&site);
        settings.digests.block = vec![Algorithm::Sha1];
        let exchange = get(settings, &site.url(page.path));
        let records = read_back(&written(&exchange), page.path);
        assert_eq!(records[1].1, None, "{}", page.path);
        assert!(records[1].2 == site.last(page.path).reply, "{}", page.path);
    }
}

#[test]
fn a_record_says_from_where_and_how_it_came() {
    let authority = Authority::new();
    let site = Site::start_at(&Place::tls(authority.server(&["127.0.0.1"], Fault::None)));
    let exchange = get(settings(), &format!("https://me:secret@{}/about#part", site.address()));
    let response = exchange.response_record(IDS).unwrap().draft;
    let field = |name: Name| response.get(name).unwrap_or_default().into_owned();
    assert_eq!(field(Name::TargetUri), format!("https://{}/about", site.address()));
    assert_eq!(field(Name::IpAddress), "127.0.0.1");
    assert_eq!(field(Name::ConcurrentTo), "<urn:uuid:1>");
    assert_eq!(field(Name::Protocol), "http/1.1");
    assert!(field(Name::CipherSuite).starts_with("TLS_"), "{}", field(Name::CipherSuite));
    let request = exchange.request_record(IDS).unwrap().draft;
    assert_eq!(request.get(Name::ConcurrentTo).unwrap(), "<urn:uuid:2>");
}

#[test]
fn a_lookup_is_a_record_of_its_own() {
    let site = Site::start();
    let server = NameServer::start(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1"]));
    let answer = get(asking(&server), &site.url("/about")).dns.unwrap();
    let mut record = answer.record("urn:uuid:3", None);
    assert_eq!(record.draft.get(Name::TargetUri).unwrap(), "dns:www.varve.test");
    assert_eq!(record.draft.get(Name::IpAddress).unwrap(), "127.0.0.1");
    let mut text = String::new();
    record.block.read_to_string(&mut text).unwrap();
    assert_eq!(text, "20261116080000\nwww.varve.test.\t300\tIN\tA\t127.0.0.1\n");
}

#[test]
fn what_never_came_is_no_record() {
    let exchange = get(settings(), "http://169.254.169.254/");
    assert!(exchange.request_record(IDS).is_none() && exchange.response_record(IDS).is_none());
}
