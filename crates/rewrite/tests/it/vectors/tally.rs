//! How the cases of a file fare, held against the lists of those that differ and of those of which nothing can be asked.

use std::collections::{BTreeMap, BTreeSet};

const DIFFERENCES: &str = include_str!("expected_differences.txt");
const NOT_ASKED: &str = include_str!("not_asked.txt");

/// How the cases of one file fare.
#[derive(Debug)]
pub(crate) struct Tally {
    file: String,
    passed: BTreeSet<String>,
    failed: BTreeMap<String, String>,
    not_asked: BTreeSet<String>,
}

impl Tally {
    pub(crate) fn new(file: &str) -> Tally {
        Tally {
            file: file.to_owned(),
            passed: BTreeSet::new(),
            failed: BTreeMap::new(),
            not_asked: BTreeSet::new(),
        }
    }

    /// Notes what was expected and what came out; nothing, if nothing could be asked.
    pub(crate) fn note(&mut self, name: &str, outcome: Option<(String, String)>) {
        match outcome {
            None => drop(self.not_asked.insert(name.to_owned())),
            Some((expected, found)) if expected == found => drop(self.passed.insert(name.to_owned())),
            Some((expected, found)) => {
                self.failed.insert(name.to_owned(), format!("expected\n{expected}\nfound\n{found}"));
            }
        }
    }

    /// Fails where a case differs that is not listed, or is listed and passes, or counts are not those of the table.
    #[track_caller]
    pub(crate) fn settle(self) {
        let Tally { file, passed, failed, not_asked } = self;
        println!("{file}: {} pass, {} differ, {} not asked", passed.len(), failed.len(), not_asked.len());
        let listed = listed(DIFFERENCES);
        let is_listed = |name: &String| listed.contains_key(name.as_str());
        let unlisted: Vec<String> = failed
            .iter()
            .filter(|(name, _)| !is_listed(name))
            .map(|(name, what)| format!("{name}\n{what}"))
            .collect();
        assert!(
            unlisted.is_empty(),
            "{} differ and are not listed:\n{}",
            unlisted.len(),
            unlisted.join("\n\n")
        );
        let start = format!("{file}:");
        let excused = self::listed(NOT_ASKED);
        let excused: BTreeSet<&str> =
            excused.keys().filter(|name| name.starts_with(&start)).copied().collect();
        let silent: BTreeSet<&str> = not_asked.iter().map(String::as_str).collect();
        assert_eq!(silent, excused, "those of which nothing was asked, and those that are listed so");
        let mended: Vec<&String> = passed.iter().filter(|name| is_listed(name)).collect();
        assert!(mended.is_empty(), "no longer differ, take them off the list: {mended:?}");
        let counts = super::COUNTS.iter().find(|(name, ..)| *name == file);
        let (passed, failed, not_asked) = (passed.len(), failed.len(), not_asked.len());
        assert_eq!(counts, Some(&(&*file, passed, passed + failed, passed + failed + not_asked)));
    }
}

fn listed(list: &'static str) -> BTreeMap<&'static str, &'static str> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap_or_else(|| panic!("no reason given: {line}"))).collect()
}
