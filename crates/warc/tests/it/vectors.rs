//! Files from public projects, and what other readers found in them.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use warc::{Algorithm, Digest, Options, Reader};

/// What we say of a record, in the words of `expected/records-warcio.jsonl`.
#[derive(Debug)]
struct Found {
    offset: u64,
    length: u64,
    kind: String,
    uri: Option<String>,
    date: Option<String>,
    status: Option<String>,
    media: Option<String>,
    body_length: u64,
    body_sha1: String,
}

fn read(path: &Path, options: Options) -> (Vec<Found>, Vec<warc::Fault>, Option<warc::Error>) {
    let file = std::fs::File::open(path).unwrap();
    let mut found = Vec::new();
    let mut faults = Vec::new();
    let mut reader = match Reader::new(file, options) {
        Ok(reader) => reader,
        Err(error) => return (found, faults, Some(error)),
    };
    loop {
        match read_one(&mut reader) {
            Ok(Some((record, more))) => {
                found.push(record);
                faults.extend(more);
            }
            Ok(None) => {
                faults.extend(reader.take_faults());
                return (found, faults, None);
            }
            Err(error) => {
                faults.extend(reader.take_faults());
                return (found, faults, Some(error));
            }
        }
    }
}

fn read_one<R: Read>(reader: &mut Reader<R>) -> Result<Option<(Found, Vec<warc::Fault>)>, warc::Error> {
    let Some(mut record) = reader.next_record()? else { return Ok(None) };
    let http = record.http()?.map(|http| {
        let status = http.status().map(|status| status.to_string()).or(http.target().map(|t| t.into_owned()));
        (status, http.text("content-type").map(|text| text.into_owned()))
    });
    let (status, media) = http.unwrap_or_default();
    let head = record.head();
    let mut found = Found {
        offset: record.offset(),
        length: 0,
        kind: head.record_type().name().to_owned(),
        uri: head.target_uri().map(|uri| uri.into_owned()),
        date: head.date_text().map(|date| date.into_owned()),
        status,
        media,
        body_length: 0,
        body_sha1: String::new(),
    };
    let mut body = Vec::new();
    if let Err(error) = record.read_to_end(&mut body) {
        return Err(*error.into_inner().unwrap().downcast::<warc::Error>().unwrap());
    }
    found.body_length = body.len() as u64;
    found.body_sha1 = Digest::of(Algorithm::Sha1, &body).hex();
    let (extent, faults) = record.finish_with_faults()?;
    found.length = extent.length;
    Ok(Some((found, faults)))
}

#[test]
fn records_are_those_that_warcio_finds() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let dir = dir.join("01-warc-arc");
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in testkit::vectors::jsonl(&dir.join("expected/records-warcio.jsonl")) {
        files.entry(line["f"].as_str().unwrap().to_owned()).or_default().push(line);
    }
    let mut differ = Vec::new();
    let mut agree = 0;
    for (name, expected) in &files {
        let options = Options { lenient: true, ..Options::default() };
        let (found, _, _) = read(&dir.join(name), options);
        for (n, want) in expected.iter().enumerate() {
            let mut say = |field: &str, got: String| {
                differ.push(format!("{name} #{n} {field}: {got} instead of {}", want[field]));
            };
            let Some(got) = found.get(n) else {
                say("n", "no such record".into());
                continue;
            };
            agree += 1;
            let text = |field: &str| want[field].as_str().map(str::to_owned);
            if Some(got.offset) != want["offset"].as_u64() { say("offset", got.offset.to_string()) }
            if Some(got.length) != want["length"].as_u64() { say("length", got.length.to_string()) }
            if Some(&got.kind) != text("type").as_ref() { say("type", got.kind.clone()) }
            if got.uri != text("uri") { say("uri", format!("{:?}", got.uri)) }
            if got.date != text("date") { say("date", format!("{:?}", got.date)) }
            if got.status != text("status") { say("status", format!("{:?}", got.status)) }
            if got.media != text("mime") { say("mime", format!("{:?}", got.media)) }
            if Some(got.body_length) != want["body_len"].as_u64() { say("body_len", got.body_length.to_string()) }
            if Some(&got.body_sha1) != text("body_sha1").as_ref() { say("body_sha1", got.body_sha1.clone()) }
        }
    }
    eprintln!("{agree} records compared, {} differences", differ.len());
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
