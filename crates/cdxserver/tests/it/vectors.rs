//! `cdx-queries/*.jsonl`: questions that the tests of pywb ask, over HTTP.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use serde_json::Value;

use super::differences::tally;
use super::world::{World, encoded};

/// The folder of WARC, ARC and CDX vectors.
pub(crate) fn folder() -> Option<PathBuf> {
    testkit::vectors::dir().map(|dir| dir.join("01-warc-arc"))
}

/// The vectors of a file, each with the name it has in `differences.txt`.
pub(crate) fn questions(file: &str) -> Vec<(String, Value)> {
    let Some(folder) = folder() else { return Vec::new() };
    let vectors = testkit::vectors::jsonl(folder.join("cdx-queries").join(file));
    vectors.into_iter().enumerate().map(|(at, vector)| (format!("{file}:{}", at + 1), vector)).collect()
}

/// Loads the files that vectors ask about into collections that are called like them.
fn loaded(folder: &Path) -> World {
    let world = World::new();
    let samples = folder.join("pywb-sample_archive");
    for name in ["iana", "dupes"] {
        let text = fs::read_to_string(samples.join(format!("cdx/{name}.cdx"))).unwrap();
        world.load(name, &text);
        world.load("dupes-iana", &text);
    }
    load_folder(&world, "cdx", &samples.join("cdx"));
    let packed = fs::read(samples.join("zipcdx/zipnum-sample.cdx.gz")).unwrap();
    let (mut rest, mut text) = (packed.as_slice(), String::new());
    while !rest.is_empty() {
        GzDecoder::new(&mut rest).read_to_string(&mut text).unwrap();
        // Blocks have no line end behind their last line.
        text.push('\n');
    }
    world.load("zipnum", &text);
    world
}

/// Loads all files of a folder, in the order of their names.
pub(crate) fn load_folder(world: &World, collection: &str, folder: &Path) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        world.load(collection, &fs::read_to_string(path).unwrap());
    }
}

/// The parameters of a vector as a query.
fn query(input: &Value) -> String {
    let mut pairs = Vec::new();
    if let Some(url) = input["args"].get(0) {
        pairs.push(("url".to_owned(), url.as_str().unwrap().to_owned()));
    }
    for (name, value) in input["kw"].as_object().unwrap() {
        match value {
            Value::Array(values) => {
                pairs.extend(values.iter().map(|value| (name.clone(), value.as_str().unwrap().to_owned())));
            }
            Value::Object(_) => {}
            Value::String(text) => pairs.push((name.clone(), text.clone())),
            other => pairs.push((name.clone(), other.to_string())),
        }
    }
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    pairs.join("&")
}

#[test]
fn questions_to_pywb_are_answered_as_pywb_does() {
    let Some(folder) = folder() else { return };
    let world = loaded(&folder);
    let mut tally = tally();
    for (file, standard) in [("pywb-cdx-ops.jsonl", "iana"), ("pywb-zipnum-ops.jsonl", "zipnum")] {
        for (name, vector) in questions(file) {
            let input = &vector["input"];
            let collection = match &input["kw"]["sources"] {
                Value::Object(sources) if sources.contains_key("dir") => "cdx",
                Value::Object(sources) if sources.len() == 2 => "dupes-iana",
                Value::Null => standard,
                other => panic!("{name}: {other}"),
            };
            let answer = world.get(&format!("/cdx/{collection}?{}&output=text", query(input)));
            let found = answer.text().replace('\t', "    ");
            tally.note(&name, found.trim_end(), vector["expect"].as_str().unwrap());
        }
    }
    tally.settle();
}

#[test]
fn keys_are_found_as_by_binary_search() {
    let Some(folder) = folder() else { return };
    let world = loaded(&folder);
    let mut tally = tally();
    for (name, vector) in questions("pywb-binsearch.jsonl") {
        let args: Vec<&str> =
            vector["input"]["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let path = match args.as_slice() {
            [key, matching] => format!("urlkey={}&matchType={matching}", encoded(key)),
            [key, _, matching] => format!("urlkey={}&matchType={matching}", encoded(key)),
            other => panic!("{other:?}"),
        };
        let text = world.get(&format!("/outbackcdx/iana?{path}")).text();
        // A range has a start only; where it ends is up to whoever reads.
        let end = args.get(1).filter(|_| args.len() == 3).copied().unwrap_or("~");
        let lines: Vec<&str> = text.lines().take_while(|line| *line < end).collect();
        tally.note(&name, &lines.join("\n"), vector["expect"].as_str().unwrap());
    }
    tally.settle();
}
