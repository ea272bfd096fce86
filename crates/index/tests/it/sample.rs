//! Captures, commits and indexes to test with.

use std::path::Path;

use cdx::{Capture, Extra, Timestamp, Value};
use index::{Captures, Commit, Error, Index, Limits, Settings};

/// Settings under which a few rows already need several leaves, branches, runs and merges.
pub(crate) fn small() -> Settings {
    Settings {
        leaf_bytes: 300,
        sort_rows: 7,
        segments_per_tier: 2,
        leaf_cache_bytes: 4 << 10,
        branch_cache_bytes: 4 << 10,
        limits: Limits::default(),
        ..Settings::default()
    }
}

pub(crate) fn open(folder: &Path) -> Index {
    Index::open_with(folder, small()).unwrap()
}

pub(crate) fn commit(name: &str) -> Commit {
    let facts = vec![("documents".to_owned(), "3".to_owned())];
    Commit { name: name.to_owned(), at: "2026-11-16T08:00:00Z".parse().unwrap(), facts }
}

/// A capture of `http://{host_and_path}`, named after its commit.
pub(crate) fn capture(host_and_path: &str, time: u64, digest: &str, commit: &str) -> Capture<'static> {
    let url = format!("http://{host_and_path}");
    Capture {
        key: Some(urlkey::key(&url).into()),
        timestamp: Timestamp::from_number(time),
        url: Some(url.into()),
        mime: Some(if digest.starts_with('=') { "warc/revisit" } else { "text/html" }.into()),
        status: Some(200),
        digest: Some(format!("sha256:{}", digest.trim_start_matches('=')).into()),
        length: Some(1000),
        offset: Some(time % 1000),
        filename: Some(format!("{commit}/a.warc.gz").into()),
        extra: vec![Extra::new("commit", Value::Text(commit.to_owned().into()))],
        ..Capture::default()
    }
}

pub(crate) fn line(capture: &Capture<'_>) -> String {
    let mut line = Vec::new();
    capture.write_cdxj(&mut line);
    String::from_utf8(line).unwrap()
}

pub(crate) fn sorted(mut captures: Vec<Capture<'static>>) -> Vec<Capture<'static>> {
    captures.sort_by_key(|capture| (capture.key.clone(), capture.timestamp));
    captures
}

pub(crate) fn publish(index: &Index, name: &str, captures: Vec<Capture<'static>>) -> Result<(), Error> {
    index.publish(&commit(name), sorted(captures).into_iter().map(Ok))
}

pub(crate) fn lines(captures: Captures) -> Vec<String> {
    captures.map(|capture| line(&capture.unwrap())).collect()
}

/// All there is, in order.
pub(crate) fn all(index: &Index) -> Vec<String> {
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    lines(index.snapshot().unwrap().range(&everything))
}
