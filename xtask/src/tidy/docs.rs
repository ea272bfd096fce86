//! Every Rust file opens by saying what it is and what it promises.

use super::Fault;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let opens_well = |text: &str| {
        let first = text.lines().next().unwrap_or_default();
        // A crate's document is its README, see `readmes`.
        first.strip_prefix("//!").is_some_and(|words| !words.trim().is_empty())
            || first.starts_with("#![doc = include_str!(")
    };
    tree.files
        .iter()
        .filter(|file| file.is_rust() && !opens_well(&file.text))
        .map(|file| Fault::new(&file.path, 1, "must open with `//!`: what it is, what it promises"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, faults: usize) {
        assert_eq!(check(&Tree::of(&[("crates/warc/src/a.rs", text)])).len(), faults, "{text}");
    }

    #[test]
    fn a_file_says_what_it_is() {
        check_text("//! Reads records.\n", 0);
        check_text("#![doc = include_str!(\"../README.md\")]\n", 0);
        check_text("//!\n", 1);
        check_text("use std::fmt;\n//! Late.\n", 1);
        check_text("", 1);
    }
}
