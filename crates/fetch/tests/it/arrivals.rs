//! Reading a response while it arrives: readers see its bytes, all of them in the end, and never another's.

use std::time::Duration;

use fetch::{Arrivals, Fetcher, Proxies};
use testkit::proxy::{Proxy, Rules};
use testkit::server::{Place, Server};

use crate::fetcher::{bytes, request, settings, wait};

const HELLO: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A server that sends these pieces, each in a packet of its own, and then closes the connection or says nothing more.
fn sending(pieces: &'static [&'static [u8]], closes: bool) -> Server {
    Server::start(&Place::default(), move |wire| {
        wire.request()?;
        for piece in pieces {
            wire.send(piece)?;
            wire.pause(Duration::from_millis(20))?;
        }
        if closes { wire.finish() } else { wire.hang() }
    })
}

/// All that comes, in one.
async fn all(mut arrivals: Arrivals) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(piece) = arrivals.next().await.unwrap() {
        all.extend_from_slice(&piece);
    }
    all
}

#[track_caller]
fn check(pieces: &'static [&'static [u8]], expected: &[u8]) {
    let server = sending(pieces, true);
    wait(async {
        let arriving = Fetcher::new(settings()).unwrap().start(request(&server.url("/")));
        let seen = tokio::spawn(all(arriving.response().arrivals()));
        let exchange = arriving.finish().await;
        let seen = seen.await.unwrap();
        assert_eq!(seen.escape_ascii().to_string(), expected.escape_ascii().to_string());
        assert_eq!(seen, bytes(&exchange));
    });
}

#[test]
fn readers_see_the_response_and_nothing_before_or_behind_it() {
    check(&[HELLO], HELLO);
    check(&[b"HTTP/1.1 103 Early Hints\r\nLink: ", b"</a>\r\n\r\n", HELLO], HELLO);
    check(&[b"\r\n", b"\r\n", b"HTTP/1.1 200 OK\r\nContent-", b"Length: 5\r\n\r\nhello"], HELLO);
    check(&[b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", b"hel", b"lo and more", b"!"], HELLO);
    check(&[b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2", b"00 OK\r\nContent-Length: 5\r\n\r\nhello"], HELLO);
    check(&[b"<html>", b"a document"], b"<html>a document");
}

#[test]
fn a_long_interim_answer_does_not_get_into_the_file() {
    static LONG: [u8; 50_000] = [b'x'; 50_000];
    static PIECES: [&[u8]; 4] = [b"HTTP/1.1 103 Early\r\nX: ", &LONG, b"\r\n\r\n", HELLO];
    let server = sending(&PIECES, true);
    let mut settings = settings();
    settings.memory_per_response = 1000;
    let exchange = crate::fetcher::get(settings, &server.url("/"));
    assert_eq!(bytes(&exchange), HELLO);
}

#[test]
fn who_is_told_of_the_head_finds_it() {
    let server = sending(&[b"HTTP/1.1 200 OK\r\n\r\nhello"], false);
    wait(async {
        let mut arriving = Fetcher::new(settings()).unwrap().start(request(&server.url("/")));
        let head = arriving.head().await.unwrap();
        assert!(arriving.response().len() >= head.raw().len() as u64);
    });
}

#[test]
fn readers_of_an_exchange_that_is_dropped_come_to_an_end() {
    const PIECES: [&[&[u8]]; 3] = [&[], &[b"HTTP/1.1 20"], &[b"HTTP/1.1 200 OK\r\n\r\nhello"]];
    for pieces in PIECES {
        let server = sending(pieces, false);
        wait(async {
            let mut arriving = Fetcher::new(settings()).unwrap().start(request(&server.url("/")));
            let kept = arriving.response().clone();
            let seen = tokio::spawn(all(kept.arrivals()));
            if pieces.last().is_some_and(|last| last.ends_with(b"hello")) {
                arriving.head().await.unwrap();
            }
            drop(arriving);
            let seen = tokio::time::timeout(Duration::from_secs(10), seen).await.expect("it waits for ever");
            assert_eq!(seen.unwrap().len() as u64, kept.len());
        });
    }
}

#[test]
fn what_a_proxy_says_for_itself_is_not_shown() {
    let rules = Rules { credentials: Some(("me".into(), "secret".into())), ..Rules::default() };
    let proxy = Proxy::http(rules);
    let mut settings = settings();
    settings.proxies = Proxies::all(format!("http://{}", proxy.address()).parse().unwrap());
    wait(async {
        let arriving = Fetcher::new(settings).unwrap().start(request("http://www.varve.test/"));
        let seen = tokio::spawn(all(arriving.response().arrivals()));
        let exchange = arriving.finish().await;
        assert_eq!((exchange.outcome.code(), exchange.response.len()), ("proxy-failed", 0));
        assert_eq!(seen.await.unwrap(), b"");
    });
}

#[test]
fn a_response_that_spills_goes_to_the_folder_of_the_settings() {
    let site = testkit::site::Site::start();
    let get = |folder: &std::path::Path| {
        let mut settings = crate::fetcher::settings_for(&site);
        (settings.memory_per_response, settings.spill_folder) = (1000, Some(folder.to_owned()));
        crate::fetcher::get(settings, &site.url("/large"))
    };
    assert!(get(&std::env::temp_dir()).response.is_spilled());
    assert_eq!(get(std::path::Path::new("no such folder")).outcome.code(), "truncated-disk");
}
