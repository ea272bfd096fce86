//! Other people's programs read what we write: `warcio check`, pywb's `cdx-indexer`.

use std::path::Path;
use std::process::Command;

use archive::{About, Form};

use crate::world::{World, about, answer, not_modified, page, text};

/// As it is, by our own compressor, by another's.
const LEVELS: [u32; 3] = [0, 1, 6];

/// An archive with a response of each kind, one that is packed piece by piece, revisits of both kinds, and chunks.
fn filled(gzip_level: u32) -> World {
    let world = World::new();
    let mut about = About { metadata: true, gzip_level, ..about(0) };
    about.limits.memory_bytes = 1 << 20;
    let long: String = (0..60_000).map(|number| format!("layer {number} of the lake\n")).collect();
    let chunked = "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nETag: \"c\"\r\n";
    let chunks = b"5\r\nwords\r\n6\r\n again\r\n0\r\n\r\n";
    world.job(
        "one",
        &about,
        &[
            page("http://example.org/", 0, "the same"),
            page("http://example.org/b", 1, "the same"),
            answer("http://example.org/chunked", 2, "200 OK", chunked, chunks),
            answer("http://example.org/none", 3, "404 Not Found", "Content-Type: text/html\r\n", b"no"),
            answer("http://example.org/empty", 4, "204 No Content", "", b""),
            answer("http://example.org/away", 5, "302 Found", "Location: /b\r\n", b""),
            page("http://example.org/long", 6, &long),
        ],
    );
    world.job(
        "two",
        &about,
        &[
            page("http://example.org/", 100, "the same"),
            not_modified("http://example.org/chunked", 101, "ETag: \"c\"\r\n"),
        ],
    );
    world.check();
    world
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{errors}");
    said
}

#[test]
fn warcio_finds_every_digest_right() {
    let Some(warcio) = testkit::peers::program("warcio") else { return };
    for world in LEVELS.map(filled) {
        for file in world.archive.store().files().unwrap() {
            let path = world.folder.path().join("store").join(file.unwrap().name);
            let said = said(Command::new(&warcio).args(["check", "-v"]).arg(&path));
            assert!(!said.contains("failed"), "{said}");
            // It knows SHA-256, rather than passing over it.
            assert!(said.contains("digest pass"), "{said}");
        }
    }
}

#[test]
fn pywb_indexes_the_same_captures() {
    let Some(indexer) = testkit::peers::program("cdx-indexer") else { return };
    let world = filled(6);
    let mut theirs: Vec<(String, String, String)> = Vec::new();
    for job in ["one", "two"] {
        let path = world.folder.path().join(format!("store/{job}/{job}-00001.warc.gz"));
        let said = said(Command::new(&indexer).args(["--cdxj", "--sort"]).arg(&path));
        for line in said.lines() {
            let capture = cdx::Capture::parse_cdxj(line.as_bytes(), &cdx::Limits::default()).unwrap();
            let place = format!("{}+{}", capture.offset.unwrap(), capture.length.unwrap());
            theirs.push((job.to_owned(), capture.url.clone().unwrap().into_owned(), place));
            let is_revisit = capture.is_revisit();
            assert_eq!(is_revisit, line.contains("warc/revisit"), "{line}");
        }
    }
    let mut ours: Vec<(String, String, String)> = world
        .rows()
        .iter()
        .map(|row| {
            let place = format!("{}+{}", row.offset.unwrap(), row.length.unwrap());
            let job = row.extra("commit").unwrap().as_str().to_owned();
            (job, row.url.clone().unwrap().into_owned(), place)
        })
        .collect();
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs);
}

/// Reads records as pywb does when it replays, by file, offset and length, and writes a line of JSON for each.
const READ: &str = "\
import json, sys
from pywb.warcserver.resource.blockrecordloader import BlockArcWarcRecordLoader
for line in sys.stdin:
    path, offset, length = line.split()
    record = BlockArcWarcRecordLoader().load(path, offset, length)
    header = record.rec_headers.get_header
    payload = record.content_stream().read().decode('latin-1')
    print(json.dumps([header('WARC-Type'), header('WARC-Refers-To-Target-URI'), payload]))
";

#[test]
fn pywb_reads_the_same_payloads() {
    let Some(python) = testkit::peers::python() else { return };
    for world in LEVELS.map(filled) {
        check_payloads(&world, &python);
    }
}

fn check_payloads(world: &World, python: &Path) {
    let rows = world.rows();
    let places: String = rows
        .iter()
        .map(|row| {
            let path = world.folder.path().join("store").join(row.filename.as_deref().unwrap());
            format!("{} {} {}\n", path.display(), row.offset.unwrap(), row.length.unwrap())
        })
        .collect();
    let list = world.folder.path().join("places");
    std::fs::write(&list, places).unwrap();
    let mut command = Command::new(python);
    let said = said(command.args(["-c", READ]).stdin(std::fs::File::open(list).unwrap()));
    let snapshot = world.archive.snapshot().unwrap();
    assert_eq!(said.lines().count(), rows.len());
    for (row, line) in rows.iter().zip(said.lines()) {
        let found = world.archive.found(row, &snapshot).unwrap().unwrap();
        let expect = match &found.original {
            Some(original) => serde_json::json!(["revisit", original.url, ""]),
            None => serde_json::json!(["response", null, text(&found, Form::Decoded)]),
        };
        assert_eq!(serde_json::from_str::<serde_json::Value>(line).unwrap(), expect, "{row:?}");
    }
}
