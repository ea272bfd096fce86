//! Connections that are kept: used again when that is safe, and never believed twice.

use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use fetch::http1::Oddity;
use fetch::{Exchange, Fetcher, Request, Settings};
use testkit::misbehave::Misbehave;
use testkit::server::{Place, Server, reply};
use testkit::site::Site;

use crate::fetcher::{bytes, fetch, request, settings, settings_for, wait};

/// The same request twice with one fetcher.
fn twice(settings: Settings, request: &Request) -> [Exchange; 2] {
    wait(async {
        let fetcher = Fetcher::new(settings).unwrap();
        [fetcher.fetch(request.clone()).await, fetcher.fetch(request.clone()).await]
    })
}

#[track_caller]
fn check(server: &Misbehave, name: &str, connections: usize) -> [Exchange; 2] {
    let exchanges = twice(settings(), &request(&server.url(name)));
    for exchange in &exchanges {
        assert_eq!((exchange.outcome.code(), exchange.status()), ("complete", Some(200)), "{name}");
        assert!(bytes(exchange).ends_with(b"hello"), "{name}");
    }
    assert_eq!(server.server().connections(), connections, "{name}");
    exchanges
}

#[test]
fn a_sound_connection_is_used_again() {
    check(&Misbehave::start(), "no-reason-phrase", 1);
}

#[test]
fn one_that_closed_meanwhile_is_not() {
    check(&Misbehave::start(), "stale-closed", 2);
}

#[test]
fn one_that_closes_on_use_is_replaced_and_that_is_told() {
    let [first, second] = check(&Misbehave::start(), "stale-on-use", 2);
    assert!(!first.oddities.contains(&Oddity::Retried));
    assert!(second.oddities.contains(&Oddity::Retried));
}

#[test]
fn what_changes_something_is_not_sent_twice() {
    let server = Misbehave::start();
    let post = Request::new("POST", server.url("stale-on-use").parse().unwrap()).body("a=1");
    let [first, second] = twice(settings(), &post);
    assert_eq!((first.outcome.code(), second.outcome.code()), ("complete", "empty-reply"));
    assert_eq!(server.server().seen().len(), 2);
}

#[test]
fn one_with_more_in_it_than_was_asked_for_is_not_used_again() {
    for name in ["second-reply", "trailing-garbage", "length-too-short", "chunk-trailing-garbage"] {
        let server = Misbehave::start();
        let [first, second] = twice(settings(), &request(&server.url(name)));
        assert_eq!(bytes(&first), bytes(&second), "{name}");
        assert!(
            first.oddities.iter().any(|odd| matches!(odd, Oddity::Surplus(_))),
            "{name}: {:?}",
            first.oddities
        );
        assert_eq!(server.server().connections(), 2, "{name}");
    }
}

#[test]
fn one_that_is_to_be_closed_is_not_used_again() {
    check(&Misbehave::start(), "keep-alive-lie", 2);
    check(&Misbehave::start(), "http10", 2);
}

