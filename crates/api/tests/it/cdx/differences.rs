//! Vectors that we differ from on purpose: one per line in `differences.txt`, with a reason.

use std::collections::BTreeMap;

const LIST: &str = include_str!("differences.txt");

/// Gathers how vectors fare and compares with the list.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    passed: Vec<String>,
    failed: BTreeMap<String, String>,
}

impl Tally {
    pub(crate) fn note(&mut self, name: &str, found: &str, expect: &str) {
        if found == expect {
            self.passed.push(name.to_owned());
        } else {
            self.failed.insert(name.to_owned(), format!("expected\n{expect}\nfound\n{found}"));
        }
    }

    /// Fails where a vector differs that is not on the list, or does not differ although it is.
    #[track_caller]
    pub(crate) fn settle(self) {
        let listed = listed();
        let unlisted: Vec<String> = self
            .failed
            .iter()
            .filter(|(name, _)| !listed.contains_key(name.as_str()))
            .map(|(name, what)| format!("{name} differs:\n{what}"))
            .collect();
        assert!(unlisted.is_empty(), "{}", unlisted.join("\n\n"));
        let mended: Vec<&String> =
            self.passed.iter().filter(|name| listed.contains_key(name.as_str())).collect();
        assert!(mended.is_empty(), "no longer differ, take them off the list: {mended:?}");
    }
}

fn listed() -> BTreeMap<&'static str, &'static str> {
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no reason given: {line}"))).collect()
}
