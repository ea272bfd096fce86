//! Other projects' cases, read in place from the shared pile.
//!
//! Their designs differ from ours, so that texts are not compared but what a browser makes of them: the sequence of archived
//! URLs it would ask for, and the uses of `location` that are caught. Those that differ all the same are listed, each with
//! its reason, in `expected_differences.txt`; one that no longer differs must be taken off.

mod compare;
mod openwayback;
mod pywb;
mod pywb_content;
mod pywb_scripts;
mod solrwayback;
mod tally;
mod wabac;

use serde_json::Value;
use testkit::vectors;

use tally::Tally;

/// Of each file, how many cases pass and how many were asked.
const COUNTS: [(&str, usize, usize); 12] = [
    ("openwayback-html-rewrite", 16, 16),
    ("openwayback-meta-refresh", 4, 4),
    ("openwayback-srcset", 1, 1),
    ("pywb-content-rewrite", 29, 31),
    ("pywb-cookie-rewrite", 5, 5),
    ("pywb-html-insert", 4, 4),
    ("pywb-html-rewrite", 61, 62),
    ("pywb-js-css-xml-rewrite", 48, 49),
    ("pywb-url-rewrite", 16, 17),
    ("pywb-wburl", 14, 15),
    ("solrwayback-pairs", 6, 7),
    ("wabac-rewrite", 105, 112),
];

#[test]
fn nineteen_of_twenty_behave_alike() {
    let (passed, asked) = COUNTS.iter().fold((0, 0), |(p, a), (_, passed, asked)| (p + passed, a + asked));
    println!("all files: {passed} of {asked} pass");
    assert!(passed * 100 >= asked * 95, "{passed} of {asked}");
}

/// Hands each case of a file to a check, which gives what was expected and what came out, and settles the account.
#[track_caller]
fn each(file: &str, check: impl Fn(&Value) -> Option<(String, String)>) {
    let Some(folder) = vectors::dir() else { return };
    let mut tally = Tally::new(file);
    for (number, case) in
        vectors::jsonl(folder.join("05-links-rewrite").join(format!("{file}.jsonl"))).iter().enumerate()
    {
        tally.note(&format!("{file}:{}", number + 1), check(case));
    }
    tally.settle();
}

/// A string of a case.
#[track_caller]
fn string<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("no {path} in {value}"))
}
