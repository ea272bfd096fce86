//! Finds other people's programs for the same formats, so that tests can hold our files against them.
//!
//! They live in a Python environment of their own: `$VARVE_PEERS`, or else `peers/` in the target folder. `cargo xtask
//! test` makes it from `xtask/peers.txt`; this module only looks. Some of the peers are under the GPL or AGPL: they are run as
//! programs and never linked, bundled or shipped.

// A skipped test must not be silent.
#![allow(clippy::print_stderr)]
// The note inside the environment is a few lines that we wrote ourselves.
#![allow(clippy::disallowed_methods)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// What is installed: one `name==version` a line.
pub const REQUIREMENTS: &str = include_str!("../../../xtask/peers.txt");

/// The version of ReplayWeb.page that is fetched from npm.
pub const PLAYER_VERSION: &str = "2.5.3";

/// Where the environment is, or would be once it is made.
pub fn folder() -> PathBuf {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("VARVE_PEERS")
        .or_else(|| named("CARGO_TARGET_DIR").map(|target| target.join("peers")))
        .or_else(|| {
            env::current_exe().ok().and_then(|program| target_of(&program)).map(|target| target.join("peers"))
        })
        .unwrap_or_else(|| crate::vectors::workspace_root().join("target").join("peers"))
}

/// The note that says which requirements the environment was made from. It is written last, so an environment without
/// it was left half made.
pub fn note(folder: &Path) -> PathBuf {
    folder.join("made-from.txt")
}

/// Whether the environment is complete and of the versions that the tests expect.
pub fn is_ready(folder: &Path) -> bool {
    let is_made = fs::read_to_string(note(folder)).is_ok_and(|text| text == REQUIREMENTS);
    is_made && interpreter(folder).exists() && player_in(folder).join("ui.js").exists()
}

/// The folder of ReplayWeb.page in an environment: `ui.js`, and `sw.js` for its service worker.
pub fn player_in(folder: &Path) -> PathBuf {
    folder.join(format!("replaywebpage-{PLAYER_VERSION}")).join("package")
}

/// The interpreter of the peers, for `python -m warcio` or a script that imports them.
///
/// Where the environment was not made, `None`, and one line on standard error says so.
///
/// # Panics
/// When it is missing and `$CI` is `true`: there a test that was skipped must not look like one that passed.
pub fn python() -> Option<PathBuf> {
    found().map(|folder| interpreter(&folder))
}

/// The folder of ReplayWeb.page, which plays WACZ packages in a browser.
///
/// # Panics
/// As [`python`] does.
pub fn player() -> Option<PathBuf> {
    found().map(|folder| player_in(&folder))
}

/// A program that a peer installs, such as `warcio`, `cdx-indexer` or `cdxj-indexer`.
///
/// # Panics
/// As [`python`] does, and when the environment is there without this program.
pub fn program(name: &str) -> Option<PathBuf> {
    let program = found()?.join("bin").join(name);
    assert!(program.exists(), "the peers have no program `{name}`: see xtask/peers.txt");
    Some(program)
}

/// The folder if the environment is ready, and otherwise the line or the panic that tells.
fn found() -> Option<PathBuf> {
    static TOLD: Once = Once::new();
    let folder = folder();
    if is_ready(&folder) {
        return Some(folder);
    }
    let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!in_ci, "no test peers in `{}`: `cargo xtask test` makes them", folder.display());
    TOLD.call_once(|| {
        eprintln!(
            "testkit: no test peers in `{}`; skipping what needs them (`cargo xtask test` makes them)",
            folder.display()
        );
    });
    None
}

/// Where the interpreter lies in an environment.
fn interpreter(folder: &Path) -> PathBuf {
    folder.join("bin").join("python")
}

/// The target folder that a built program lies in: the nearest one above it that cargo has marked as such.
fn target_of(program: &Path) -> Option<PathBuf> {
    program.ancestors().skip(1).find(|folder| folder.join("CACHEDIR.TAG").is_file()).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requirement_names_one_exact_version() {
        for line in REQUIREMENTS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(
                line.split_once("==").is_some_and(|(name, version)| !name.is_empty() && !version.is_empty()),
                "{line}"
            );
        }
    }

    #[test]
    fn an_environment_without_its_note_is_not_ready() {
        assert!(!is_ready(Path::new("no-such-folder")));
    }

    #[test]
    fn a_test_program_knows_its_target_folder() {
        let program = env::current_exe().unwrap();
        let target = target_of(&program).unwrap();
        assert!(program.starts_with(target));
    }

    #[test]
    fn peers_run_where_they_were_made() {
        let Some(python) = python() else { return };
        let script = "import warcio, fastwarc, cdxj_indexer, surt, pywb.indexer.cdxindexer";
        let output = std::process::Command::new(python).args(["-c", script]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
