//! Other people's answers: those that pywb gave on its sample archive, and those of the Internet Archive.
//!
//! What differs on purpose stands in `expected_differences.txt`, one a line, with its reason; one that is listed and agrees fails the
//! test, so that the list stays true.

mod compare;
mod ia;
mod recorded;
mod sample;

use std::collections::{BTreeMap, BTreeSet};

const LIST: &str = include_str!("expected_differences.txt");

/// Names that are listed under a heading.
fn listed(group: &str) -> BTreeSet<String> {
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let of_group = lines.filter_map(|line| line.split_once(' ').filter(|(name, _)| name.starts_with(group)));
    of_group
        .map(|(name, reason)| {
            assert!(reason.trim().len() > 10, "{name} needs a reason");
            name.to_owned()
        })
        .collect()
}

/// Holds what differs against the list.
#[track_caller]
fn settle(group: &str, asked: usize, differing: &BTreeMap<String, String>) {
    let listed = listed(group);
    let unlisted: Vec<String> = differing
        .iter()
        .filter(|(name, _)| !listed.contains(*name))
        .map(|(name, what)| format!("{name} {what}"))
        .collect();
    let agreeing: Vec<&String> = listed.iter().filter(|name| !differing.contains_key(*name)).collect();
    assert!(
        unlisted.is_empty(),
        "{} of {asked} differ and are not listed:\n{}",
        unlisted.len(),
        unlisted.join("\n")
    );
    assert!(agreeing.is_empty(), "listed as differing, but they agree: {agreeing:?}");
    eprintln!("{group}: {} of {asked} agree, {} differ as listed", asked - differing.len(), differing.len());
}
