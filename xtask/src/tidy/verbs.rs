//! Checks that no verb of the command line imports another verb's module.
//!
//! A verb is a file or folder of `crates/varve/src/commands/`. What two verbs need lies outside that folder, or in a service.

use super::Fault;
use super::source::{line_of, pattern};
use super::tree::{File, Tree};

const FOLDER: &str = "crates/varve/src/commands/";

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let files: Vec<&File> = tree.files.iter().filter(|file| verb(&file.path).is_some()).collect();
    let mut verbs: Vec<&str> = files.iter().filter_map(|file| verb(&file.path)).collect();
    verbs.sort_unstable();
    verbs.dedup();
    files.iter().flat_map(|file| imports(file, &verbs)).collect()
}

/// The verb whose module a file belongs to; `None` for `commands/mod.rs` and for files elsewhere.
fn verb(path: &str) -> Option<&str> {
    let name = path.strip_prefix(FOLDER)?.split('/').next()?;
    let name = name.strip_suffix(".rs").unwrap_or(name);
    (name != "mod").then_some(name)
}

/// The paths in a file that lead to another verb.
fn imports(file: &File, verbs: &[&str]) -> Vec<Fault> {
    let Some(own) = verb(&file.path) else { return Vec::new() };
    let inside = file.path.strip_prefix(FOLDER).unwrap_or_default();
    // How many `super::` lead from this file's module to `commands`.
    let depth = inside.split('/').count() - usize::from(inside.ends_with("/mod.rs"));
    let path = pattern(r"\b((?:super::)+|(?:crate::)?commands::)(\{[^}]*\}|\w+)");
    let mut faults = Vec::new();
    for found in path.captures_iter(&file.code_without_tests) {
        let (Some(way), Some(names)) = (found.get(1), found.get(2)) else { continue };
        let supers = way.as_str().matches("super::").count();
        if supers != 0 && supers != depth {
            continue;
        }
        let names = names.as_str().split(|char: char| !(char.is_alphanumeric() || char == '_'));
        for name in names.filter(|name| *name != own && verbs.contains(name)) {
            let line = line_of(&file.code_without_tests, way.start());
            let message =
                format!("the verb `{own}` imports the verb `{name}`: move what both need out of `commands`");
            faults.push(Fault::new(&file.path, line, message));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(path: &str, text: &str, faults: usize) {
        let tree = Tree::of(&[
            (&format!("{FOLDER}{path}"), text),
            (&format!("{FOLDER}harvest/mod.rs"), ""),
            (&format!("{FOLDER}get.rs"), ""),
            (&format!("{FOLDER}mod.rs"), "pub(crate) use harvest::run;"),
        ]);
        assert_eq!(check(&tree).len(), faults, "{path}: {text}");
    }

    #[test]
    fn a_verb_imports_no_other_verb() {
        check_text("up/mod.rs", "use crate::commands::harvest::interrupt;", 1);
        check_text("up/mod.rs", "use crate::commands::{get, harvest};", 2);
        check_text("up/mod.rs", "fn run() { super::get::run() }", 1);
        check_text("up/runner.rs", "use super::super::harvest;", 1);
        check_text("fetch.rs", "use super::harvest::interrupt;", 1);
    }

    #[test]
    fn a_verb_imports_its_own_parts_and_what_lies_elsewhere() {
        check_text("up/mod.rs", "use crate::commands::up::runner; use crate::interrupt;", 0);
        check_text("up/runner.rs", "use super::harvest;", 0);
        check_text("up/mod.rs", "#[cfg(test)] mod tests { use super::super::harvest; }", 0);
        check_text("up/mod.rs", "// commands::harvest", 0);
    }
}
