//! Lists of watched pages, as others write them and as we do (E6: `varve watch import` and `export`).
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod changedetection;
mod detection;
mod distill;
mod hostile;
mod jsonl;
mod opml;
mod properties;
mod table;
mod url_list;
mod urlwatch;

use watchlist::{Entry, Limits, List, Rule, Trigger, read};

/// The list of a text, whatever kind it is.
#[track_caller]
fn list(text: &str) -> List {
    read(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The only entry of a list that leaves nothing out.
#[track_caller]
fn one(text: &str) -> Entry {
    let mut list = list(text);
    assert_eq!(list.left_out, []);
    assert_eq!(list.entries.len(), 1, "{:?}", list.entries);
    list.entries.remove(0)
}

/// What is left out of a list, as people read it.
fn left_out(list: &List) -> Vec<String> {
    list.left_out.iter().map(|left| format!("{}: {}", left.place, left.why)).collect()
}

fn rules(rules: &[Rule]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}

fn triggers(triggers: &[Trigger]) -> Vec<String> {
    triggers.iter().map(ToString::to_string).collect()
}
