//! A small archive, made of records that a test writes itself, and a server on loopback that shows it.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::Archive;
use cdx_indexer::{Indexer, Options};
use replay::{Replay, Settings};

/// An archive in a folder of its own.
pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) archive: Archive,
}

/// A server that shows it, until this is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The time that tests live in.
pub(crate) const NOW: &str = "2026-11-16T12:00:00Z";

impl World {
    pub(crate) fn new() -> World {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.unwrap();
        let archive = Archive::create(&folder.path().join("archive")).unwrap();
        World { folder, archive }
    }

    /// With these captures in the collection `web`.
    pub(crate) fn of(records: &[Vec<u8>]) -> World {
        let world = World::new();
        world.add("web", records);
        world
    }

    /// Adds captures to a collection, as a job of their own.
    pub(crate) fn add(&self, collection: &str, records: &[Vec<u8>]) {
        self.add_file(collection, "a.warc", &records.concat());
    }

    /// Adds a file as it is.
    pub(crate) fn add_file(&self, collection: &str, name: &str, bytes: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let job = format!("job-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        self.archive.store().seal(&job, &path).unwrap();
        self.publish(collection, &job, rows(bytes, &format!("{job}/{name}")));
    }

    pub(crate) fn publish(&self, collection: &str, job: &str, mut rows: Vec<cdx::Capture<'static>>) {
        rows.sort_by(|one, other| (&one.key, one.timestamp).cmp(&(&other.key, other.timestamp)));
        let collection = self.archive.create_collection(collection).unwrap();
        let commit = index::Commit { name: job.to_owned(), at: NOW.parse().unwrap(), facts: Vec::new() };
        collection.index().publish(&commit, rows.into_iter().map(Ok)).unwrap();
    }

    pub(crate) fn settings(&self) -> Settings {
        let now: jiff::Timestamp = NOW.parse().unwrap();
        Settings {
            pages: "http://127.0.0.1:8470".to_owned(),
            ..Settings::new(self.archive.clone(), Arc::new(move || now))
        }
    }

    pub(crate) fn serve(&self) -> Server {
        Server::start(self.settings())
    }
}

/// What an indexer makes of a file.
pub(crate) fn rows(bytes: &[u8], filename: &str) -> Vec<cdx::Capture<'static>> {
    let mut rows = Vec::new();
    let mut indexer = Indexer::new(filename, Options { post_append: true, ..Options::default() }).unwrap();
    let mut reader = warc::Reader::new(bytes, warc::Options::default()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        indexer.push(record, &mut |row| rows.push(row)).unwrap();
    }
    indexer.finish(&mut |row| rows.push(row));
    rows
}

impl Server {
    pub(crate) fn start(settings: Settings) -> Server {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(4)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = replay::router(Replay::new(settings));
        runtime.spawn(async move {
            axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await.unwrap();
        });
        Server { address, runtime: Some(runtime) }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", path, headers, b"")
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            request += &format!("Content-Length: {}\r\n", body.len());
        }
        let mut bytes = request.into_bytes();
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body);
        self.send(&bytes)
    }

    /// Sends these bytes, and reads what comes until the server hangs up.
    pub(crate) fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(request).unwrap();
        let mut bytes = Vec::new();
        // A server that hangs up in the middle may do so with a reset.
        let _ = stream.read_to_end(&mut bytes);
        Answer::parse(&bytes)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Answer {
        let (head, length) = warc::HttpHead::parse(bytes).expect("an answer");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers =
            head.fields().map(|(name, value)| (text(name).to_ascii_lowercase(), text(value))).collect();
        let rest = &bytes[length..];
        let mut body = Vec::new();
        if head.is_chunked() {
            let _ = warc::Dechunk::new(rest).read_to_end(&mut body);
        } else {
            body.extend_from_slice(rest);
        }
        Answer { status: head.status().unwrap(), headers, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(crate) fn expect(&self, name: &str) -> &str {
        self.header(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.headers))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The `Link` header, or a TimeMap: addresses by relation.
    pub(crate) fn links(&self) -> HashMap<String, Vec<String>> {
        links(self.header("link").unwrap_or_default())
    }
}

/// Addresses by relation.
pub(crate) fn links(text: &str) -> HashMap<String, Vec<String>> {
    let mut links: HashMap<String, Vec<String>> = HashMap::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('<') {
        let Some((address, behind)) = behind.split_once('>') else { break };
        let end = behind.find(",\n").or_else(|| behind.find(", <")).unwrap_or(behind.len());
        let parameters = &behind[..end];
        let relations = parameters
            .split_once("rel=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(words, _)| words);
        for relation in relations.unwrap_or_default().split(' ') {
            links.entry(relation.to_owned()).or_default().push(address.to_owned());
        }
        rest = &behind[end..];
    }
    links
}

/// A response record: the moment as 14 digits, and the bytes that the server sent.
pub(crate) fn response(url: &str, time: &str, http: &[u8]) -> Vec<u8> {
    record("response", "application/http; msgtype=response", url, time, "", http)
}

/// A page of HTML, or something else of a type.
pub(crate) fn page(url: &str, time: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
    answer(url, time, "200 OK", &format!("Content-Type: {content_type}\r\n"), body)
}

pub(crate) fn html(url: &str, time: &str, body: &str) -> Vec<u8> {
    page(url, time, "text/html; charset=utf-8", body.as_bytes())
}

/// An answer with this status and these header lines.
pub(crate) fn answer(url: &str, time: &str, status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{fields}\r\n");
    response(url, time, &[head.as_bytes(), body].concat())
}

/// A record of any type, with further lines in its head.
pub(crate) fn record(
    kind: &str,
    content_type: &str,
    url: &str,
    time: &str,
    fields: &str,
    block: &[u8],
) -> Vec<u8> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let date = urlkey::time::to_warc_date(urlkey::time::parse_14_clamped(time));
    let mut bytes = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{id:012x}>\r\nWARC-Date: {date}\r\n\
         WARC-Target-URI: {url}\r\n{fields}Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    bytes.extend_from_slice(block);
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}
