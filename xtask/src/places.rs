//! Where things are: the workspace, and the target folder with the tools and peers in it.
//!
//! ```text
//! <target>/         $CARGO_TARGET_DIR, or `target/` of the workspace; in CI a folder outside the checkout
//!   tools/bin/      cargo-nextest, cargo-deny, s3s-fs, if the machine had none
//!   peers/          the Python environment with warcio, FastWARC and others
//!   bench/          generated files that benches read
//!   dist/           the program as packages have it
//! ```

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Whether this is CI, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// The program as packages have it, once it is built by the profile `dist`.
pub(crate) fn packaged() -> PathBuf {
    target().join("dist").join("varve")
}

/// The target folder.
///
/// CI gets a clean checkout each time and would build everything anew, so there it lies in the user's cache; `.ci/run`
/// says the same before cargo builds this program.
pub(crate) fn target() -> PathBuf {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(target) = named("CARGO_TARGET_DIR") {
        return std::path::absolute(&target).unwrap_or(target);
    }
    let cache = || named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    match cache() {
        Some(cache) if is_ci() => cache.join("varve-target"),
        _ => root().join("target"),
    }
}

/// Where tools are installed that the machine lacks.
pub(crate) fn tools() -> PathBuf {
    target().join("tools")
}

/// The search path for programs, with the tools at its end: what the machine has comes first.
pub(crate) fn search_path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([tools().join("bin")]);
    env::join_paths(folders).unwrap_or(path)
}
