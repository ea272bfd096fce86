//! The shared vectors: sample files of many writers, and the questions that peers' own tests ask.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs
)]

mod binsearch;
mod differences;
mod outback;
mod pywb;
mod samples;
mod zipnum;

use std::path::PathBuf;

/// The folder of WARC, ARC and CDX vectors.
fn folder() -> Option<PathBuf> {
    testkit::vectors::dir().map(|dir| dir.join("01-warc-arc"))
}

/// The vectors of a file, each with the name it has in `expected_differences.txt`.
fn questions(file: &str) -> Vec<(String, serde_json::Value)> {
    let Some(folder) = folder() else { return Vec::new() };
    let vectors = testkit::vectors::jsonl(folder.join("cdx-queries").join(file));
    vectors.into_iter().enumerate().map(|(at, vector)| (format!("{file}:{}", at + 1), vector)).collect()
}
