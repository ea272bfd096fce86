//! Links between our documents lead somewhere.

use std::collections::HashSet;

use regex::Regex;

use super::Fault;
use super::source::{line_of, pattern};
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut known: HashSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    for file in &tree.files {
        // A link may also lead to a folder.
        known.extend(file.path.match_indices('/').filter_map(|(at, _)| file.path.get(..at)));
    }
    let link = pattern(r"\]\(([^)\s]+)\)");
    tree.files
        .iter()
        .filter(|file| file.path.ends_with(".md"))
        .flat_map(|file| of_file(file, &link, &known))
        .collect()
}

fn of_file(file: &File, link: &Regex, known: &HashSet<&str>) -> Vec<Fault> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut faults = Vec::new();
    for captures in link.captures_iter(&file.text) {
        let Some(target) = captures.get(1) else { continue };
        let path = target.as_str().split('#').next().unwrap_or_default();
        // Other people's pages are not ours to check, and the name of an item in a crate's front page is rustdoc's.
        let is_item = file.path.starts_with("crates/") && !path.contains(['/', '.']);
        if path.is_empty() || path.contains("://") || path.starts_with("mailto:") || is_item {
            continue;
        }
        if !known.contains(join(folder, path).as_str()) {
            let line = line_of(&file.text, target.start());
            faults.push(Fault::new(&file.path, line, format!("the link to `{path}` leads nowhere")));
        }
    }
    faults
}

/// A relative path from a folder, with `.` and `..` resolved.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_file_or_folder() {
        let page =
            "[a](b.md) [b](../README.md#part) [c](https://example.org/x) [d](#here) [e](sub) [f](gone.md)";
        let tree =
            Tree::of(&[("docs/a.md", page), ("docs/b.md", ""), ("README.md", ""), ("docs/sub/x.md", "")]);
        let faults: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(faults, ["docs/a.md:1: the link to `gone.md` leads nowhere"]);
    }

    #[test]
    fn items_in_a_front_page_are_left_to_rustdoc() {
        let page = "[`surt`](surt()) [`Time`](time::Time) [x](gone.md)";
        assert_eq!(check(&Tree::of(&[("crates/urlkey/README.md", page)])).len(), 1);
        assert_eq!(check(&Tree::of(&[("docs/urlkey.md", "[a](surt)")])).len(), 1);
    }
}
