//! Shows an archive that it makes up, for looking at pages and for measuring: `cargo run --release -p replay --example serve [PORT]`.
//!
//! | address | what is there |
//! |---|---|
//! | `http://town.example/` | a page of 20 KB, captured three times a year for six years, sometimes as an error |
//! | `http://town.example/page/N` | a thousand pages of 20 KB, captured once |
//! | `http://town.example/often` | 120,000 captures |
//! | `http://town.example/film` | 50 MB |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing
)]

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use archive::Archive;
use cdx::{Capture, Timestamp};
use cdx_indexer::{Indexer, Options};
use replay::{Replay, Settings};

fn main() {
    let port = std::env::args().nth(1).map_or(8471, |port| port.parse().expect("a port"));
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(&folder.path().join("archive")).unwrap();
    make(folder.path(), &archive);
    let now = Arc::new(jiff::Timestamp::now);
    let settings = Settings { pages: "http://127.0.0.1:8470".to_owned(), ..Settings::new(archive, now) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        println!("http://localhost:{port}/web/http://town.example/");
        let router = replay::router(Replay::new(settings));
        axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await.unwrap();
    });
}

/// Fills the archive.
fn make(folder: &std::path::Path, archive: &Archive) {
    let mut records = Vec::new();
    for year in 2021..=2026 {
        for (at, month) in [2, 6, 10].into_iter().enumerate() {
            let time = format!("{year}{month:02}{:02}101500", 3 + at * 7);
            if (year, month) == (2024, 6) {
                records.extend(response(
                    "http://town.example/",
                    &time,
                    "503 Out",
                    "text/html",
                    b"<h1>Out of order</h1>",
                ));
                continue;
            }
            let edition = if month == 6 { year * 100 + 2 } else { year * 100 + month };
            records.extend(response(
                "http://town.example/",
                &time,
                "200 OK",
                "text/html; charset=utf-8",
                page(edition).as_bytes(),
            ));
        }
    }
    for hour in 0..9 {
        records.extend(response(
            "http://town.example/",
            &format!("20261104{:02}3000", hour + 8),
            "200 OK",
            "text/html; charset=utf-8",
            page(900 + hour / 2).as_bytes(),
        ));
    }
    for number in 0..1000 {
        let url = format!("http://town.example/page/{number}");
        records.extend(response(
            &url,
            "20260301120000",
            "200 OK",
            "text/html; charset=utf-8",
            page(number).as_bytes(),
        ));
    }
    records.extend(response(
        "http://town.example/often",
        "20250101000000",
        "200 OK",
        "text/html; charset=utf-8",
        page(1).as_bytes(),
    ));
    let film: Vec<u8> = (0..50_u32 << 20).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    records.extend(response("http://town.example/film", "20260301120000", "200 OK", "video/mp4", &film));
    let path = folder.join("made.warc");
    std::fs::write(&path, &records).unwrap();
    archive.store().seal("made", &path).unwrap();

    let mut rows = Vec::new();
    let mut indexer = Indexer::new("made/made.warc", Options::default()).unwrap();
    let mut reader = warc::Reader::new(records.as_slice(), warc::Options::default()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        indexer.push(record, &mut |row| rows.push(row)).unwrap();
    }
    indexer.finish(&mut |row| rows.push(row));
    rows.extend(often(&rows));
    rows.sort_by(|one, other| (&one.key, one.timestamp).cmp(&(&other.key, other.timestamp)));
    let commit = index::Commit {
        name: "made".to_owned(),
        at: "2026-11-16T08:00:00Z".parse().unwrap(),
        facts: Vec::new(),
    };
    archive.collection("web").unwrap().unwrap().index().publish(&commit, rows.into_iter().map(Ok)).unwrap();
}

/// The same record under very many times.
fn often(rows: &[Capture<'static>]) -> Vec<Capture<'static>> {
    let one = rows.iter().find(|row| row.url.as_deref() == Some("http://town.example/often")).unwrap();
    let start: jiff::Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    let at = |number: i64| {
        urlkey::time::to_14(start.checked_add(jiff::SignedDuration::from_secs(number * 443)).unwrap())
    };
    (1..120_000)
        .map(|number| Capture { timestamp: Timestamp::parse(&at(number)).ok(), ..one.clone() })
        .collect()
}

/// A page of about 20 KB.
fn page(number: usize) -> String {
    let mut page = format!(
        "<!doctype html><html><head><title>The Town Gazette, edition {number}</title><link rel=stylesheet href=/style.css><script src=/site.js></script></head>\
         <body style=\"font-family:Georgia,serif;max-width:60rem;margin:2rem auto;line-height:1.6\"><h1>The Town Gazette</h1><p>Edition {number}</p>"
    );
    let mut at = number;
    while page.len() < 20_000 {
        at = at.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 1_000_003;
        let _ = write!(
            page,
            "<p>The mayor has seen <a href=\"/page/{}\">page {}</a> and <img src=\"/img/{at}.png\" alt=\"\" width=16 height=16> said that the bridge over the river \
             will open again in spring, as the <a href='http://other.example/news?id={at}'>news</a> had told before.</p>",
            at % 1000,
            at % 1000
        );
    }
    page + "</body></html>"
}

fn response(url: &str, time: &str, status: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
    let date = urlkey::time::to_warc_date(urlkey::time::parse_14_clamped(time));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nServer: made-up\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:example:{url}:{time}>\r\nWARC-Date: {date}\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        head.len() + body.len()
    )
    .into_bytes();
    record.extend_from_slice(head.as_bytes());
    record.extend_from_slice(body);
    record.extend_from_slice(b"\r\n\r\n");
    record
}
