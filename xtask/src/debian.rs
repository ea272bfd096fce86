//! Programs from Debian that tests and benches run: taken from the machine, or else installed where that is allowed.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::places;
use crate::step::Step;

/// A program and the package that brings it.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
}

/// What the tests run beside the Python peers.
pub(crate) const FOR_TESTS: [Program; 6] = [
    Program { name: "chromium", package: "chromium" },
    Program { name: "curl", package: "curl" },
    Program { name: "faketime", package: "faketime" },
    Program { name: "npm", package: "npm" },
    Program { name: "pg_ctlcluster", package: "postgresql-15" },
    Program { name: "strace", package: "strace" },
];
/// What `torture store` lets calls fail and the clock jump with.
pub(crate) const FOR_TORTURE_STORE: [Program; 2] =
    [Program { name: "faketime", package: "faketime" }, Program { name: "strace", package: "strace" }];
/// What `bench store` measures with.
pub(crate) const FOR_BENCH_STORE: [Program; 1] = [Program { name: "openssl", package: "openssl" }];
/// What `bench fetch` measures with.
pub(crate) const FOR_BENCH_FETCH: [Program; 2] =
    [Program { name: "nginx", package: "nginx-light" }, Program { name: "wrk", package: "wrk" }];
/// What `bench access` measures with.
pub(crate) const FOR_BENCH_ACCESS: [Program; 3] = [
    Program { name: "nginx", package: "nginx-light" },
    Program { name: "wrk", package: "wrk" },
    Program { name: "curl", package: "curl" },
];
/// What `bench diff` measures with.
pub(crate) const FOR_BENCH_DIFF: [Program; 4] = [
    Program { name: "bsdiff", package: "bsdiff" },
    Program { name: "diff", package: "diffutils" },
    Program { name: "xdelta3", package: "xdelta3" },
    Program { name: "zstd", package: "zstd" },
];
/// What `bench crawl` measures with.
pub(crate) const FOR_BENCH_CRAWL: [Program; 3] = [
    Program { name: "nginx", package: "nginx-light" },
    Program { name: "wget", package: "wget" },
    Program { name: "httrack", package: "httrack" },
];

/// Installs the packages of those programs that are missing. Says nothing where none is.
pub(crate) fn install(programs: &[Program]) -> anyhow::Result<()> {
    let missing = programs.iter().filter(|program| find(program.name).is_none());
    let packages: Vec<&str> = missing.map(|program| program.package).collect();
    if packages.is_empty() {
        return Ok(());
    }
    if !is_root() {
        bail!("missing here: install them with `sudo apt-get install {}`", packages.join(" "));
    }
    apt("update", &["update"])?;
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    apt("packages", &words)
}

/// As `install`, but a machine that cannot only loses the comparisons, unless it is CI.
pub(crate) fn install_if_possible(programs: &[Program]) -> anyhow::Result<()> {
    match install(programs) {
        Err(error) if !places::is_ci() => {
            println!("  {error:#}; tests that need them will say so and pass");
            Ok(())
        }
        outcome => outcome,
    }
}

/// Where a program is. The folders of the administrator count, which a user's search path may lack.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = places::search_path();
    let folders = env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

fn apt(name: &str, words: &[&str]) -> anyhow::Result<()> {
    let step = Step::new(name, "apt-get").args(["-qq"]).args(words);
    step.env("DEBIAN_FRONTEND", "noninteractive").run().context("cannot install what Debian has")
}

/// Whether this user may install packages.
pub(crate) fn is_root() -> bool {
    let id = Command::new("id").arg("-u").stdin(Stdio::null()).output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_and_not_installed_again() {
        assert!(find("sh").is_some());
        assert!(find("no-such-program-anywhere").is_none());
        install(&[Program { name: "sh", package: "no-such-package" }]).unwrap();
    }
}
