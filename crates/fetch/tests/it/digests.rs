//! Digests that are computed while a response arrives are those of what was kept.

use std::io::Read as _;

use fetch::{Exchange, Settings};
use testkit::misbehave::Misbehave;
use testkit::site::{PAGES, Site};
use warc::{Algorithm, Digest};

use crate::expected::EXPECTED;
use crate::fetcher::{bytes, fetch, get, settings_for};
use crate::misbehaviour::{request_of, settings_of};

const BOTH: [Algorithm; 2] = [Algorithm::Sha256, Algorithm::Sha1];

fn all(mut settings: Settings) -> Settings {
    settings.digests.payload = BOTH.into();
    settings.digests.entity = BOTH.into();
    settings.digests.block = BOTH.into();
    settings
}

/// What is wrong with the digests of an exchange, if anything. Where there is no payload there may be none of it.
fn wrong(exchange: &Exchange, name: &str) -> Option<String> {
    let of = |bytes: &[u8]| BOTH.map(|algorithm| Digest::of(algorithm, bytes)).to_vec();
    let read = |mut source: Box<dyn std::io::Read>| {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let digests = &exchange.digests;
    let is_block = digests.block == of(&bytes(exchange));
    let is_payload = digests.payload.is_empty() || digests.payload == of(&read(Box::new(exchange.body())));
    let is_entity = digests.entity.is_empty() || digests.entity == of(&read(Box::new(exchange.entity())));
    let has_payload = !digests.payload.is_empty() || exchange.head.is_none();
    let is_right = (is_block || exchange.response.is_empty()) && is_payload && is_entity && has_payload;
    (!is_right).then(|| format!("{name}: block {is_block}, payload {is_payload}, entity {is_entity}"))
}

#[test]
fn of_every_ordinary_page() {
    let site = Site::start();
    for page in PAGES {
        let exchange = get(all(settings_for(&site)), &site.url(page.path));
        assert_eq!(wrong(&exchange, page.path), None);
    }
}

#[test]
fn of_a_body_that_went_to_disk() {
    let site = Site::start();
    let mut settings = all(settings_for(&site));
    settings.memory_per_response = 10_000;
    for path in ["/large?bytes=3000000", "/coded/gzip-chunked", "/large?bytes=10001"] {
        let exchange = get(settings.clone(), &site.url(path));
        assert_eq!(wrong(&exchange, path), None);
    }
}

#[test]
fn of_whatever_arrived_from_a_server_that_misbehaves() {
    let server = Misbehave::start();
    // Time says nothing new about digests.
    let rows = EXPECTED.iter().filter(|row| !row.1.contains("time") && !row.1.contains("idle"));
    let wrong: Vec<String> = rows
        .filter_map(|row| {
            let exchange = fetch(all(settings_of(row)), request_of(row.0, &server.url(row.0)));
            wrong(&exchange, row.0)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
