//! Finds and reads the shared pile of test data (`vectors/`), which lives outside the repository.
//!
//! The files belong to many projects under many licences, so they are read in place and never copied here. A checkout
//! without them is a normal thing: [`dir`] then says so once on standard error and the test that asked goes on.

// Test data is read whole; its size is known.
#![allow(clippy::disallowed_methods)]
// A skipped test must not be silent.
#![allow(clippy::print_stderr)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use serde_json::Value;

/// The folder of the vectors: `$VARVE_VECTORS`, or else `../shared/vectors` beside the workspace.
///
/// Where neither is there, `None`, and one line on standard error says so. A `$VARVE_VECTORS` that does not exist is
/// a mistake of whoever set it, so it fails the test instead.
pub fn dir() -> Option<PathBuf> {
    static TOLD: Once = Once::new();
    if let Some(named) = env::var_os("VARVE_VECTORS").filter(|name| !name.is_empty()) {
        let dir = PathBuf::from(named);
        assert!(dir.is_dir(), "$VARVE_VECTORS is `{}`, which is not a folder", dir.display());
        return Some(dir);
    }
    let dir = workspace_root().parent()?.join("shared").join("vectors");
    if dir.is_dir() {
        return Some(dir);
    }
    TOLD.call_once(|| {
        eprintln!(
            "testkit: no shared vectors at `{}` nor in $VARVE_VECTORS; skipping the tests that need them",
            dir.display()
        );
    });
    None
}

/// Reads a file with one JSON value per line, whole. Blank lines are passed over.
///
/// # Panics
/// When the file cannot be read or a line is not JSON: the message names file and line.
#[track_caller]
pub fn jsonl(path: impl AsRef<Path>) -> Vec<Value> {
    let path = path.as_ref();
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    parse_jsonl(&text).unwrap_or_else(|(line, error)| panic!("{}:{line}: {error}", path.display()))
}

/// The root of this workspace as it was when the tests were built.
pub fn workspace_root() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap_or(crate_dir).to_path_buf()
}

/// The values of all lines, or the number of the first bad line and what ails it.
fn parse_jsonl(text: &str) -> Result<Vec<Value>, (usize, serde_json::Error)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| serde_json::from_str(line).map_err(|error| (number + 1, error)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_passed_over() {
        let values = parse_jsonl("{\"a\":1}\n\n  \n[2]\n").unwrap();
        assert_eq!(values.len(), 2);
    }

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        let (line, _) = parse_jsonl("1\n\nnot json\n").unwrap_err();
        assert_eq!(line, 3);
    }

    #[test]
    fn the_workspace_root_holds_the_lock_file() {
        assert!(workspace_root().join("Cargo.lock").is_file());
    }
}
