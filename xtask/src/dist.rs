//! `cargo xtask dist`: the program as packages have it.
//!
//! It is built twice. The first counts how often each branch is taken while it harvests a made-up site, checks what it wrote
//! and reads from it; the second is laid out by these counts. What is the usual way then lies in one line in memory, and calls
//! that matter are no calls any more: docs/decisions/2026-11-16-built-twice.md tells what that is worth.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use testkit::portal::Portal;

use crate::nginx::{Nginx, Site};
use crate::step::Step;
use crate::{debian, places};

/// Pages of the site. The more, the more of the time goes into what every page needs.
const PAGES: u64 = 3_000;

/// How the training crawls pack: as usual, and as quickly as may be.
const LEVELS: [&str; 2] = ["6", "1"];

/// Makes the program. What has been made of the same sources is not made again.
pub(crate) fn run() -> anyhow::Result<()> {
    let host = host()?;
    // Asked first: it would be a pity after minutes of building.
    let merger = merger(&host)?;
    debian::install(&debian::FOR_DIST)?;
    let folder = places::target().join("training");
    let counting = folder.join(&host).join("release").join("varve");
    let counts = folder.join("counts.profdata");
    // As quick to build as may be: what is counted is the same.
    Step::cargo("counting", &format!("build --release --package varve --target {host}"))
        .env("CARGO_TARGET_DIR", &folder)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(&format!("-Cprofile-generate={}", folder.join("raw").display())),
        )
        .run()?;
    if is_older(&counts, &counting) {
        train(&counting, &folder)?;
        merge(&merger, &folder, &counts)?;
    }
    Step::cargo("dist", &format!("build --profile dist --package varve --target {host}"))
        .env("CARGO_ENCODED_RUSTFLAGS", flags(&format!("-Cprofile-use={}", counts.display())))
        .run()?;
    let (made, program) = (places::target().join(host).join("dist").join("varve"), program());
    if let Some(above) = program.parent() {
        fs::create_dir_all(above).with_context(|| format!("cannot make `{}`", above.display()))?;
    }
    fs::copy(&made, &program).with_context(|| format!("cannot copy to `{}`", program.display()))?;
    println!("{}", program.display());
    Ok(())
}

/// Where the program is.
pub(crate) fn program() -> PathBuf {
    places::target().join("dist").join("varve")
}

/// What this machine is called. With a target that is named, counting is not asked of what only builds.
fn host() -> anyhow::Result<String> {
    let said = rustc(&["-vV"])?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say what it runs on")
}

fn rustc(words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("rustc").args(words).output().context("cannot run rustc")?;
    ensure!(output.status.success(), "`rustc {}` failed", words.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The caller's flags and one more, which may hold blanks.
fn flags(further: &str) -> String {
    let given = env::var("RUSTFLAGS").unwrap_or_default();
    given.split_whitespace().chain([further]).collect::<Vec<_>>().join("\u{1f}")
}

fn is_older(file: &Path, than: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|facts| facts.modified()).ok();
    changed(file) < changed(than) || changed(file).is_none()
}

/// Does what people do with it most: harvest, harvest again, check, list, read.
fn train(program: &Path, folder: &Path) -> anyhow::Result<()> {
    let site = folder.join("site");
    for old in [&site, &folder.join("raw"), &folder.join("archives")] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| format!("cannot remove `{}`", old.display()))?;
        }
    }
    let portal = Portal::new(PAGES);
    portal.write(&site).with_context(|| format!("cannot write `{}`", site.display()))?;
    let redirects = portal.nginx_redirects();
    let nginx =
        Nginx::start(&Site { name: "training", root: &site, locations: &redirects, is_logging: false })?;
    let url = nginx.url("/");
    let varve = |words: &[&str]| Step::new("training", program).args(words).run();
    for level in LEVELS {
        let place = folder.join("archives").join(level);
        let archive = place.to_string_lossy();
        varve(&["init", &archive])?;
        let level = format!("gzip_level={level}");
        let harvest =
            ["harvest", &url, "--archive", &archive, "--scope", "host", "--delay", "0", "--allow-private"];
        let quickly =
            ["--quiet", "--concurrency", "64", "--per-host", "64", "--per-address", "64", "--set", &level];
        for _ in 0..2 {
            varve(&[harvest.as_slice(), quickly.as_slice()].concat())?;
        }
        varve(&["cdx", &url, "--match", "host", "--json", "--archive", &archive])?;
        varve(&["get", &url, "--archive", &archive])?;
        for job in list(&place.join("store"))? {
            let files = list(&job)?.into_iter().filter(|file| file.to_string_lossy().ends_with(".warc.gz"));
            let files: Vec<String> = files.map(|file| file.to_string_lossy().into_owned()).collect();
            let words: Vec<&str> =
                ["warc", "check"].into_iter().chain(files.iter().map(String::as_str)).collect();
            if !files.is_empty() {
                varve(&words)?;
            }
        }
    }
    Ok(())
}

/// What is in a folder; nothing, where it is a file.
fn list(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// The program of the compiler's own that reads what was counted.
fn merger(host: &str) -> anyhow::Result<PathBuf> {
    let sysroot = rustc(&["--print", "sysroot"])?;
    let merger = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin").join("llvm-profdata");
    ensure!(
        merger.exists(),
        "the compiler's tools are not here: get them with `rustup component add llvm-tools`"
    );
    Ok(merger)
}

/// Makes one file of what all processes have counted, whole or not at all.
fn merge(merger: &Path, folder: &Path, counts: &Path) -> anyhow::Result<()> {
    let raw = list(&folder.join("raw"))?;
    ensure!(!raw.is_empty(), "the training has counted nothing");
    let fresh = folder.join("counts.new");
    Step::new("merge", merger).args(["merge", "-o"]).args([&fresh]).args(raw).run()?;
    fs::rename(&fresh, counts).with_context(|| format!("cannot rename `{}`", fresh.display()))
}
