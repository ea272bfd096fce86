//! How long files and functions are: a report to think about, and a limit that only tables may pass.

use regex::Regex;

use super::Fault;
use super::source::{item_end, line_of, pattern};
use super::tree::{File, Tree};

/// From here on a file is asked what second thing lives in it.
const FILE_LINES_ASK: usize = 500;
/// From here on it must be a table.
const FILE_LINES_MAX: usize = 1000;
/// A function fits on a screen.
const FUNCTION_LINES: usize = 70;

/// The tables, with the reason for each.
const TABLES: [(&str, &str); 1] =
    [("crates/extract/src/html/reference/table.rs", "the named characters of HTML, one a line")];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let is_table = |file: &File| TABLES.iter().any(|(path, _)| *path == file.path);
    let rust = tree.files.iter().filter(|file| file.is_rust() && !is_table(file));
    rust.filter_map(|file| {
        let lines = file.text.lines().count();
        let message = || format!("has {lines} lines; over {FILE_LINES_MAX} only a table may have");
        (lines > FILE_LINES_MAX).then(|| Fault::new(&file.path, 0, message()))
    })
    .collect()
}

/// What deserves a look, longest first.
pub(super) fn report(tree: &Tree) -> Vec<String> {
    let rust = || tree.files.iter().filter(|file| file.is_rust());
    let mut found: Vec<(usize, String)> = rust()
        .map(|file| (file.text.lines().count(), file.path.clone()))
        .filter(|(lines, _)| *lines > FILE_LINES_ASK)
        .collect();
    let head = pattern(r"\bfn\s+(\w+)");
    found.extend(rust().flat_map(|file| long_functions(file, &head)));
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(lines, what)| format!("{lines:>5} lines: {what}")).collect()
}

/// The functions of a file that do not fit on a screen.
fn long_functions(file: &File, head: &Regex) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for captures in head.captures_iter(&file.code) {
        let (Some(whole), Some(name)) = (captures.get(0), captures.get(1)) else { continue };
        let from = file.code.get(whole.start()..).unwrap_or_default();
        let lines = line_of(from, item_end(from));
        if lines > FUNCTION_LINES {
            let line = line_of(&file.code, whole.start());
            found.push((lines, format!("{}:{line} fn {}", file.path, name.as_str())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_very_long_files_fail() {
        let tree = Tree::of(&[
            ("a.rs", &"\n".repeat(1000)),
            ("b.rs", &"\n".repeat(1001)),
            ("c.md", &"\n".repeat(2000)),
        ]);
        assert_eq!(check(&tree).len(), 1);
        assert_eq!(report(&tree).len(), 2);
    }

    #[test]
    fn a_long_function_is_reported_with_its_place() {
        let short = format!("fn a() {{\n{}}}\n", "x;\n".repeat(68));
        let long = format!("fn b() {{\n{}}}\n", "x;\n".repeat(69));
        let tree = Tree::of(&[("a.rs", &format!("{short}{long}"))]);
        assert_eq!(report(&tree), ["   71 lines: a.rs:71 fn b"]);
    }
}
