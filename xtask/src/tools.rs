//! Programs from the registry that the checks need, cargo's helpers most of them: taken from the machine, or else installed into the target folder once.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::places;
use crate::step::Step;

/// A program that `cargo install` knows.
struct Tool {
    name: &'static str,
    /// The version that is installed where the machine has none that will do.
    version: &'static str,
    /// Whether a version that the machine has will do.
    accepts: fn(&str) -> bool,
    /// What it is built with, if that is not what it is by itself.
    features: &'static str,
}

const TOOLS: [Tool; 3] = [
    // Every nextest of recent years takes our few options.
    Tool {
        name: "cargo-nextest",
        version: "0.9.143",
        accepts: |version| version.starts_with("0.9."),
        features: "",
    },
    // The fields of deny.toml have changed between minor versions.
    Tool {
        name: "cargo-deny",
        version: "0.20.2",
        accepts: |version| version.starts_with("0.20."),
        features: "",
    },
    // The S3 server of the tests: see crates/testkit/src/s3.
    Tool { name: "s3s-fs", version: "0.14.1", accepts: |version| version == "0.14.1", features: "binary" },
];

/// Only for `cargo xtask fuzz`.
const FUZZ: Tool = Tool {
    name: "cargo-fuzz",
    version: "0.13.2",
    accepts: |version| version.starts_with("0.13."),
    features: "",
};

/// Installs what fuzzing needs, if it is missing.
pub(crate) fn install_fuzz() -> anyhow::Result<()> {
    if FUZZ.is_there() { Ok(()) } else { FUZZ.install() }
}

/// Installs what is missing. Says nothing where nothing is.
pub(crate) fn install() -> anyhow::Result<()> {
    TOOLS.iter().filter(|tool| !tool.is_there()).try_for_each(Tool::install)
}

impl Tool {
    fn is_there(&self) -> bool {
        let mut command = Command::new(self.name);
        // nextest wants to be called by cargo's name for it; cargo-deny does not mind.
        if self.name == "cargo-nextest" {
            command.arg("nextest");
        }
        let output = command
            .arg("--version")
            .env("PATH", places::search_path())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let Ok(output) = output else { return false };
        let text = String::from_utf8_lossy(&output.stdout);
        output.status.success() && text.split_whitespace().nth(1).is_some_and(self.accepts)
    }

    /// Unoptimised, because it is built more slowly than it is run: see docs/decisions/2026-11-15-tools-in-the-target-folder.md.
    fn install(&self) -> anyhow::Result<()> {
        let tools = places::tools();
        let build = tools.join("build");
        fs::create_dir_all(&build).with_context(|| format!("cannot make `{}`", build.display()))?;
        Step::cargo("install", "install --quiet --locked --debug --force")
            .args([format!("{}@{}", self.name, self.version)])
            .args([format!("--features={}", self.features)])
            .args(["--root".as_ref(), tools.as_os_str(), "--target-dir".as_ref(), build.as_os_str()])
            .run()
            .with_context(|| format!("cannot install {} {}", self.name, self.version))?;
        // Some hundred megabytes that nobody needs again.
        fs::remove_dir_all(&build).with_context(|| format!("cannot remove `{}`", build.display()))
    }
}