#[test]
fn http_1_0_can_keep_a_connection_too() {
    let site = Site::start();
    let server = Server::answering(&Place::default(), |wire, _| {
        wire.send(b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\nhello")?;
        Ok(true)
    });
    twice(settings(), &request(&server.url("/")));
    assert_eq!(server.connections(), 1);
    // A server that says so and closes is believed only once.
    twice(settings_for(&site), &request(&site.url("/http10-keep-alive")));
    assert_eq!(site.connections(), 2);
}

#[test]
fn a_reply_that_comes_while_nobody_asks_is_nobodys() {
    let (sent, when_sent) = channel();
    let sent = Mutex::new(sent);
    let server = Server::start(&Place::default(), move |wire| {
        wire.request()?;
        wire.send(&reply("200 OK", &[], b"first"))?;
        if wire.number() == 0 {
            // The client has its answer and keeps the connection. Then comes one more.
            wire.pause(Duration::from_millis(50))?;
            wire.send(&reply("200 OK", &[], b"evil"))?;
            sent.lock().unwrap().send(()).unwrap();
        }
        wire.hang()
    });
    let url = server.url("/");
    wait(async {
        let fetcher = Fetcher::new(settings()).unwrap();
        assert!(bytes(&fetcher.fetch(request(&url)).await).ends_with(b"first"));
        // The runtime has time to notice, as it has between two requests of a polite crawler.
        tokio::task::spawn_blocking(move || when_sent.recv().unwrap()).await.unwrap();
        let second = fetcher.fetch(request(&url)).await;
        assert!(bytes(&second).ends_with(b"first"), "{}", bytes(&second).escape_ascii());
        assert!(!second.is_reused);
    });
}

#[test]
fn only_so_many_are_kept() {
    let site = Site::start();
    let mut settings = settings_for(&site);
    settings.pool.per_host = 2;
    wait(async {
        let fetcher = Fetcher::new(settings).unwrap();
        for round in 1..=3 {
            let many: Vec<_> = (0..5)
                .map(|_| {
                    let (fetcher, request) = (fetcher.clone(), request(&site.url("/large?bytes=300000")));
                    tokio::spawn(async move { fetcher.fetch(request).await })
                })
                .collect();
            let mut reused = 0;
            for exchange in many {
                reused += usize::from(exchange.await.unwrap().is_reused);
            }
            assert!(round == 1 || reused <= 2, "{reused} in round {round}");
        }
    });
}

#[test]
fn an_exchange_that_is_given_up_leaves_no_connection_behind() {
    let server = Misbehave::start();
    let site = Site::start();
    wait(async {
        let fetcher = Fetcher::new(settings_for(&site)).unwrap();
        let mut started = fetcher.start(request(&server.url("slow-body")));
        assert!(started.head().await.is_some());
        drop(started);
        let next = fetcher.fetch(request(&server.url("no-reason-phrase"))).await;
        assert!(!next.is_reused && next.outcome.is_complete());
    });
}

#[test]
fn a_server_may_answer_before_it_has_read_everything() {
    let server = Server::start(&Place::default(), |wire| {
        wire.read(&mut [0; 100])?;
        wire.send(&reply("413 Content Too Large", &[], b"enough"))?;
        wire.hang()
    });
    // More than any buffer on the way holds.
    let body = vec![b'x'; 30 << 20];
    let exchange = fetch(settings(), Request::new("POST", server.url("/").parse().unwrap()).body(body));
    assert_eq!((exchange.outcome.code(), exchange.status()), ("complete", Some(413)));
    assert!(bytes(&exchange).ends_with(b"enough"));
}

#[test]
fn a_server_that_reads_nothing_is_given_up() {
    let server = Misbehave::start();
    let mut settings = settings();
    settings.timeouts.first_byte = Duration::from_millis(200);
    let url = server.url("silence-after-accept").parse().unwrap();
    let exchange = fetch(settings, Request::new("POST", url).body(vec![b'x'; 30 << 20]));
    assert_eq!(exchange.outcome.code(), "first-byte-timeout");
}

#[test]
fn the_gate_is_told_how_it_went() {
    use crate::fetcher::get;
    use fetch::gate::Went;
    let now = settings().clock.now();
    let server = Misbehave::start();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let went = |url: &str| get(settings(), url).went(now);
    let answered = |status| Went::Answered { status, retry_after: None };
    assert_eq!(went(&server.url("no-reason-phrase")), answered(200));
    assert_eq!(went(&server.url("http09")), answered(200));
    assert_eq!(went(&server.url("empty-reply")), Went::Failed);
    assert_eq!(went(&format!("http://{free}/")), Went::Failed);
    assert_eq!(went("ftp://example.org/"), Went::Unused);
    let mut proxied = settings();
    proxied.proxies = fetch::Proxies::all(format!("http://{free}").parse().unwrap());
    assert_eq!(get(proxied, &server.url("no-reason-phrase")).went(now), Went::Unused);
    let busy = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, _| {
        wire.send(b"HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n").map(|()| true)
    });
    let wait = Some(std::time::Duration::from_secs(120));
    assert_eq!(went(&busy.url("/")), Went::Answered { status: 503, retry_after: wait });
}
