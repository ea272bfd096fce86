//! The stored seeds of the fuzz targets (`fuzz/corpus/<target>/`), each handed to a test.
//!
//! The fuzzer starts from these files and the ordinary tests run them, so a finding that was once kept there stays
//! mended. See `fuzz/README.md`.

// Seeds are ours and small: they are read whole.
#![allow(clippy::disallowed_methods)]
// A failure without the name of its file would be of little use.
#![allow(clippy::print_stderr)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::vectors::workspace_root;

/// Hands every seed of a target to `attack`, in the order of their names.
///
/// # Panics
/// When there are no seeds, a seed cannot be read, or `attack` panics: standard error then names the seed.
#[track_caller]
pub fn each(target: &str, attack: impl Fn(&[u8])) {
    let folder = workspace_root().join("fuzz").join("corpus").join(target);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are no seeds in {}", folder.display());
    for path in paths {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        if let Err(cause) = catch_unwind(AssertUnwindSafe(|| attack(&bytes))) {
            eprintln!("the seed is {}", path.display());
            resume_unwind(cause);
        }
    }
}
