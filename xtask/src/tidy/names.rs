//! Names that say nothing are not used for files, modules or crates. Two crates need the same thing? Find its noun.

use super::Fault;
use super::source::{matches, pattern};
use super::tree::Tree;

const BANNED: [&str; 8] = ["utils", "util", "common", "helpers", "helper", "types", "misc", "shared"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    let module = pattern(&format!(r"\bmod\s+({})\b", BANNED.join("|")));
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        let parts = file.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
        for part in parts.filter(|part| BANNED.contains(part)) {
            faults.push(Fault::new(&file.path, 0, format!("`{part}` says nothing: find the noun")));
        }
        for (line, text) in matches(&module, &file.code) {
            faults.push(Fault::new(&file.path, line, format!("`{text}` says nothing: find the noun")));
        }
    }
    for member in tree.crates.iter().filter(|member| BANNED.contains(&member.name.as_str())) {
        faults.push(Fault::new(&member.folder, 0, format!("`{}` says nothing: find the noun", member.name)));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_says_nothing_is_found_wherever_it_is() {
        let tree = Tree::of(&[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/common/mod.rs", ""),
            ("crates/a/src/b.rs", "mod types { }\nmod common_log;\n// mod misc;"),
        ])
        .with_crate("common", &[]);
        assert_eq!(check(&tree).len(), 4);
    }
}
