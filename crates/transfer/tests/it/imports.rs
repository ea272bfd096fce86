//! An archive, files to import into it, and packages of them.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use archive::{About, Archive, Error, Form};
use transfer::import::{Outcome, Report, Settings, import_files};
use warc::{Draft, Encoding, RecordType, Version, Writer};

use crate::world::{World, about, at, ids, text};

/// A WARC file of these pages, a member each: request first for every other one.
pub(crate) fn warc(pages: &[(&str, &str)], encoding: &Encoding) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let ids = ids();
    for (number, (url, body)) in pages.iter().enumerate() {
        let (response, request) = (ids(), ids());
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        let asked = b"GET / HTTP/1.1\r\n\r\n";
        let payload = warc::Digest::of(warc::Algorithm::Sha1, body.as_bytes());
        let record = |kind: &RecordType, id: &str, other: &str, what: &str| {
            Draft::new(Version::Warc1_1, kind, id, at(number as i64))
                .target_uri(url)
                .concurrent_to(other)
                .content_type(&format!("application/http; msgtype={what}"))
        };
        let answer = record(&RecordType::Response, &response, &request, "response").payload_digest(&payload);
        let question = record(&RecordType::Request, &request, &response, "request");
        if number % 2 == 0 {
            writer.write(&question, asked).unwrap();
        }
        writer.write(&answer, block.as_bytes()).unwrap();
        if number % 2 == 1 {
            writer.write(&question, asked).unwrap();
        }
    }
    writer.into_inner()
}

pub(crate) const PAGES: [(&str, &str); 3] = [
    ("http://example.org/a", "<title>A</title>herring"),
    ("http://example.org/b", "<title>B</title>eel"),
    ("http://example.com/c", "<title>C</title>cod"),
];

/// An archive, and a folder with files to import.
pub(crate) struct Imports {
    pub(crate) world: World,
    pub(crate) files: tempfile::TempDir,
}

impl Imports {
    pub(crate) fn new() -> Imports {
        Imports { world: World::new(), files: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.files.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn archive(&self) -> &Archive {
        &self.world.archive
    }

    #[track_caller]
    pub(crate) fn import(&self, job: &str, paths: &[&Path], settings: &Settings) -> Report {
        self.try_import(job, paths, settings).unwrap()
    }

    pub(crate) fn try_import(
        &self,
        job: &str,
        paths: &[&Path],
        settings: &Settings,
    ) -> Result<Report, Error> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
        self.import_with(job, &paths, settings, &about(0))
    }

    pub(crate) fn import_with(
        &self,
        job: &str,
        paths: &[PathBuf],
        settings: &Settings,
        about: &About,
    ) -> Result<Report, Error> {
        import_into(self.archive(), job, paths, settings, about)
    }

    /// How many captures a collection has.
    pub(crate) fn captures(&self, collection: &str) -> u64 {
        self.archive().collection(collection).unwrap().unwrap().snapshot().unwrap().rows()
    }

    #[track_caller]
    pub(crate) fn check_page(&self, url: &str, body: &str) {
        let found = self.archive().get(url, None).unwrap().expect("it was imported");
        assert_eq!(text(&found, Form::Decoded), body);
    }
}

pub(crate) fn outcomes(report: &Report) -> Vec<String> {
    report
        .files
        .iter()
        .map(|file| match &file.outcome {
            Outcome::Imported(kept) => format!("imported {kept}"),
            Outcome::Referenced(kept) => format!("referenced {kept}"),
            Outcome::Known(kept) => format!("known {kept}"),
            Outcome::Indexed(kept) => format!("indexed {kept}"),
            Outcome::Salvaged(kept) => format!("salvaged {kept}"),
            Outcome::Damaged => format!("damaged {}", file.faults.first().unwrap().kind.name()),
            Outcome::Failed(why) => format!("failed {why}"),
            _ => "other".to_owned(),
        })
        .collect()
}

/// Imports; an error must be the archive's.
pub(crate) fn import_into(
    archive: &Archive,
    job: &str,
    paths: &[PathBuf],
    settings: &Settings,
    about: &About,
) -> Result<Report, Error> {
    import_files(archive, job, paths, settings, about, &|_| {}).map_err(|error| match error {
        transfer::Error::Archive(error) => error,
        other => panic!("{other}"),
    })
}

/// A package with these archive files.
pub(crate) fn package(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = wacz::Writer::new(Cursor::new(Vec::new()), at(0));
    for (name, bytes) in files {
        match name.ends_with(".wacz") {
            true => writer.begin(name, wacz::Method::Deflated).unwrap(),
            false => writer.begin_archive(name).unwrap(),
        }
        writer.write_all(bytes).unwrap();
    }
    writer.index(wacz::IndexForm::Cdxj, |_| Ok(false)).unwrap();
    writer.begin("pages/pages.jsonl", wacz::Method::Deflated).unwrap();
    writer.write_all(&wacz::PagesHead { id: "pages".to_owned(), ..Default::default() }.to_line()).unwrap();
    writer.finish(&wacz::About::default()).unwrap().into_inner()
}
