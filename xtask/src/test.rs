//! `cargo xtask test`: everything that must hold before a change is done. CI runs exactly this.

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use crate::step::{Step, seconds};
use crate::{debian, peers, tidy, tools};

/// Runs all steps and stops at the first that fails. What needs nothing installed and takes a second comes first.
pub(crate) fn run() -> anyhow::Result<()> {
    let started = Instant::now();
    Step::cargo("format", "fmt --all --check -- --color never").run()?;
    tidy_step()?;

    tools::install()?;
    debian::install_if_possible(&debian::FOR_TESTS)?;
    peers::make_if_possible()?;

    Step::cargo("lints", "clippy --workspace --all-targets --quiet -- -D warnings").run()?;
    Step::cargo("deny", "deny --workspace check licenses bans sources").run()?;
    advisories()?;
    tests("tests", "nextest run --workspace --no-fail-fast").closing(is_nextest_summary).run()?;
    tests("doc tests", "test --doc --workspace --quiet").closing(is_test_result).run()?;
    Step::cargo("documents", "doc --workspace --no-deps --quiet").env("RUSTDOCFLAGS", "-D warnings").run()?;

    println!("{:<12}{:>8}  ok", "everything", seconds(started.elapsed()));
    Ok(())
}

/// A step that runs tests: they find the peers, and a snapshot that differs fails instead of being taken over.
fn tests(name: &str, line: &str) -> Step {
    Step::cargo(name, line).env("INSTA_UPDATE", "no").env("VARVE_PEERS", peers::folder())
}

fn tidy_step() -> anyhow::Result<()> {
    let started = Instant::now();
    tidy::run()?;
    println!("{:<12}{:>8}  ok", "tidy", seconds(started.elapsed()));
    Ok(())
}

/// Known faults of dependencies, where the database is at hand.
///
/// The database is a git repository on the open network, which neither CI nor the tests may ask. A machine that has once
/// run `cargo deny fetch` has a copy, and the check then uses it as it is.
fn advisories() -> anyhow::Result<()> {
    let home = |name: &str| env::var_os(name).map(PathBuf::from);
    let cargo_home = home("CARGO_HOME").or_else(|| home("HOME").map(|home| home.join(".cargo")));
    let is_there =
        cargo_home.and_then(|home| home.join("advisory-dbs").read_dir().ok()).is_some_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| entry.path().join("crates").is_dir()))
        });
    if !is_there {
        println!("{:<12}{:>8}  no database on this machine; `cargo deny fetch` gets one", "advisories", "-");
        return Ok(());
    }
    Step::cargo("advisories", "deny --workspace --offline check --disable-fetch advisories").run()
}

fn is_nextest_summary(line: &str) -> bool {
    line.trim_start().starts_with("Summary [")
}

fn is_test_result(line: &str) -> bool {
    line.starts_with("test result:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_told_from_the_rest() {
        assert!(is_nextest_summary("     Summary [   0.422s] 48 tests run: 48 passed, 0 skipped"));
        assert!(!is_nextest_summary("        PASS [   0.010s] varve::cli help"));
        assert!(is_test_result("test result: ok. 1 passed; 0 failed; 0 ignored"));
    }
}
