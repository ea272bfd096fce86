//! What peers say of everything but HTML: every case passes, or is listed with a reason in `expected_differences.jsonl`. A
//! listed case that passes fails the test, so that the list stays true.

mod heritrix;
mod lychee;
mod w3lib;
mod whatwg;
mod zeno;

use std::collections::HashSet;
use std::path::Path;

use extract::{Hop, Limits, Link, Links};
use serde_json::{Value, json};
use testkit::vectors;

/// A file of cases, and who answers them.
struct File {
    path: &'static str,
    /// Whether the answer is right, and what it is; `None` for cases that are another test's, such as those of HTML.
    judge: fn(&Value) -> Option<(bool, Value)>,
    /// Operations that are no question to this crate, and whose they are; those of HTML are tried beside this.
    not_ours: &'static [(&'static str, &'static str)],
}

const FILES: &[File] = &[
    File { path: "05-links-rewrite/heritrix-extractors.jsonl", judge: heritrix::links, not_ours: HTML },
    File { path: "05-links-rewrite/heritrix-likely-uri.jsonl", judge: heritrix::likely, not_ours: &[] },
    File { path: "05-links-rewrite/lychee-extract.jsonl", judge: lychee::links, not_ours: HTML },
    File { path: "05-links-rewrite/webarchive-commons-css.jsonl", judge: lychee::commons_css, not_ours: &[] },
    File { path: "05-links-rewrite/zeno-extractors.jsonl", judge: zeno::judge, not_ours: zeno::NOT_OURS },
    File { path: "06-dates-charset-mime/dates.jsonl", judge: w3lib::date, not_ours: w3lib::TIMES },
    File { path: "06-dates-charset-mime/whatwg-mime-types.jsonl", judge: whatwg::mime, not_ours: &[] },
    File {
        path: "06-dates-charset-mime/whatwg-content-type-headers.jsonl",
        judge: whatwg::headers,
        not_ours: &[],
    },
    File { path: "06-dates-charset-mime/whatwg-encoding-labels.jsonl", judge: whatwg::label, not_ours: &[] },
    File {
        path: "06-dates-charset-mime/html5lib-encoding.jsonl",
        judge: whatwg::html_encoding,
        not_ours: &[],
    },
    File { path: "06-dates-charset-mime/content-sniffing.jsonl", judge: whatwg::sniff, not_ours: &[] },
    File { path: "06-dates-charset-mime/nosniff.jsonl", judge: whatwg::nosniff, not_ours: &[] },
    File { path: "06-dates-charset-mime/w3lib-encoding.jsonl", judge: w3lib::encoding, not_ours: &[] },
    File {
        path: "06-dates-charset-mime/w3lib-http-headers.jsonl",
        judge: w3lib::nobody,
        not_ours: w3lib::NOT_OURS,
    },
    File {
        path: "06-dates-charset-mime/archive-utils.jsonl",
        judge: w3lib::nobody,
        not_ours: w3lib::NOT_OURS,
    },
];

const HTML: &[(&str, &str)] =
    &[("extract_links", "those of HTML are tried with its reader"), ("extract_html_links", "as above")];

/// Of the cases of other crawlers and link checkers, as many percent must pass.
const CRAWLERS_PERCENT_MIN: usize = 95;

#[test]
fn every_case_passes_or_is_listed() {
    let Some(dir) = vectors::dir() else { return };
    let listed = expected_differences();
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    let (mut crawlers_pass, mut crawlers_all) = (0, 0);
    for file in FILES {
        let (mut pass, mut differ, mut passed_over) = (0, 0, 0);
        for case in vectors::jsonl(dir.join(file.path)) {
            let Some((right, ours)) = (file.judge)(&case) else {
                let known = file.not_ours.iter().any(|(op, _)| case["op"] == *op);
                assert!(known, "{}: nobody answers {case}", file.path);
                passed_over += 1;
                continue;
            };
            let id = identity(file.path, &case);
            let expected = listed.contains(&id);
            seen.insert(id);
            pass += usize::from(right);
            differ += usize::from(!right);
            match (right, expected) {
                (true, true) => wrong.push(format!("{}: listed, but passes: {case}", file.path)),
                (false, false) => wrong.push(format!("{}: we say {ours}: {case}", file.path)),
                _ => {}
            }
        }
        eprintln!("{}: {pass} pass, {differ} differ, {passed_over} are not for this test", file.path);
        if file.path.starts_with("05-links") {
            crawlers_pass += pass;
            crawlers_all += pass + differ;
        }
    }
    for id in listed.difference(&seen) {
        eprintln!("listed, but not among these vectors: {id}");
    }
    assert!(wrong.is_empty(), "{} surprises:\n{}", wrong.len(), wrong.join("\n"));
    assert!(crawlers_pass * 100 >= crawlers_all * CRAWLERS_PERCENT_MIN, "{crawlers_pass} of {crawlers_all}");
}

/// The differences we know of.
fn expected_differences() -> HashSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/vectors/expected_differences.jsonl");
    let lines = vectors::jsonl(path);
    let reasoned = lines.iter().inspect(|line| {
        assert!(line["reason"].as_str().is_some_and(|reason| reason.len() > 20), "no reason: {line}");
    });
    reasoned.map(|line| identity(line["file"].as_str().unwrap(), line)).collect()
}

fn identity(file: &str, case: &Value) -> String {
    let file = file.rsplit('/').next().unwrap();
    format!("{file} {} {}", case["op"], case["input"])
}

/// The links that a reader finds.
fn found(read: impl FnOnce(&mut Links)) -> Vec<Link> {
    let mut links = Links::new(&Limits::default());
    read(&mut links);
    links.into_vec()
}

fn references(links: &[Link]) -> Vec<String> {
    links.iter().map(|link| link.reference.clone()).collect()
}

/// Resolved as a crawler would; in order, without doubles.
fn resolved(links: &[Link], base: &str) -> Vec<String> {
    let mut urls: Vec<String> = links
        .iter()
        .filter_map(|link| urlkey::parse_whatwg(&link.reference, Some(base)).ok())
        .map(String::from)
        .collect();
    urls.sort();
    urls.dedup();
    urls
}

/// Texts of a list, each put the way the URL standard writes it, in order.
fn normal(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    let mut urls: Vec<String> = texts
        .filter_map(|text| text.as_str().or_else(|| text["Raw"].as_str()).or_else(|| text["uri"].as_str()))
        .map(|text| urlkey::parse_whatwg(text, None).map_or(text.to_owned(), String::from))
        .collect();
    urls.sort();
    urls.dedup();
    urls
}

fn same(ours: Vec<String>, expect: &Value) -> (bool, Value) {
    let mut shown = ours.clone();
    shown.iter_mut().for_each(|text| {
        if let Ok(url) = urlkey::parse_whatwg(text, None) {
            *text = url.into();
        }
    });
    shown.sort();
    shown.dedup();
    (shown == normal(expect), json!(ours))
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    if let Some(text) = value.as_str().or_else(|| value["$bytes"].as_str()).or_else(|| value["text"].as_str())
    {
        return Some(text.as_bytes().to_vec());
    }
    let base64 = value["$b64"].as_str().or_else(|| value["b64"].as_str())?;
    Some(data_encoding::BASE64.decode(base64.as_bytes()).unwrap())
}

fn is_embed(link: &Link) -> bool {
    link.hop == Hop::Embed
}
