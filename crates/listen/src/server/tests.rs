//! Connections in memory, with a clock that goes only where the test waits.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::routing::{get, post};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::*;

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A server without a listener.
struct World {
    server: Server,
    /// Lets `/slow` be answered.
    gate: Arc<Notify>,
    /// Bodies of uploads that came to their end, and that did not.
    whole: Arc<AtomicUsize>,
    broken: Arc<AtomicUsize>,
}

impl World {
    fn new(set: impl FnOnce(&mut Limits)) -> World {
        let (gate, whole, broken) = (Arc::new(Notify::new()), Arc::default(), Arc::default());
        let slow = Arc::clone(&gate);
        let (is_whole, is_broken): (Arc<AtomicUsize>, Arc<AtomicUsize>) =
            (Arc::clone(&whole), Arc::clone(&broken));
        let router = Router::new()
            .route("/", get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() }))
            .route("/slow", get(async move || slow.notified().await))
            .route("/large", get(async || vec![b'x'; 4 << 20]))
            .route(
                "/beats",
                get(async || Body::new(Beats(5, Box::pin(tokio::time::sleep_until(Instant::now() + BEAT))))),
            )
            .route(
                "/upload",
                post(async move |body: Body| {
                    let count = axum::body::to_bytes(body, usize::MAX).await;
                    let counter = if count.is_ok() { is_whole } else { is_broken };
                    counter.fetch_add(1, Ordering::SeqCst);
                }),
            );
        let mut limits = Limits { connections: 4, per_address: 3, ..Limits::default() };
        set(&mut limits);
        World { server: Server::new(router, limits), gate, whole, broken }
    }

    fn connect(&self, last: u8) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(16 << 10);
        self.server.take(theirs, SocketAddr::from(([127, 0, 0, last], 4711)));
        ours
    }

    async fn connect_and_send(&self, last: u8, bytes: &[u8]) -> DuplexStream {
        let mut stream = self.connect(last);
        stream.write_all(bytes).await.unwrap();
        stream
    }
}

const BEAT: Duration = Duration::from_secs(50);

/// A stream of events with long pauses.
struct Beats(u32, std::pin::Pin<Box<tokio::time::Sleep>>);

impl http_body::Body for Beats {
    type Data = bytes::Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<bytes::Bytes>, Infallible>>> {
        std::task::ready!(self.1.as_mut().poll(context));
        if self.0 == 0 {
            return std::task::Poll::Ready(None);
        }
        self.0 -= 1;
        let next = self.1.deadline() + BEAT;
        self.1.as_mut().reset(next);
        std::task::Poll::Ready(Some(Ok(http_body::Frame::data(bytes::Bytes::from_static(b": beat\n")))))
    }
}

/// Lets time pass. The clock is paused, so that this takes none.
async fn pass(time: Duration) {
    tokio::time::sleep_until(Instant::now() + time).await;
}

