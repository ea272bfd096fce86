//! An archive with one harvest in it, of a small site that has its own ideas about markup.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::Archive;
use crawl::{Crawl, Job, Settings};
use fetch::dns::Override;
use fetch::{Clock, Network};
use jiff::Timestamp;
use scope::{Plan, Seeds};
use tempfile::TempDir;
use testkit::server::{Place, Server, reply};

/// The import's name.
pub(crate) const IMPORT: &str = "import-20261116130000";

/// The harvest's name.
pub(crate) const JOB: &str = "a.test-20261116120000";

pub(crate) fn began() -> Timestamp {
    "2026-11-16T12:00:00Z".parse().unwrap()
}

/// Pages, an image, something that is missing, and a path that wants to be markup.
fn site() -> Server {
    Server::answering(&Place::default(), |wire, request| {
        let html = [("Content-Type", "text/html")];
        let answer = match request.path() {
            "/" => reply(
                "200 OK",
                &html,
                b"<title>A</title><a href='/b'>b</a><a href='/missing'>c</a><img src='/i.png'><a href='/q?<b>x</b>'>d</a>",
            ),
            "/b" => reply("200 OK", &html, b"<title>B</title>"),
            "/i.png" => reply("200 OK", &[("Content-Type", "image/png")], b"\x89PNG\r\n\x1a\n"),
            "/q" => reply("200 OK", &html, b"<title><script>alert(1)</script></title>"),
            _ => reply("404 Not Found", &html, b"not here"),
        };
        wire.send(&answer)?;
        Ok(true)
    })
}

/// One page from elsewhere.
pub(crate) const WARC: &str = "WARC/1.1\r\nWARC-Type: response\r\n\
WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000099>\r\nWARC-Date: 2009-05-01T08:00:00Z\r\n\
WARC-Target-URI: http://old.test/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 23\r\n\r\n\
HTTP/1.1 200 OK\r\n\r\nold!\r\n\r\n";

/// The same archive with that page in a collection beside it.
pub(crate) fn with_import() -> (TempDir, Archive) {
    let (folder, archive) = archived();
    let file = folder.path().join("old.warc");
    std::fs::write(&file, WARC).unwrap();
    let settings = transfer::import::Settings { collection: "old-days".to_owned(), ..Default::default() };
    let about =
        archive::About::new(began(), Arc::new(|| "urn:uuid:00000000-0000-4000-8000-000000000098".to_owned()));
    let report =
        transfer::import::import_files(&archive, IMPORT, &[file], &settings, &about, &|_| {}).unwrap();
    assert!(report.is_sound(), "{report:?}");
    (folder, archive)
}

/// Harvests it.
pub(crate) fn archived() -> (TempDir, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path()).unwrap();
    let site = site();
    let seeds = "http://a.test/\n";
    let plan = Plan { seeds: Seeds::parse(seeds).unwrap(), ..Plan::default() };
    let mut fetch = fetch::Settings::new(Clock::fixed(began()));
    let address = site.address();
    let led = Override {
        host: "a.test".to_owned(),
        port: Some(80),
        address: address.ip(),
        to_port: Some(address.port()),
    };
    fetch.dns.overrides.push(led);
    fetch.allowed.networks.push(Network::single(address.ip()));
    let count = AtomicU64::new(0);
    let ids = Arc::new(move || {
        format!("urn:uuid:00000000-0000-4000-8000-{:012}", count.fetch_add(1, Ordering::SeqCst))
    });
    let mut settings = Settings::new(plan, fetch, ids);
    settings.gate.delay_min = std::time::Duration::ZERO;
    settings.gate.per_host = 1;
    let job = Job::create(&archive, JOB, began(), "format = 1\n# <made by hand>\n", seeds).unwrap();
    let ended = Crawl::start(job, settings, None).unwrap().wait().unwrap();
    assert!(ended.is_committed, "{ended:?}");
    (folder, archive)
}
