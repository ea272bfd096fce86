//! What peers say about URLs: every case of `02-url-canon` passes, or is listed with a reason in
//! `expected_differences.jsonl`. A listed case that passes fails the test, so that the list stays true.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::print_stderr, missing_docs)]
// Test data is read whole; its size is known.
#![allow(clippy::disallowed_methods)]

mod peers;

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;
use testkit::vectors;

/// The most of all cases that may differ, in percent.
const PERCENT_MAX: usize = 3;

#[test]
fn every_case_passes_or_is_listed() {
    let Some(dir) = vectors::dir() else { return };
    let listed = expected_differences();
    let mut seen = HashSet::new();
    let (mut total, mut differ) = (0, 0);
    let mut wrong = Vec::new();
    for file in peers::FILES {
        let cases = vectors::jsonl(dir.join("02-url-canon").join(file.name));
        let mut differ_here = 0;
        for case in &cases {
            let (pass, ours) = judge(file, case);
            let id = identity(file.name, case);
            let expected = listed.contains(&id);
            seen.insert(id);
            differ_here += usize::from(!pass);
            match (pass, expected) {
                (true, true) => wrong.push(format!("{}: listed, but passes: {case}", file.name)),
                (false, false) => wrong.push(format!("{}: we say {ours}: {case}", file.name)),
                _ => {}
            }
        }
        eprintln!("{}: {} pass, {differ_here} differ", file.name, cases.len() - differ_here);
        total += cases.len();
        differ += differ_here;
    }
    eprintln!("all: {} pass, {differ} differ", total - differ);
    for id in listed.difference(&seen) {
        eprintln!("listed, but not among these vectors: {id}");
    }
    assert!(wrong.is_empty(), "{} surprises:\n{}", wrong.len(), wrong.join("\n"));
    assert!(differ * 100 <= total * PERCENT_MAX, "{differ} of {total} differ");
}

fn judge(file: &peers::File, case: &Value) -> (bool, Value) {
    let op = case["op"].as_str().unwrap();
    let ours = (file.answer)(op, &case["input"], case).unwrap_or_else(|| "nobody answers this".into());
    let expect = &case["expect"];
    let must_fail =
        |value: &Value| ["$error", "error", "failure"].iter().any(|mark| value.get(mark).is_some());
    let pass = if must_fail(expect) || must_fail(&ours) {
        must_fail(expect) && must_fail(&ours)
    } else {
        peers::same(&ours, expect)
    };
    (pass, ours)
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

fn identity(file: &str, case: &Value) -> String {
    format!("{file} {} {}", case["op"], case["input"])
}
