//! What peers say about robots.txt: every case of `03-robots` and `04-sitemaps` passes, or is listed with a reason in
//! `expected_differences.jsonl`. A listed case that passes fails the test, so that the list stays true.

mod sitemaps;
mod txt;

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;
use testkit::vectors;

/// A file of vectors and who answers it: whole case → what we say; `None` if nobody knows the operation.
type File = (&'static str, fn(&Value) -> Option<Value>);

const FILES: [File; 8] = [
    ("03-robots/google-robotstxt.jsonl", txt::answer),
    ("03-robots/google-robotstxt-bom-sitemap.jsonl", txt::answer),
    ("03-robots/crawler-commons.jsonl", txt::answer),
    ("03-robots/protego.jsonl", txt::answer),
    ("03-robots/reppy.jsonl", txt::answer),
    ("03-robots/samclarke-robots-parser.jsonl", txt::answer),
    ("03-robots/temoto-robotstxt.jsonl", txt::answer),
    ("04-sitemaps/sitemap-dates.jsonl", sitemaps::date),
];

#[test]
fn every_case_passes_or_is_listed() {
    let Some(dir) = vectors::dir() else { return };
    let listed = expected_differences();
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for (name, answer) in FILES {
        let cases = cases(&dir.join(name));
        let mut differ = 0;
        for case in &cases {
            let ours = answer(case).unwrap_or_else(|| "nobody answers this".into());
            let id = identity(name, case);
            let is_listed = listed.contains(&id);
            seen.insert(id);
            let pass = same(&ours, &case["expect"]);
            differ += usize::from(!pass);
            match (pass, is_listed) {
                (true, true) => wrong.push(format!("{name}: listed, but passes: {case}")),
                (false, false) => wrong.push(format!("{name}: we say {ours}: {case}")),
                _ => {}
            }
            assert!(pass || !name.contains("google"), "Google's cases all pass: {case}");
        }
        eprintln!("{name}: {} pass, {differ} differ", cases.len() - differ);
    }
    for id in listed.difference(&seen) {
        eprintln!("listed, but not among these vectors: {id}");
    }
    assert!(wrong.is_empty(), "{} surprises:\n{}", wrong.len(), wrong.join("\n"));
}

/// The cases of a file, but for two about halves of a character, which no text of ours can hold.
fn cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let is_whole = |line: &&str| !["\\ud800\"", "\\udc00\""].iter().any(|half| line.contains(half));
    text.lines().filter(is_whole).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The differences we know of, as [`identity`] names them.
fn expected_differences() -> HashSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected_differences.jsonl");
    vectors::jsonl(path)
        .iter()
        .map(|line| {
            assert!(line["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "no reason: {line}");
            identity(line["file"].as_str().unwrap(), line)
        })
        .collect()
}

/// The file and everything that is asked, but for the text of robots.txt, which is told by its sum: it is not ours.
fn identity(file: &str, case: &Value) -> String {
    let mut input = case["input"].clone();
    if let Some(robots) = input.get_mut("robots").filter(|robots| robots.is_string()) {
        let sum = robots
            .as_str()
            .unwrap()
            .bytes()
            .fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        *robots = sum.into();
    }
    format!("{file} {} {input}", case["op"])
}

/// Equal, and 10 seconds are 10.0 seconds.
fn same(ours: &Value, expect: &Value) -> bool {
    ours == expect || (ours.is_number() && ours.as_f64() == expect.as_f64())
}
