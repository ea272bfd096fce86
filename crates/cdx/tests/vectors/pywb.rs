//! `pywb-cdx-ops.jsonl`: questions to a CDX server.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use cdx::merge::{Merge, Options};
use cdx::query::{Collapse, Filter, KeyRange, Order, Query, TimeRange};
use cdx::search::SortedFile;
use cdx::{Capture, Field, Format, Layout, Limits, Reader, Timestamp};
use serde_json::Value;
use urlkey::Match;

use crate::differences::tally;

#[test]
fn questions_are_answered_as_pywb_does() {
    let mut tally = tally();
    for (name, vector) in crate::questions("pywb-cdx-ops.jsonl") {
        let input = &vector["input"];
        let url = input["args"].get(0).unwrap_or(&input["kw"]["url"]).as_str().unwrap();
        let lines = answer(url, &input["kw"]);
        tally.note(&name, &lines.join("\n"), vector["expect"].as_str().unwrap());
    }
    tally.settle();
}

fn answer(url: &str, kw: &Value) -> Vec<String> {
    let query = query(kw);
    let mut layout = if query.resolve_revisits { Layout::cdx14() } else { Layout::cdx11() };
    if let Some(fields) = kw["fields"].as_str() {
        layout = Layout::of_fields(fields.split(',').map(Field::named));
    }
    let captures = captures(&range(url, kw["matchType"].as_str()), &sources(kw));
    query
        .run(captures.into_iter().map(Ok))
        .map(|capture| {
            let mut out = Vec::new();
            layout.write(&capture.unwrap(), &mut out);
            String::from_utf8(out).unwrap()
        })
        .collect()
}

/// What is asked, as pywb's parameters say it.
fn query(kw: &Value) -> Query {
    let text = |name: &str| match &kw[name] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let filters = match &kw["filter"] {
        Value::Array(filters) => filters.iter().map(|filter| filter.as_str().unwrap().to_owned()).collect(),
        Value::String(filter) => vec![filter.clone()],
        _ => Vec::new(),
    };
    let closest = text("closest").map(|time| Timestamp::parse(&time).unwrap());
    let reverse = kw["reverse"].as_bool() == Some(true);
    Query {
        resolve_revisits: kw["resolveRevisits"].as_bool() == Some(true),
        filters: filters.iter().map(|filter| Filter::pywb(filter).unwrap()).collect(),
        time: TimeRange::parse(text("from_ts").as_deref(), text("to").as_deref()).unwrap(),
        collapse: text("collapseTime").map(|digits| Collapse::by_time(digits.parse().unwrap())),
        order: match closest {
            Some(time) => Order::Nearest(time),
            None if reverse => Order::Reverse,
            None => Order::Forward,
        },
        limit: text("limit").map_or(Query::default().limit, |limit| limit.parse().unwrap()),
    }
}

/// The range of keys that a URL asks for.
pub(crate) fn range(url: &str, match_type: Option<&str>) -> KeyRange {
    let (url, matching) = if let Some(host) = url.strip_prefix("*.") {
        (host, Match::Domain)
    } else if let Some(prefix) = url.strip_suffix('*') {
        (prefix, Match::Prefix)
    } else {
        (url, match_type.map_or(Match::Exact, |name| name.parse().unwrap()))
    };
    urlkey::key_range(url, matching).unwrap().into()
}

fn sources(kw: &Value) -> Vec<PathBuf> {
    let folder = crate::folder().unwrap().join("pywb-sample_archive");
    let Some(sources) = kw["sources"].as_object() else { return vec![folder.join("cdx/iana.cdx")] };
    let mut paths = Vec::new();
    for path in sources.values().map(|path| folder.join(path.as_str().unwrap())) {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

/// The captures of all sources, merged.
fn captures(range: &KeyRange, sources: &[PathBuf]) -> Vec<Capture<'static>> {
    let lines: Vec<Vec<u8>> = sources.iter().map(|path| found(range, path)).collect();
    let mut out = Vec::new();
    Merge::new(lines.iter().map(Vec::as_slice), &Options::default()).unwrap().write_to(&mut out).unwrap();
    Reader::new(out.as_slice()).map(Result::unwrap).collect()
}

/// The lines of a file in a range, all as CDX-11 so that they can be merged.
fn found(range: &KeyRange, path: &Path) -> Vec<u8> {
    let mut reader = Reader::new(BufReader::new(File::open(path).unwrap()));
    reader.next_capture();
    let format = reader.format().unwrap();
    let mut file = SortedFile::new(File::open(path).unwrap(), Limits::default()).unwrap();
    let mut found = file.find(range).unwrap();
    let mut out = Vec::new();
    while let Some(line) = found.next_line().unwrap() {
        let capture = format.parse(line, &Limits::default()).unwrap();
        Format::Cdx(Layout::cdx11()).write(&capture, &mut out);
        out.push(b'\n');
    }
    out
}
