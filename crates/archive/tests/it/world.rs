//! A small archive and made-up exchanges to fill it with.

use std::time::Duration;

use archive::{About, Archive, Capture, Committed, Error, Found, Intake, Mark, Note, Packed, Packer, Placed};
use bytes::Bytes;
use fetch::http1::Version;
use fetch::{Digests, Exchange, Kept, Outcome, Times};
use jiff::Timestamp;
use warc::HttpHead;

/// A folder with an archive in it.
pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) archive: Archive,
}

/// A moment: so many seconds behind the start of all.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_794_816_000 + seconds).unwrap()
}

/// Ids that are never the same twice in a test.
pub(crate) use testkit::ids::record_ids as ids;

pub(crate) fn about(seconds: i64) -> About {
    About::new(at(seconds), ids())
}

impl World {
    pub(crate) fn new() -> World {
        // Hundreds of archives are made; where syncing costs nothing, that takes seconds.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        World { folder, archive }
    }

    pub(crate) fn begin(&self, job: &str, about: &About) -> Job {
        let (packer, intake) = self.archive.begin(job, about).unwrap();
        Job { packer, intake, about: about.clone() }
    }

    /// A whole job: these exchanges and no others.
    pub(crate) fn job(&self, job: &str, about: &About, exchanges: &[Exchange]) -> Vec<Placed> {
        let mut running = self.begin(job, about);
        let placed = exchanges.iter().map(|exchange| running.take_in(exchange)).collect();
        self.commit(running).unwrap();
        placed
    }

    pub(crate) fn commit(&self, job: Job) -> Result<Committed, Error> {
        self.commit_with(job, Vec::new())
    }

    pub(crate) fn commit_with(&self, job: Job, notes: Vec<Note>) -> Result<Committed, Error> {
        let commit =
            index::Commit { name: job.intake.job().to_owned(), at: job.about.started, facts: Vec::new() };
        self.archive.commit(job.intake, notes, commit)
    }

    pub(crate) fn resume(&self, job: &str, about: &About, mark: &Mark) -> Job {
        let (packer, intake) = self.archive.resume(job, about, mark).unwrap();
        Job { packer, intake, about: about.clone() }
    }

    /// All lines of the index.
    pub(crate) fn rows(&self) -> Vec<cdx::Capture<'static>> {
        let all = urlkey::KeyRange { start: String::new(), end: String::new() };
        self.archive.snapshot().unwrap().range(&all).map(Result::unwrap).collect()
    }

    #[track_caller]
    pub(crate) fn get(&self, url: &str, seconds: i64) -> Found {
        self.archive.get(url, Some(at(seconds))).unwrap().expect("a capture of this URL")
    }

    /// Every record of every sealed file is sound, and each line of the index points to one.
    #[track_caller]
    pub(crate) fn check(&self) {
        let mut records = 0;
        for file in self.archive.store().files().unwrap() {
            let file = file.unwrap();
            assert_eq!(self.archive.store().verify(&file.name).unwrap(), store::Verdict::Sound);
            let options = warc::Options { verify: true, ..warc::Options::default() };
            let source = self.archive.store().read(&file.name, 0).unwrap();
            let mut reader = warc::Reader::new(source, options).unwrap();
            while let Some(record) = reader.next_record().unwrap() {
                assert_eq!(warc::rules::faults(record.head(), record.offset()), [], "{}", file.name);
                let kind = record.head().record_type().clone();
                let is_capture = matches!(kind, warc::RecordType::Response | warc::RecordType::Revisit);
                records += usize::from(is_capture);
                record.finish().unwrap();
            }
            assert_eq!(reader.take_faults(), [], "{}", file.name);
        }
        let rows = self.rows();
        assert_eq!(records, rows.len(), "a line for each capture");
        let snapshot = self.archive.snapshot().unwrap();
        for row in &rows {
            let found = self.archive.found(row, &snapshot).unwrap().expect("what a line points to");
            assert_eq!(found.row.extra("rid"), row.extra("rid"));
        }
    }
}

/// A job that runs.
pub(crate) struct Job {
    pub(crate) packer: Packer,
    pub(crate) intake: Intake,
    pub(crate) about: About,
}

impl Job {
    #[track_caller]
    pub(crate) fn pack(&self, exchange: &Exchange) -> Packed {
        self.packer.pack(&capture(exchange)).unwrap()
    }

    #[track_caller]
    pub(crate) fn take_in(&mut self, exchange: &Exchange) -> Placed {
        let packed = self.pack(exchange);
        self.intake.append(packed).unwrap()
    }
}

pub(crate) fn capture(exchange: &Exchange) -> Capture<'_> {
    let mime = exchange.head.as_ref().and_then(|head| head.get("content-type")).unwrap_or_default();
    let mime = std::str::from_utf8(mime).unwrap_or_default();
    Capture { exchange, mime, hops: "L", via: Some("http://example.org/"), outlinks: None, dns: None }
}

/// An answer of 200 with this body.
pub(crate) fn page(url: &str, seconds: i64, body: &str) -> Exchange {
    answer(url, seconds, "200 OK", "Content-Type: text/html\r\n", body.as_bytes())
}

/// An answer with these further header lines.
pub(crate) fn answer(url: &str, seconds: i64, status: &str, fields: &str, body: &[u8]) -> Exchange {
    let head = format!("HTTP/1.1 {status}\r\n{fields}\r\n");
    raw(url, seconds, &[head.as_bytes(), body].concat())
}

/// "As before", to somebody who has asked whether it changed.
pub(crate) fn not_modified(url: &str, seconds: i64, fields: &str) -> Exchange {
    let mut exchange = answer(url, seconds, "304 Not Modified", fields, b"");
    let asked = String::from_utf8(exchange.request.to_vec()).unwrap();
    exchange.request = Bytes::from(asked.replacen("\r\n\r\n", "\r\nif-none-match: \"x\"\r\n\r\n", 1));
    exchange
}

/// An exchange with this answer, byte for byte.
pub(crate) fn raw(url: &str, seconds: i64, response: &[u8]) -> Exchange {
    let url: url::Url = url.parse().unwrap();
    let (head, head_bytes) =
        HttpHead::parse(response).map_or((None, 0), |(head, length)| (Some(head), length));
    Exchange {
        request: Bytes::from(format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", url.path(), url.authority())),
        url,
        method: "GET".to_owned(),
        response: Kept::of(response.to_vec()),
        head_bytes: head_bytes as u64,
        head,
        is_head_whole: true,
        interims: Vec::new(),
        oddities: Vec::new(),
        peer: Some("192.0.2.1:80".parse().unwrap()),
        by_proxy: false,
        is_reused: false,
        dns: None,
        times: Times {
            start: at(seconds).checked_add(Duration::from_micros(123_456)).unwrap(),
            connected: None,
            first_byte: None,
            total: Duration::from_millis(20),
        },
        version: Some(Version::Http11),
        tls: None,
        redirect: None,
        outcome: Outcome::Complete,
        digests: Digests::default(),
    }
}

/// A payload, whole.
#[track_caller]
pub(crate) fn text(found: &Found, form: archive::Form) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut found.payload(form).unwrap(), &mut text).unwrap();
    text
}
