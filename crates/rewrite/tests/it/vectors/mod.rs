//! Other projects' cases, read in place from the shared pile.
//!
//! Their designs differ from ours, so that texts are not compared but what a browser makes of them: the sequence of archived
//! URLs it would ask for, and the uses of `location` that are caught. Those that differ all the same are listed, each with
//! its reason, in `expected_differences.txt`; one that no longer differs must be taken off. Those of which nothing can be asked
//! are in `not_asked.txt`, and only those.

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

/// Of each file, how many cases pass, how many were asked, and how many there are.
const COUNTS: [(&str, usize, usize, usize); 12] = [
    ("openwayback-html-rewrite", 16, 16, 16),
    ("openwayback-meta-refresh", 4, 4, 4),
    ("openwayback-srcset", 1, 1, 1),
    ("pywb-content-rewrite", 30, 32, 32),
    ("pywb-cookie-rewrite", 5, 6, 8),
    ("pywb-html-insert", 4, 4, 4),
    ("pywb-html-rewrite", 61, 62, 62),
    ("pywb-js-css-xml-rewrite", 48, 49, 49),
    ("pywb-url-rewrite", 22, 22, 28),
    ("pywb-wburl", 16, 17, 20),
    ("solrwayback-pairs", 6, 7, 7),
    ("wabac-rewrite", 106, 113, 113),
];

#[test]
fn nineteen_of_twenty_behave_alike() {
    let (mut passed, mut asked, mut all) = (0, 0, 0);
    for (_, of_passed, of_asked, of_all) in COUNTS {
        (passed, asked, all) = (passed + of_passed, asked + of_asked, all + of_all);
    }
    println!("all files: {passed} of {asked} asked pass; there are {all}");
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
