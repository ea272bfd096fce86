//! `cargo xtask bench store`: keeping files, against `cp`, `sync`, `sha256sum` and `openssl`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::contest::{Contest, Side};
use super::{judge, page, usage};
use crate::step::Step;
use crate::{debian, places};

/// Length of the files that are kept.
const BYTES: u64 = 1_000_000_000;
/// Length of one that is far larger than memory may be.
const LARGE_BYTES: u64 = 5_000_000_000;
const PEAK_BYTES_MAX: u64 = 64_000_000;
const ROUNDS: u32 = 3;

/// Of the speed of `openssl dgst`, on one thread.
const AUDIT_MUST: f64 = 0.9;
/// Of the time of the other tools, turned into a speed.
const STORE_MUST: f64 = 1.0 / 1.3;
const FILES: u64 = 1_000_000;
const STATUS_SECONDS_MAX: f64 = 0.2;
const NEXT_SECONDS_MAX: f64 = 0.05;
const RECORDS_MIN: f64 = 5000.0;

/// Both sides read from the disk; where that may not be asked for, both from memory. From here on time is measured.
const BEGIN: &str = "sync; { echo 3 > /proc/sys/vm/drop_caches; } 2>/dev/null || true; began=$(date +%s.%N);";
/// The seconds since.
const END: &str = "; echo \"$began $(date +%s.%N)\" | awk '{ print $2 - $1 }'";

pub(crate) fn run() -> anyhow::Result<()> {
    debian::install(&debian::FOR_BENCH_STORE)?;
    Step::cargo("build", "build --release --package varve").run()?;
    Step::cargo("build", "build --release --package vault --package archive --package transfer --examples")
        .run()?;
    let folder = places::target().join("bench").join("store");
    remove(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    shell(&folder, &format!("head -c {BYTES} /dev/urandom > source.bin"))?;

    let outcomes = vec![storing(&folder).run(ROUNDS)?, auditing(&folder)?.run(ROUNDS)?];
    let mut table = page::table(&outcomes);
    let peak = peak(&folder)?;
    let [status, next] = million(&folder)?;
    let records = records()?;
    remove(&folder)?;
    table.push_str("\n| what | measured | must |\n|---|---|---|\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        table,
        "| peak memory of an audit, one file of 5 GB | {:.0} MB | ≤ {:.0} MB |",
        peak as f64 / 1e6,
        PEAK_BYTES_MAX as f64 / 1e6
    );
    let _ = writeln!(
        table,
        "| 1,000,000 files: how things stand | {:.1} ms | ≤ {:.0} ms |",
        status * 1e3,
        STATUS_SECONDS_MAX * 1e3
    );
    let _ = writeln!(
        table,
        "| 1,000,000 files: the next 100 to audit | {:.2} ms | ≤ {:.0} ms |",
        next * 1e3,
        NEXT_SECONDS_MAX * 1e3
    );
    let _ = writeln!(
        table,
        "| records of 1,000 files in no order, verified, one thread | {records:.0}/s | ≥ {RECORDS_MIN:.0}/s |"
    );
    println!("\n{table}");
    page::put("store", &table)?;
    ensure!(peak <= PEAK_BYTES_MAX, "an audit needs {peak} bytes");
    ensure!(
        status <= STATUS_SECONDS_MAX && next <= NEXT_SECONDS_MAX,
        "the catalogue takes {status} and {next} s"
    );
    ensure!(records >= RECORDS_MIN, "{records} records a second are too few");
    judge(&outcomes)
}

/// A file goes to two replicas: copied, brought to the disk, read back and hashed, each by each.
fn storing(folder: &Path) -> Contest {
    let varve = places::target().join("release").join("varve");
    let ours = format!(
        "rm -rf a cellar; {v} -q init a; printf '[[replicas]]\\nname = \"cellar\"\\nfolders = [\"../cellar\"]\\n' > a/varve.toml; \
         {BEGIN} {v} -q vault put source.bin --archive a{END}",
        v = varve.display()
    );
    let theirs = format!(
        "rm -rf one two; mkdir one two; {BEGIN} for d in one two; do cp source.bin $d/ && sync $d/source.bin && sha256sum \
         $d/source.bin; done{END}"
    );
    Contest {
        what: "1 GB to two folders, brought to the disk and read back".to_owned(),
        ours: Side::self_timed("varve vault put", script(folder, &ours)),
        peer: Side::self_timed("cp, sync, sha256sum, twice", script(folder, &theirs)),
        must: STORE_MUST,
        aim: None,
    }
}

/// The file that was just kept is read again.
fn auditing(folder: &Path) -> anyhow::Result<Contest> {
    let varve = places::target().join("release").join("varve");
    let ours = format!("{BEGIN} {} -q vault audit store --archive a{END}", varve.display());
    let theirs = format!("{BEGIN} openssl dgst -sha256 a/store/deposit/source.bin{END}");
    Ok(Contest {
        what: "checksums of 1 GB, one thread".to_owned(),
        ours: Side::self_timed("varve vault audit", script(folder, &ours)),
        peer: Side::self_timed("openssl dgst -sha256", script(folder, &theirs)),
        must: AUDIT_MUST,
        aim: None,
    })
}

/// The most memory of an audit of one large file.
fn peak(folder: &Path) -> anyhow::Result<u64> {
    let varve = places::target().join("release").join("varve");
    let made = format!(
        "rm -rf one two cellar a; {v} -q init big; mkdir big/store/job; truncate -s {LARGE_BYTES} big/store/job/large.bin; \
         {v} -q vault adopt --all --reason 'for the bench' --archive big",
        v = varve.display()
    );
    shell(folder, &made)?;
    let mut audit = Command::new(varve);
    audit.args(["vault", "audit", "store", "--archive"]).arg(folder.join("big"));
    Ok(usage::of(&mut audit, &[0])?.peak_bytes)
}

/// Seconds to tell how things stand, and what is to be audited next.
fn million(folder: &Path) -> anyhow::Result<[f64; 2]> {
    let own = folder.join("million");
    fs::create_dir_all(&own).with_context(|| format!("cannot make `{}`", own.display()))?;
    let output =
        Command::new(example("million")).arg(&own).arg(FILES.to_string()).stderr(Stdio::inherit()).output();
    let output = output.context("cannot run `million`")?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "`million` failed");
    let numbers: Vec<f64> = said
        .lines()
        .last()
        .unwrap_or_default()
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [status, next] = *numbers.as_slice() else {
        anyhow::bail!("`million` does not tell its figures: `{said}`")
    };
    Ok([status, next])
}

/// Records a second, the best of several.
fn records() -> anyhow::Result<f64> {
    let mut best = 0.0_f64;
    for round in 1..=ROUNDS {
        let output = Command::new(example("records"))
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run `records`")?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "`records` failed");
        let figure = said.split_whitespace().last().and_then(|word| word.parse::<f64>().ok());
        let figure = figure.with_context(|| format!("`records` does not tell its figure: `{said}`"))?;
        println!("records, {round} of {ROUNDS}: {figure:.0}/s");
        best = best.max(figure);
    }
    Ok(best)
}

fn script(folder: &Path, text: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-ec", text]).current_dir(folder);
    command
}

fn shell(folder: &Path, text: &str) -> anyhow::Result<()> {
    let status = script(folder, text).stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.context("cannot run a shell")?;
    ensure!(status.success(), "this failed: {text}");
    Ok(())
}

fn example(name: &str) -> std::path::PathBuf {
    places::target().join("release").join("examples").join(name)
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove `{}`", folder.display()))?;
    }
    Ok(())
}
