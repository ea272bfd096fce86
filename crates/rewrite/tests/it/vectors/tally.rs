//! How the cases of a file fare, held against the list of those that differ.

use std::collections::{BTreeMap, BTreeSet};

const LIST: &str = include_str!("expected_differences.txt");

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

    /// Notes what was expected and what came out; nothing, if it is asked of no rewriter.
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
        let listed = listed();
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
        let silent: Vec<&String> = not_asked.iter().filter(|name| !is_listed(name)).collect();
        assert!(silent.is_empty(), "not asked and not listed: {silent:?}");
        let mended: Vec<&String> = passed.iter().filter(|name| is_listed(name)).collect();
        assert!(mended.is_empty(), "no longer differ, take them off the list: {mended:?}");
        let counts = super::COUNTS.iter().find(|(name, ..)| *name == file);
        assert_eq!(counts, Some(&(&*file, passed.len(), passed.len() + failed.len())));
    }
}

fn listed() -> BTreeMap<&'static str, &'static str> {
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap_or_else(|| panic!("no reason given: {line}"))).collect()
}
