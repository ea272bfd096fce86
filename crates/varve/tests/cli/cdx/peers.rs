//! The built program against cdxj-indexer and pywb themselves, field by field, on every archive file of the vectors.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value};

use crate::run::varve;

const LIST: &str = include_str!("expected_differences.txt");

/// How the peers are asked, in the words of `peer_index.py`, and how we are.
const HOW: [(&str, &[&str]); 5] = [
    ("cdxj", &[]),
    ("cdxj-all", &["--all-records"]),
    ("cdxj-post", &["--post-append"]),
    ("pywb", &["--pywb"]),
    ("pywb-all-post", &["--pywb", "--all-records", "--post-append"]),
];

/// What cdxj-indexer writes with --post-append for any record that has no digest of its own.
const DIGEST_OF_NOTHING: &str = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

fn archive_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if [".warc", ".warc.gz", ".arc", ".arc.gz"].iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What the peers write: an object for each file and way of asking.
fn ask_peers(python: &Path, files: &[PathBuf]) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/cdx/peer_index.py");
    let pipe = Stdio::piped;
    let mut child =
        Command::new(python).arg(script).stdin(pipe()).stdout(pipe()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let questions: String =
        files.iter().flat_map(|file| HOW.map(|(how, _)| format!("{how}\t{}\n", file.display()))).collect();
    let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The fields of a CDXJ line by name.
fn fields(line: &str) -> Map<String, Value> {
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().unwrap_or_default();
    let (key, time) = (next().to_owned(), next().to_owned());
    let mut fields: Map<String, Value> = serde_json::from_str(next()).unwrap();
    fields.insert("key".to_owned(), key.into());
    fields.insert("time".to_owned(), time.into());
    fields
}

/// Names of the fields in which two indexes differ.
fn differing(how: &str, peer: &[Map<String, Value>], ours: &[Map<String, Value>]) -> BTreeSet<String> {
    if peer.len() != ours.len() {
        return BTreeSet::from(["lines".to_owned()]);
    }
    let mut names = BTreeSet::new();
    for (peer, ours) in peer.iter().zip(ours) {
        for name in peer.keys().chain(ours.keys()) {
            let is_known = how == "cdxj-post"
                && name == "digest"
                && peer.get(name).is_some_and(|digest| digest == DIGEST_OF_NOTHING);
            if peer.get(name) != ours.get(name) && !is_known {
                names.insert(name.clone());
            }
        }
    }
    names
}

#[test]
fn fields_are_those_of_the_peers_or_differ_for_a_reason() {
    let (Some(dir), Some(python)) = (testkit::vectors::dir(), testkit::peers::python()) else { return };
    let dir = dir.join("01-warc-arc");
    let files = archive_files(&dir);
    assert!(files.len() > 100);
    let mut listed: BTreeMap<&str, &str> = LIST
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no reason given: {line}")))
        .collect();
    let mut unlisted = Vec::new();
    for answer in ask_peers(&python, &files) {
        let (how, path) = (answer["how"].as_str().unwrap(), answer["path"].as_str().unwrap());
        let words = HOW.iter().find(|(name, _)| *name == how).unwrap().1;
        let output = varve(["cdx", "make", "--lenient", "-q", path].iter().chain(words)).output();
        let ours = String::from_utf8(output.stdout).unwrap();
        let mut ours: Vec<Map<String, Value>> = ours.lines().map(fields).collect();
        let peer: Vec<Map<String, Value>> =
            answer["lines"].as_array().unwrap().iter().map(|line| fields(line.as_str().unwrap())).collect();
        if !answer["error"].is_null() {
            ours.truncate(peer.len());
        }
        let names = differing(how, &peer, &ours);
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().collect();
            let file = Path::new(path).strip_prefix(&dir).unwrap().display();
            let difference = format!("{how} {file} {}", names.join(","));
            if listed.remove(difference.as_str()).is_none() {
                unlisted.push(difference);
            }
        }
    }
    assert!(unlisted.is_empty(), "not in expected_differences.txt:\n{}", unlisted.join("\n"));
    assert!(listed.is_empty(), "no longer differ, take them off the list: {:#?}", listed.keys());
}

/// pywb finds in our ZipNum files what it finds in the plain one.
#[test]
fn pywb_reads_our_zipnum() {
    let Some(python) = testkit::peers::python() else { return };
    let mut lines: Vec<String> = (0..500)
        .map(|number| {
            let (key, time) = (number % 70, 20_140_101_000_000_u64 + number);
            format!("org,example)/{key:03} {time} http://example.org/{key} text/html 200 AAAA - - 1 {number} a.warc.gz")
        })
        .collect();
    lines.sort();
    let mut run = varve(["cdx", "zipnum", "a.cdx", "--output", "packed", "--lines", "10", "--shards", "150"])
        .file("a.cdx", lines.join("\n"));
    assert_eq!(run.output().status.code(), Some(0));
    let script = "from pywb.warcserver.index.zipnum import ZipNumIndexSource\n\
                  for capture in ZipNumIndexSource('packed.idx').load_index({'url': 'http://example.org/007'}):\n \
                  print(str(capture).strip())";
    let output =
        Command::new(python).args(["-W", "ignore", "-c", script]).current_dir(run.folder()).output().unwrap();
    let expect: Vec<&String> = lines.iter().filter(|line| line.starts_with("org,example)/007 ")).collect();
    assert_eq!(expect.len(), 8);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(),
        expect,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
