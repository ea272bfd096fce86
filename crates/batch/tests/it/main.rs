//! The crate's public face: runs, built-in tasks, and what users bring along.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods
)]

mod commands;
mod derived;
mod modules;
mod runs;
mod tasks;
mod vectors;

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use batch::{Failed, News, Origin, Report, Settings, Task, run};
use store::{Sealed, Store};
use warc::{Algorithm, Digest, Draft, Encoding, RecordType, Version, Writer};

/// A store with a job, and what a run of all its files gave.
struct World {
    folder: tempfile::TempDir,
    store: Store,
}

struct Ran {
    report: Report,
    result: Vec<u8>,
    failed: Vec<Failed>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("store")).unwrap();
        World { folder, store }
    }

    /// With these files.
    fn with(files: &[(&str, &[u8])]) -> World {
        let world = World::new();
        files.iter().for_each(|(name, bytes)| drop(world.seal(name, bytes)));
        world
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn seal(&self, name: &str, bytes: &[u8]) -> Sealed {
        let path = self.folder().join(name);
        std::fs::write(&path, bytes).unwrap();
        self.store.seal("job", &path).unwrap()
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::new(self.folder().to_owned(), Arc::new(|| Duration::ZERO));
        settings.threads = NonZeroUsize::new(3).unwrap();
        settings
    }

    fn files(&self) -> Vec<Sealed> {
        self.store.files().unwrap().map(Result::unwrap).collect()
    }

    fn run(&self, task: &dyn Task) -> Ran {
        self.run_with(task, &self.settings())
    }

    fn run_with(&self, task: &dyn Task, settings: &Settings) -> Ran {
        ran(self.files().into_iter(), &Origin::store(self.store.clone()), task, settings)
    }
}

impl Ran {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.result).unwrap()
    }

    /// Names and reasons of what failed.
    fn told(&self) -> Vec<String> {
        self.failed
            .iter()
            .map(|failed| format!("{} {}: {}", failed.file, failed.why.name(), failed.why))
            .collect()
    }

    #[track_caller]
    fn sound(self) -> Ran {
        assert_eq!(self.told(), Vec::<String>::new());
        assert_eq!(self.report.stopped_before, None);
        self
    }
}

/// Runs to the end.
fn ran(
    files: impl Iterator<Item = Sealed> + Send,
    origin: &Origin,
    task: &dyn Task,
    settings: &Settings,
) -> Ran {
    let (mut result, mut failed) = (Vec::new(), Vec::new());
    let report = run(files, origin, task, settings, &mut result, &mut |news| {
        if let News::Failed(file) = news {
            failed.push(file.clone());
        }
        ControlFlow::Continue(())
    });
    Ran { report: report.unwrap(), result, failed }
}

/// A WARC file with a warcinfo, and for each page a response, packed with gzip.
fn warc(pages: &[(&str, &str, &str)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    let date = "2026-11-18T03:00:00Z".parse().unwrap();
    let id = |number: usize| format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
    let info = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &id(0), date)
        .content_type("application/warc-fields");
    writer.write(&info, b"software: test\r\n").unwrap();
    for (number, (url, media_type, body)) in pages.iter().enumerate() {
        let mut block = Vec::new();
        write!(block, "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n{body}").unwrap();
        let draft = Draft::new(Version::Warc1_1, &RecordType::Response, &id(number + 1), date)
            .target_uri(url)
            .content_type("application/http; msgtype=response")
            .payload_digest(&Digest::of(Algorithm::Sha1, body.as_bytes()));
        writer.write(&draft, &block).unwrap();
    }
    writer.into_inner()
}

/// One page.
fn page(body: &str) -> Vec<u8> {
    warc(&[("http://example.org/", "text/html; charset=utf-8", body)])
}
