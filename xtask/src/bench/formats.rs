//! `cargo xtask bench formats`: reading, verifying and indexing WARC files, against FastWARC and cdxj-indexer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::contest::{Contest, Side};
use super::{judge, memory, page};
use crate::places;
use crate::step::Step;

/// Length of the corpus in its file.
const CORPUS_BYTES: u64 = 525_000_000;
/// Length of the one record that is far larger than memory.
const LARGE_BYTES: u64 = 5_000_000_000;
/// What no verb may exceed, whatever it reads.
const PEAK_BYTES_MAX: u64 = 64_000_000;
const ROUNDS: u32 = 3;

/// Reads all records and parses the HTTP heads.
const FASTWARC_ITERATE: &str = "\
import sys, time
from fastwarc.warc import ArchiveIterator
started = time.monotonic()
records = fields = 0
for record in ArchiveIterator(sys.argv[1], parse_http=True):
    records += 1
    if record.http_headers is not None:
        fields += len(record.http_headers)
print(records, fields, time.monotonic() - started)
";

/// Verifies block and payload digests in the quickest of the ways that its interface offers.
const FASTWARC_VERIFY: &str = "\
import sys, time
from fastwarc.warc import ArchiveIterator
started = time.monotonic()
records = bad = 0
for record in ArchiveIterator(sys.argv[1], parse_http=False):
    records += 1
    if 'WARC-Block-Digest' in record.headers and not record.verify_block_digest():
        bad += 1
    revisit = record.headers.get('WARC-Type') == 'revisit'
    if record.is_http and 'WARC-Payload-Digest' in record.headers and not revisit:
        record.parse_http()
        if not record.verify_payload_digest():
            bad += 1
assert bad == 0, bad
print(records, time.monotonic() - started)
";

pub(crate) fn run() -> anyhow::Result<()> {
    let peers = crate::peers::make()?;
    let python = peers.join("bin").join("python");
    Step::cargo("build", "build --release --package varve").run()?;
    Step::cargo("build", "build --release --package warc --examples").run()?;
    let folder = places::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let gzip = corpus(&folder.join("corpus.warc.gz"), CORPUS_BYTES, "gzip", None)?;
    let zstd = corpus(&folder.join("corpus.warc.zst"), CORPUS_BYTES, "zstd", None)?;

    let mut outcomes = Vec::new();
    for contest in contests(&gzip, &zstd, &python, &peers) {
        outcomes.push(contest.run(ROUNDS)?);
    }
    let mut table = page::table(&outcomes);
    table.push_str(&peaks(&folder, &gzip, &python)?);
    println!("\n{table}");
    page::put("formats", &table)?;
    judge(&outcomes)
}

fn contests(gzip: &Path, zstd: &Path, python: &Path, peers: &Path) -> Vec<Contest> {
    let iterate = |file: &Path, words: &[&str]| {
        let mut command = Command::new(example("iterate"));
        command.arg(file).args(words);
        command
    };
    let script = |script: &str, file: &Path| {
        let mut command = Command::new(python);
        command.args(["-c", script]).arg(file);
        Side::self_timed("FastWARC", command)
    };
    let contest = |what: &str, ours: Side, peer: Side, must: f64, aim: Option<f64>| Contest {
        what: what.to_owned(),
        ours,
        peer,
        must,
        aim,
    };
    let mut make = Command::new(places::target().join("release").join("varve"));
    make.args(["cdx", "make"]).arg(gzip);
    let mut indexer = Command::new(peers.join("bin").join("cdxj-indexer"));
    indexer.arg(gzip);
    vec![
        contest(
            "iterate gzip, HTTP heads parsed, one thread",
            Side::new("varve", iterate(gzip, &[])),
            script(FASTWARC_ITERATE, gzip),
            1.0,
            Some(1.5),
        ),
        contest(
            "the same with two threads, against one",
            Side::new("two threads", iterate(gzip, &["--jobs", "2"])),
            Side::new("one thread", iterate(gzip, &[])),
            1.8,
            None,
        ),
        contest(
            "verify block and payload digests, one thread",
            Side::new("varve", iterate(gzip, &["--verify"])),
            script(FASTWARC_VERIFY, gzip),
            1.2,
            None,
        ),
        contest(
            "iterate zstd, HTTP heads parsed, one thread",
            Side::new("varve", iterate(zstd, &[])),
            script(FASTWARC_ITERATE, zstd),
            1.0,
            None,
        ),
        contest(
            "index to CDXJ",
            Side::new("varve cdx make", make),
            Side::new("cdxj-indexer", indexer),
            10.0,
            None,
        ),
    ]
}

/// Peaks of memory, as lines below the table. One that is too high is an error.
fn peaks(folder: &Path, gzip: &Path, python: &Path) -> anyhow::Result<String> {
    let large = corpus(&folder.join("large.warc.gz"), LARGE_BYTES, "gzip", Some("one-record"))?;
    let mut lines = String::from("\n| peak memory of | measured | at most |\n|---|---|---|\n");
    let check = |file: &Path| -> (Vec<String>, PathBuf) {
        (vec!["warc".to_owned(), "check".to_owned()], file.to_path_buf())
    };
    let ls = |file: &Path| (vec!["warc".to_owned(), "ls".to_owned()], file.to_path_buf());
    let make = |file: &Path| (vec!["cdx".to_owned(), "make".to_owned()], file.to_path_buf());
    let runs = [
        ("`varve warc check`, corpus, all cores", check(gzip)),
        ("`varve warc check`, one record of 5 GB", check(&large)),
        ("`varve warc ls`, one record of 5 GB", ls(&large)),
        ("`varve cdx make`, corpus, all cores", make(gzip)),
    ];
    for (what, (words, file)) in runs {
        let mut command = Command::new(places::target().join("release").join("varve"));
        command.args(words).arg(file);
        let peak = memory::peak_bytes(python, &command)?;
        ensure!(peak <= PEAK_BYTES_MAX, "{what} held {peak} bytes at once");
        lines.push_str(&format!(
            "| {what} | {} MB | {} MB |\n",
            peak / 1_000_000,
            PEAK_BYTES_MAX / 1_000_000
        ));
    }
    Ok(lines)
}

/// The file, made if it is not there yet.
fn corpus(path: &Path, bytes: u64, compression: &str, shape: Option<&str>) -> anyhow::Result<PathBuf> {
    if !path.exists() {
        let part = path.with_extension("part");
        let words = [part.display().to_string(), bytes.to_string(), compression.to_owned()];
        Step::new("corpus", example("corpus")).args(words).args(shape).run()?;
        fs::rename(&part, path).with_context(|| format!("cannot name `{}`", path.display()))?;
    }
    Ok(path.to_path_buf())
}

fn example(name: &str) -> PathBuf {
    places::target().join("release").join("examples").join(name)
}
