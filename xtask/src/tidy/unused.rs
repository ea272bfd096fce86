//! Dependencies that nobody uses: in a crate's list, or in the workspace's.

use super::Fault;
use super::source::pattern;
use super::tree::{Crate, File, Tree};

/// Packages whose library has another name.
const LIBRARY_NAMES: [(&str, &str); 1] = [("md-5", "md5")];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults: Vec<Fault> =
        tree.crates.iter().flat_map(|member| of_crate(member, &tree.files)).collect();
    let root = tree.files.iter().find(|file| file.path == "Cargo.toml");
    for (line, name) in root.map(|file| listed(&file.text)).unwrap_or_default() {
        let is_used = |member: &Crate| member.dependencies.iter().any(|dependency| dependency.name == name);
        if !tree.crates.iter().any(|member| is_used(member) || member.name == name) {
            faults.push(Fault::new("Cargo.toml", line, format!("no crate uses `{name}`")));
        }
    }
    faults
}

/// The dependencies of a crate that its code never names.
fn of_crate(member: &Crate, files: &[File]) -> Vec<Fault> {
    let inside = format!("{}/", member.folder);
    let code: Vec<&File> =
        files.iter().filter(|file| file.is_rust() && file.path.starts_with(&inside)).collect();
    let is_named = |package: &str| {
        let renamed = LIBRARY_NAMES.iter().find(|(name, _)| *name == package).map(|(_, library)| *library);
        let library = renamed.map_or_else(|| package.replace('-', "_"), str::to_owned);
        let name = pattern(&format!(r"\b{library}\b"));
        code.iter().any(|file| name.is_match(&file.code))
    };
    let unused = member.dependencies.iter().filter(|dependency| !is_named(&dependency.name));
    let path = format!("{}/Cargo.toml", member.folder);
    unused
        .map(|dependency| Fault::new(&path, 0, format!("`{}` is listed and not used", dependency.name)))
        .collect()
}

/// The names in `[workspace.dependencies]`, with their lines.
fn listed(manifest: &str) -> Vec<(usize, &str)> {
    let lines = manifest
        .lines()
        .enumerate()
        .skip_while(|(_, line)| line.trim() != "[workspace.dependencies]")
        .skip(1);
    let section = lines.take_while(|(_, line)| !line.starts_with('['));
    let entries = section.filter(|(_, line)| !line.trim_start().starts_with('#'));
    entries.filter_map(|(index, line)| Some((index + 1, line.split_once('=')?.0.trim()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_named_somewhere_in_the_code() {
        let code = "use md5::Md5;\nuse data_encoding::HEX;\n// regex\n";
        let tree = Tree::of(&[("crates/warc/src/lib.rs", code)])
            .with_crate("warc", &["md-5", "data-encoding", "regex", "dev:insta"]);
        let faults: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            faults,
            [
                "crates/warc/Cargo.toml: `regex` is listed and not used",
                "crates/warc/Cargo.toml: `insta` is listed and not used"
            ]
        );
    }

    #[test]
    fn a_version_is_kept_only_for_what_is_used() {
        let manifest = "[workspace]\n\n[workspace.dependencies]\n# Ours.\nwarc = { path = \"crates/warc\" }\nregex = \"1\"\n[profile.dev]\ndebug = false\n";
        let tree = Tree::of(&[("Cargo.toml", manifest)]).with_crate("warc", &[]);
        assert_eq!(check(&tree), [Fault::new("Cargo.toml", 6, "no crate uses `regex`")]);
    }
}
