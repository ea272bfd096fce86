//! Requests with more cookies than anybody needs, over a bare socket, to the real servers (issue 20, point 10).

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use crate::program::Up;

/// All that a server says to a request with this many bytes of cookies.
fn asked(origin: &str, bytes: usize) -> String {
    let host = origin.strip_prefix("http://").unwrap();
    let port: u16 = host.rsplit(':').next().unwrap().parse().unwrap();
    let mut stream = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).unwrap();
    let cookie = "x".repeat(bytes);
    let request = format!(
        "GET /robots.txt HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: a={cookie}\r\n\r\n"
    );
    // A server that refuses it early may hang up before all of it is sent.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Browsers send at most 180 cookies of 4,096 bytes: 737,280 bytes, and two between each. Up to 64 KiB replay answers itself, beyond that the
/// listener does.
#[test]
fn requests_with_any_amount_of_cookies_are_answered() {
    let up = Up::start();
    for (bytes, status) in
        [(0, 200), (16_000, 200), (64_000, 431), (256_000, 431), (737_640, 431), (1_000_000, 431)]
    {
        let answer = asked(&up.replay, bytes);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{bytes}: {}",
            &answer[..answer.len().min(200)]
        );
        let deletes = answer.to_ascii_lowercase().contains("clear-site-data: \"cookies\"\r\n");
        assert_eq!(deletes, status == 431, "{bytes}: {}", &answer[..answer.len().min(500)]);
    }
    // More than any browser sends is refused all the same, and nobody is shut out.
    assert!(!asked(&up.replay, 4_000_000).starts_with("HTTP/1.1 200"));
    assert!(asked(&up.replay, 0).starts_with("HTTP/1.1 200"));
}
