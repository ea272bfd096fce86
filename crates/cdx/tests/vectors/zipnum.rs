//! `pywb-zipnum-ops.jsonl`: questions to a ZipNum file.

use std::fs::File;
use std::io::BufReader;

use cdx::query::KeyRange;
use cdx::zipnum::{Entry, Locations, ZipNum, read_block};
use cdx::{Layout, Limits};
use serde_json::Value;

use crate::differences::tally;

fn lines(kw: &Value) -> Vec<String> {
    let folder = crate::folder().unwrap().join("pywb-sample_archive/zipcdx");
    let locations = File::open(folder.join("zipnum-sample.loc")).unwrap();
    let locations = Locations::read(BufReader::new(locations), &Limits::default()).unwrap();
    let index = File::open(folder.join("zipnum-sample.idx")).unwrap();
    let blocks = |entry: &Entry, packed: &mut Vec<u8>| {
        let mut places =
            locations.of(&entry.part).iter().filter_map(|path| File::open(folder.join(path)).ok());
        read_block(&mut places.next().unwrap(), entry, packed)
    };
    let mut zipnum = ZipNum::new(index, blocks, Limits::default()).unwrap();
    let range = match kw["url"].as_str().unwrap() {
        "*" => KeyRange::prefix(""),
        url => crate::pywb::range(url, kw["matchType"].as_str()),
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    if kw["showPagedIndex"] == Value::Bool(true) {
        let size = kw["pageSize"].as_u64().unwrap_or(10) as usize;
        let page = kw["page"].as_u64().unwrap_or_default() as usize;
        let entries = zipnum.entries(&range, page * size, size).unwrap();
        let line = |entry: &Entry| {
            let mut out = Vec::new();
            entry.write(&mut out);
            text(&out).replace('\t', "    ")
        };
        return entries.iter().map(line).collect();
    }
    let mut found = zipnum.find(&range).unwrap();
    let mut lines = Vec::new();
    while let Some(line) = found.next_line().unwrap() {
        lines.push(text(line));
    }
    lines
}

#[test]
fn questions_are_answered_as_pywb_does() {
    let mut tally = tally();
    for (name, vector) in crate::questions("pywb-zipnum-ops.jsonl") {
        tally.note(&name, &lines(&vector["input"]["kw"]).join("\n"), vector["expect"].as_str().unwrap());
    }
    tally.settle();
}

#[test]
fn every_line_is_read_and_written_as_it_was() {
    if crate::folder().is_none() {
        return;
    }
    let lines = lines(&serde_json::json!({"url": "*"}));
    assert!(lines.len() > 100, "{}", lines.len());
    for line in lines {
        let mut out = Vec::new();
        Layout::cdx11().write(&Layout::cdx11().parse(line.as_bytes()).unwrap(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), line);
    }
}

#[test]
fn a_part_that_cannot_be_found_is_an_error() {
    let Some(folder) = crate::folder() else { return };
    let index = File::open(folder.join("pywb-sample_archive/zipcdx/zipnum-bad.idx")).unwrap();
    let blocks = |_: &Entry, _: &mut Vec<u8>| Err(std::io::ErrorKind::NotFound.into());
    let mut zipnum = ZipNum::new(index, blocks, Limits::default()).unwrap();
    let error = zipnum.find(&KeyRange::exact("org,iana)/")).unwrap().next_line().unwrap_err();
    assert_eq!(error.to_string(), "cannot read the block at byte 0 of part `foo`");
}
