//! Each time limit by itself: it ends what it is for, and the others do not.

use std::time::{Duration, Instant};

use fetch::Settings;
use testkit::misbehave::Misbehave;
use testkit::server::DeadEnd;

use crate::fetcher::{bytes, get, settings};
use crate::misbehaviour::{DRIP_MS, DRIPS_MAX};

const SHORT: Duration = Duration::from_millis(150);

/// Generous but for one time.
fn only(set: fn(&mut fetch::Timeouts)) -> Settings {
    let mut settings = settings();
    set(&mut settings.timeouts);
    settings
}

#[track_caller]
fn check(url: &str, settings: Settings, code: &str) -> fetch::Exchange {
    let start = Instant::now();
    let exchange = get(settings, url);
    assert_eq!(exchange.outcome.code(), code, "{url}");
    // The other times are twenty seconds: none of them was waited for.
    assert!(start.elapsed() < Duration::from_secs(10), "{url} took {:?}", start.elapsed());
    exchange
}

#[test]
fn a_connection_that_is_never_made_is_given_up() {
    let end = DeadEnd::at("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/", end.address());
    check(&url, only(|times| times.connect = SHORT), "connect-timeout");
}

#[test]
fn a_first_byte_that_never_comes_is_given_up() {
    let server = Misbehave::start();
    check(&server.url("silence"), only(|times| times.first_byte = SHORT), "first-byte-timeout");
}

#[test]
fn d7_a_pause_that_is_too_long_is_given_up() {
    let server = Misbehave::start();
    let exchange = check(&server.url("silence-in-body"), only(|times| times.idle = SHORT), "truncated-idle");
    assert!(bytes(&exchange).ends_with(b"hello"));
}

#[test]
fn d7_whatever_drips_is_given_up_in_the_end() {
    let server = Misbehave::start();
    let whole = || only(|times| times.whole = DRIPS_MAX);
    let url = |name: &str| format!("{}?ms={DRIP_MS}", server.url(name));
    let body = check(&url("slow-body"), whole(), "truncated-time");
    assert!(bytes(&body).ends_with(b"zz"));
    check(&url("slow-head"), whole(), "truncated-time");
    check(&server.url("silence"), only(|times| times.whole = SHORT * 2), "head-timeout");
}

#[test]
fn whoever_never_stops_sending_is_given_up_too() {
    let server = Misbehave::start();
    let whole = || only(|times| times.whole = SHORT * 2);
    check(&server.url("endless-body"), whole(), "truncated-time");
    check(&server.url("endless-body-with-length"), whole(), "truncated-time");
}

#[test]
fn a_slow_server_that_keeps_within_the_times_is_heard_out() {
    let server = Misbehave::start();
    // Each pause is far below the idle time; the whole takes longer than that.
    let exchange =
        check(&format!("{}?ms=2", server.url("slow-head")), only(|times| times.idle = SHORT), "complete");
    assert!(exchange.times.first_byte <= Some(exchange.times.total));
}

#[test]
fn a_port_where_nothing_listens_refuses() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    check(&format!("http://{free}/"), settings(), "connect-refused");
}
