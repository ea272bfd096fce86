//! The project as the rules see it: its text files and its crates.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::source;
use crate::places;

/// Everything that git tracks or would track.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    pub(super) crates: Vec<Crate>,
    /// Folders that belong to a person or machine, such as the home folder: no file may name them.
    pub(super) private_folders: Vec<String>,
}

/// A text file.
#[derive(Debug)]
pub(super) struct File {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// For Rust, the text with comments and strings blanked out, line for line.
    pub(super) code: String,
    /// For Rust, the code with the unit tests blanked out as well.
    pub(super) code_without_tests: String,
}

/// A member of the workspace.
#[derive(Debug)]
pub(super) struct Crate {
    pub(super) name: String,
    /// From the root, such as `crates/warc`.
    pub(super) folder: String,
    pub(super) dependencies: Vec<Dependency>,
}

/// A line of a crate's `[dependencies]`, of any kind.
#[derive(Debug)]
pub(super) struct Dependency {
    /// The name of the package.
    pub(super) name: String,
    /// Whether only tests and benches use it.
    pub(super) is_dev: bool,
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let code = if path.ends_with(".rs") { source::code(text) } else { String::new() };
        let code_without_tests = source::without_tests(&code);
        Self { path: path.to_owned(), text: text.to_owned(), code, code_without_tests }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The name of the crate whose folder the file lies in.
    pub(super) fn crate_name(&self) -> &str {
        let mut parts = self.path.split('/');
        match parts.next() {
            Some("crates") => parts.next().unwrap_or_default(),
            first => first.unwrap_or_default(),
        }
    }

    /// Whether the whole file is for tests, measurements or trying out, and no part of what is shipped.
    pub(super) fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| matches!(part, "tests" | "benches" | "examples" | "fuzz" | "tests.rs" | "testkit"))
    }
}

impl Tree {
    /// Reads the project from disk.
    pub(super) fn read() -> anyhow::Result<Self> {
        let root = places::root();
        let listed = output(Command::new("git").args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]))?;
        let mut files = Vec::new();
        for path in listed.split('\0').filter(|path| !path.is_empty()) {
            // A file that was deleted and not yet committed is gone; one that is not text is for nobody to read.
            let Ok(bytes) = fs::read(root.join(path)) else { continue };
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(File::new(path, &text));
            }
        }
        let metadata =
            output(Command::new("cargo").args(["metadata", "--format-version", "1", "--no-deps"]))?;
        let metadata: Value =
            serde_json::from_str(&metadata).context("cannot read what cargo says of the workspace")?;
        Ok(Self { files, crates: crates(&metadata, &root), private_folders: private_folders(&root) })
    }

    /// A tree in memory, for the tests of rules.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|(path, text)| File::new(path, text)).collect(), ..Self::default() }
    }

    /// Adds a crate to a tree in memory; a dependency that starts with `dev:` is only for tests.
    #[cfg(test)]
    pub(super) fn with_crate(mut self, name: &str, dependencies: &[&str]) -> Self {
        let dependency = |text: &&str| match text.strip_prefix("dev:") {
            Some(name) => Dependency { name: name.to_owned(), is_dev: true },
            None => Dependency { name: (*text).to_owned(), is_dev: false },
        };
        let dependencies = dependencies.iter().map(dependency).collect();
        let folder = if name == "xtask" { name.to_owned() } else { format!("crates/{name}") };
        self.crates.push(Crate { name: name.to_owned(), folder, dependencies });
        self
    }
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> anyhow::Result<String> {
    let output =
        command.current_dir(places::root()).output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The crates in what `cargo metadata` says.
fn crates(metadata: &Value, root: &Path) -> Vec<Crate> {
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let list =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let dependency =
        |value: &Value| Dependency { name: text(value, "name"), is_dev: text(value, "kind") == "dev" };
    list(metadata, "packages")
        .iter()
        .map(|package| {
            let manifest = text(package, "manifest_path");
            let folder = Path::new(&manifest).parent().and_then(|folder| folder.strip_prefix(root).ok());
            Crate {
                name: text(package, "name"),
                folder: folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default(),
                dependencies: list(package, "dependencies").iter().map(dependency).collect(),
            }
        })
        .collect()
}

/// The home folder and the one that the checkout lies in.
fn private_folders(root: &Path) -> Vec<String> {
    let home = std::env::var("HOME").ok();
    let above = root.parent().map(|folder| folder.to_string_lossy().into_owned());
    let folders = home.into_iter().chain(above).map(|folder| format!("{}/", folder.trim_end_matches('/')));
    folders.filter(|folder| folder.len() > 1).collect()
}
