//! Every sample file is read whole, and its lines are written as they were.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use cdx::{Format, Limits, Reader};
use flate2::bufread::MultiGzDecoder;

use crate::differences::tally;

fn samples(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            samples(&path, into);
        } else if name == "zipnum-sample.cdx.gz" {
            // The last line of each block lacks its line end, so this file only makes sense block by block: `zipnum.rs` reads it.
        } else if [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"].iter().any(|ending| name.ends_with(ending)) {
            into.push(path);
        }
    }
}

fn open(path: &Path) -> Box<dyn BufRead> {
    let file = BufReader::new(File::open(path).unwrap());
    if path.extension().is_some_and(|ending| ending == "gz") {
        return Box::new(BufReader::new(MultiGzDecoder::new(file)));
    }
    Box::new(file)
}

/// Reads and writes all lines of a file; what differs first.
fn round_trip(path: &Path) -> (usize, Option<(String, String)>) {
    let mut reader = Reader::new(open(path));
    let mut captures = 0;
    let mut difference = None;
    let mut lines = open(path).lines();
    let mut number = 0;
    while let Some(capture) = reader.next_capture() {
        let capture = capture.unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_owned();
        captures += 1;
        let format: &Format = reader.format().unwrap();
        let mut out = Vec::new();
        format.write(&capture, &mut out);
        assert_eq!(format.parse(&out, &Limits::default()).unwrap(), capture, "written lines read back");
        let mut line = String::new();
        while number < reader.line_number() {
            line = lines.next().unwrap().unwrap();
            number += 1;
        }
        let out = String::from_utf8(out).unwrap();
        if line != out && difference.is_none() {
            difference = Some((line, out));
        }
    }
    (captures, difference)
}

#[test]
fn every_sample_is_read_and_written_as_it_was() {
    let Some(folder) = crate::folder() else { return };
    let mut paths = Vec::new();
    samples(&folder, &mut paths);
    paths.sort();
    let mut tally = tally();
    let mut total = 0;
    for path in &paths {
        let (captures, difference) = round_trip(path);
        assert!(captures > 0, "{} has no captures", path.display());
        total += captures;
        let (line, out) = difference.unwrap_or_default();
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy();
        tally.note(&format!("lines of {name}"), &out, &line);
    }
    eprintln!("{total} captures in {} files", paths.len());
    tally.settle();
}
