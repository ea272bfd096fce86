//! No file knows the machine it was written on: no home or work folder, and no package registry's host.

use super::Fault;
use super::source::line_of;
use super::tree::{File, Tree};

/// The hosts are put together here, so that this file passes its own check.
const HOSTS: [&str; 5] = [
    concat!("://", "crates.", "io"),
    concat!("://", "static.crates.", "io"),
    concat!("://", "py", "pi.org"),
    concat!("://", "files.python", "hosted.org"),
    concat!("://", "registry.npm", "js.org"),
];

/// The lock file names the registry because cargo does.
const EXEMPT: [&str; 1] = ["Cargo.lock"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let files =
        tree.files.iter().filter(|file| !EXEMPT.contains(&file.path.rsplit('/').next().unwrap_or_default()));
    files.flat_map(|file| of_file(file, &tree.private_folders)).collect()
}

fn of_file(file: &File, private_folders: &[String]) -> Vec<Fault> {
    let fault = |at: usize, message: String| Fault::new(&file.path, line_of(&file.text, at), message);
    let mut faults = Vec::new();
    for host in HOSTS {
        let found = file.text.match_indices(host);
        faults.extend(found.map(|(at, _)| fault(at, "names the host of a package registry".to_owned())));
    }
    for folder in private_folders {
        let found = file.text.match_indices(folder).filter(|(at, _)| starts_a_path(&file.text, *at));
        faults.extend(found.map(|(at, _)| fault(at, format!("names a folder of one machine, `{folder}`"))));
    }
    faults
}

/// Whether a path starts here, and not the middle of one or of a URL.
fn starts_a_path(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    before.is_none_or(|char| {
        !char.is_alphanumeric() && !matches!(char, '.' | '-' | '_' | '/' | '~' | ')' | '}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, faults: usize) {
        let mut tree = Tree::of(&[("a.md", text)]);
        tree.private_folders = vec!["/somewhere/".to_owned()];
        assert_eq!(check(&tree).len(), faults, "{text}");
    }

    #[test]
    fn folders_of_a_machine_are_found_but_not_in_urls() {
        check_text("see /somewhere/a", 1);
        check_text("`/somewhere/a`, \"/somewhere/b\"", 2);
        check_text("http://example.org/somewhere/a", 0);
        check_text("../somewhere/a", 0);
    }

    #[test]
    fn registry_hosts_are_found() {
        check_text(concat!("https", "://", "py", "pi.org/simple"), 1);
    }

    #[test]
    fn the_lock_file_is_left_alone() {
        assert!(check(&Tree::of(&[("fuzz/Cargo.lock", HOSTS[0])])).is_empty());
    }
}
