//! Vectors that we differ from on purpose: a list beside the tests, one name a line, with a reason behind a colon.

use std::collections::BTreeMap;

/// Gathers how vectors fare and compares with the list.
#[derive(Debug)]
pub struct Tally {
    list: &'static str,
    passed: Vec<String>,
    failed: BTreeMap<String, String>,
}

impl Tally {
    /// Nothing yet. Lines of the list that begin with `#` say nothing.
    pub fn against(list: &'static str) -> Tally {
        Tally { list, passed: Vec::new(), failed: BTreeMap::new() }
    }

    /// How one vector fares.
    pub fn note(&mut self, name: &str, found: &str, expect: &str) {
        if found == expect {
            self.passed.push(name.to_owned());
        } else {
            self.failed.insert(name.to_owned(), format!("expected\n{expect}\nfound\n{found}"));
        }
    }

    /// Compares with the list.
    ///
    /// # Panics
    /// Where a vector differs that is not on the list, or does not differ although it is.
    #[track_caller]
    pub fn settle(self) {
        let listed = self.listed();
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

    fn listed(&self) -> BTreeMap<&'static str, &'static str> {
        let lines = self.list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no reason given: {line}"))).collect()
    }
}
