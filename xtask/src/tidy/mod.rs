//! `cargo xtask tidy`: the rules of the house that compiler and clippy cannot check.
//!
//! Each rule is a file with one function from the [`Tree`] to its faults, and is tested on small trees made in memory.

mod arrows;
mod calls;
mod docs;
pub(crate) mod graph;
mod links;
mod migrations;
mod names;
mod paths;
mod readmes;
mod sizes;
mod source;
mod tree;
mod unused;
mod verbs;

use std::fmt;

use anyhow::bail;

use tree::Tree;

/// Something that is against a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    path: String,
    /// Counted from 1; 0 where the whole file is meant.
    line: usize,
    message: String,
}

impl Fault {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// All rules, in the order of `STYLE`'s chapters.
const RULES: &[fn(&Tree) -> Vec<Fault>] = &[
    arrows::check,
    graph::check,
    verbs::check,
    unused::check,
    readmes::check,
    names::check,
    sizes::check,
    docs::check,
    calls::check,
    paths::check,
    links::check,
    migrations::check,
];

/// Reads the project, prints the report on sizes, and fails if any rule is broken.
pub(crate) fn run() -> anyhow::Result<()> {
    let tree = Tree::read()?;
    sizes::report(&tree).iter().for_each(|line| println!("  {line}"));
    let mut faults: Vec<Fault> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    faults.sort();
    if faults.is_empty() {
        return Ok(());
    }
    faults.iter().for_each(|fault| println!("{fault}"));
    bail!("tidy found {} faults; to run it again:\n  cargo xtask tidy", faults.len())
}