/// Everything until the server closes the connection.
async fn rest(stream: &mut DuplexStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

/// Reads one response that has a body of this text.
async fn expect(stream: &mut DuplexStream, body: &str) {
    let mut text = String::new();
    while !text.ends_with(body) {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        assert!(count > 0, "the server closed the connection after {text:?}");
        text.push_str(str::from_utf8(&bytes[..count]).unwrap());
    }
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn half_sent_heads_are_closed_even_if_bytes_trickle() {
    let world = World::new(|_| {});
    let mut stream = world.connect(1);
    let begun = Instant::now();
    let mut sent = 0;
    for byte in GET.iter().cycle() {
        if stream.write_all(&[*byte]).await.is_err() {
            break;
        }
        sent += 1;
        assert!(sent < 30, "the connection is still open after {sent} s");
        pass(Duration::from_secs(1)).await;
        if sent == 20 {
            break;
        }
    }
    assert_eq!(rest(&mut stream).await, "");
    assert!(begun.elapsed() >= Duration::from_secs(10));
    assert!(sent <= 12, "{sent}");
}

#[tokio::test(start_paused = true)]
async fn connections_without_a_request_are_closed_after_the_idle_time() {
    let world = World::new(|_| {});
    let begun = Instant::now();
    assert_eq!(rest(&mut world.connect(1)).await, "");
    assert_eq!(begun.elapsed().as_secs(), 60);
    let mut stream = world.connect_and_send(1, GET).await;
    expect(&mut stream, "127.0.0.1:4711").await;
    pass(Duration::from_secs(50)).await;
    stream.write_all(GET).await.unwrap();
    expect(&mut stream, "127.0.0.1:4711").await;
    let begun = Instant::now();
    assert_eq!(rest(&mut stream).await, "");
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn slow_uploads_are_closed_and_long_ones_are_not() {
    let world = World::new(|_| {});
    let head = b"POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 40960\r\n\r\n";
    let mut slow = world.connect_and_send(1, head).await;
    let begun = Instant::now();
    while world.broken.load(Ordering::SeqCst) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        let _ = slow.write_all(b"x").await;
        pass(Duration::from_secs(1)).await;
    }
    assert!(begun.elapsed() >= Duration::from_secs(30), "{:?}", begun.elapsed());
    rest(&mut slow).await;
    // 40 KiB in 200 s: slower than that nobody may be.
    let mut long = world.connect_and_send(1, head).await;
    for _ in 0..10 {
        pass(Duration::from_secs(20)).await;
        long.write_all(&[b'x'; 4096]).await.unwrap();
    }
    assert!(rest(&mut long).await.starts_with("HTTP/1.1 200 OK"));
    assert_eq!(world.whole.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn clients_that_do_not_read_are_closed() {
    let world = World::new(|_| {});
    let mut stream = world.connect_and_send(1, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let begun = Instant::now();
    // A newcomer that replaces no transfer.
    let limits = Limits { connections: 1, per_address: 1, stall_time: Duration::MAX, ..Limits::default() };
    pass(Duration::from_secs(1)).await;
    while world.server.lock().admit("127.0.0.9".parse().unwrap(), &limits).is_none() {
        assert!(begun.elapsed() < Duration::from_secs(100));
        pass(Duration::from_secs(1)).await;
    }
    assert!(begun.elapsed() >= Duration::from_secs(59), "{:?}", begun.elapsed());
    assert!(rest(&mut stream).await.len() < 1 << 20);
}

#[tokio::test(start_paused = true)]
async fn slow_readers_and_streams_of_events_stay_connected() {
    let world = World::new(|_| {});
    let mut slow =
        world.connect_and_send(1, b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    let mut left = 4 << 20;
    while left > 0 {
        pass(Duration::from_secs(1)).await;
        let mut bytes = vec![0; 16 << 10];
        match slow.read(&mut bytes).await.unwrap() {
            0 => break,
            count => left -= count.min(left),
        }
    }
    assert_eq!(left, 0);
    let mut beats =
        world.connect_and_send(1, b"GET /beats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert_eq!(rest(&mut beats).await.matches(": beat").count(), 5);
}

#[tokio::test(start_paused = true)]
async fn newcomers_replace_idle_connections_and_never_requests_in_progress() {
    let world = World::new(|_| {});
    let mut busy = Vec::new();
    for _ in 0..2 {
        busy.push(
            world.connect_and_send(1, b"GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await,
        );
    }
    pass(Duration::from_millis(1)).await;
    // Half-sent requests, one after another, all from one address.
    for _ in 0..50 {
        let half = world.connect_and_send(1, b"GET / HTTP/1.1\r\n").await;
        pass(Duration::from_millis(1)).await;
        std::mem::forget(half);
    }
    let mut own = world.connect_and_send(1, GET).await;
    expect(&mut own, "127.0.0.1:4711").await;
    let mut other = world.connect_and_send(2, GET).await;
    expect(&mut other, "127.0.0.2:4711").await;
    world.gate.notify_waiters();
    for mut stream in busy {
        assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    }
}

const UPLOAD: &[u8] = b"POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n";
const LARGE: &[u8] = b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n";

/// As many connections as three addresses may have, each of which sent this.
async fn connect_attackers(world: &World, bytes: &[u8]) -> Vec<DuplexStream> {
    let mut attackers = Vec::new();
    for number in 0..6 {
        attackers.push(world.connect_and_send(1 + number % 3, bytes).await);
    }
    attackers
}

#[tokio::test(start_paused = true)]
async fn half_sent_bodies_do_not_keep_newcomers_out() {
    let world = World::new(|limits| limits.connections = 6);
    let mut attackers = connect_attackers(&world, UPLOAD).await;
    for _ in 0..3 {
        for attacker in &mut attackers {
            // Above the lowest rate.
            let _ = attacker.write_all(&[b'x'; 1700]).await;
        }
        pass(Duration::from_secs(5)).await;
    }
    for address in [1, 2, 3, 4] {
        let body = format!("127.0.0.{address}:4711");
        expect(&mut world.connect_and_send(address, GET).await, &body).await;
    }
}

#[tokio::test(start_paused = true)]
async fn clients_that_do_not_read_do_not_keep_newcomers_out() {
    let world = World::new(|limits| limits.connections = 6);
    let mut attackers = connect_attackers(&world, LARGE).await;
    for _ in 0..2 {
        for attacker in &mut attackers {
            attacker.read_exact(&mut [0; 4096]).await.unwrap();
        }
        pass(Duration::from_secs(15)).await;
    }
    for address in [1, 2, 3, 4] {
        let body = format!("127.0.0.{address}:4711");
        expect(&mut world.connect_and_send(address, GET).await, &body).await;
    }
}

#[tokio::test(start_paused = true)]
async fn clients_that_read_below_the_lowest_rate_are_closed() {
    let world = World::new(|_| {});
    let mut slow = world.connect_and_send(1, LARGE).await;
    let begun = Instant::now();
    let mut bytes = [0; 512];
    while slow.read(&mut bytes).await.is_ok_and(|count| count > 0) {
        assert!(begun.elapsed() < Duration::from_secs(200), "the client is still connected");
        pass(Duration::from_secs(1)).await;
    }
    assert!(begun.elapsed() >= Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn transfers_that_flow_are_never_replaced() {
    let world = World::new(|limits| limits.per_address = 2);
    let mut reader = world.connect_and_send(1, LARGE).await;
    let mut writer = world.connect_and_send(1, UPLOAD).await;
    for _ in 0..3 {
        for _ in 0..8 {
            pass(Duration::from_millis(125)).await;
            reader.read_exact(&mut [0; 4 << 10]).await.unwrap();
            writer.write_all(&[b'x'; 2 << 10]).await.unwrap();
        }
        let refused = rest(&mut world.connect_and_send(1, GET).await).await;
        assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_among_requests_in_progress_is_told_to_try_again() {
    let world = World::new(|limits| limits.per_address = 1);
    let busy = world.connect_and_send(1, b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").await;
    pass(Duration::from_millis(1)).await;
    let refused = rest(&mut world.connect_and_send(1, GET).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("\r\nretry-after: 5\r\n"), "{refused}");
    let mut other = world.connect_and_send(2, GET).await;
    expect(&mut other, "127.0.0.2:4711").await;
    drop(busy);
}

#[tokio::test(start_paused = true)]
async fn long_heads_are_refused_and_the_browser_is_told_to_delete_its_cookies() {
    let world = World::new(|_| {});
    let mut stream = world.connect(1);
    let head = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(70 << 10));
    let (mut reader, mut writer) = tokio::io::split(&mut stream);
    let mut answer = Vec::new();
    let send = async { drop(writer.write_all(head.as_bytes()).await) };
    let (_, read) = tokio::join!(send, reader.read_to_end(&mut answer));
    read.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    // Most of such a head is cookies: a browser that keeps them could never ask again.
    assert!(answer.contains("\r\nclear-site-data: \"cookies\"\r\n"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn the_end_waits_for_requests_in_progress_and_for_nothing_else() {
    let world = World::new(|_| {});
    let mut idle = world.connect_and_send(1, GET).await;
    expect(&mut idle, "127.0.0.1:4711").await;
    let mut busy = world.connect_and_send(1, b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").await;
    pass(Duration::from_millis(1)).await;
    let World { server, gate, .. } = world;
    let ended = tokio::spawn(server.end());
    assert_eq!(rest(&mut idle).await, "");
    pass(Duration::from_secs(1)).await;
    assert!(!ended.is_finished());
    gate.notify_waiters();
    assert!(rest(&mut busy).await.starts_with("HTTP/1.1 200 OK"));
    ended.await.unwrap();
}
