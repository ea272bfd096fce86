//! `cargo xtask bench watch`: checks of pages that do not change, against changedetection.io, and the memory of many watches.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::page;
use crate::places;
use crate::step::Step;

/// The peer, as PyPI has it.
const PEER: &str = "changedetection.io==0.60.10";
/// What it was measured at when the line was drawn: with its defaults, on two cores.
const PEER_THEN: f64 = 2_400.0;
/// So many times as many checks as the peer.
const MUST: f64 = 50.0;
const WATCHES: u64 = 50_000;
const PEAK_KB_MAX: f64 = 200_000.0;
const ROUNDS: u32 = 3;
const PEER_PAGES: u32 = 1_000;

pub(crate) fn run() -> anyhow::Result<()> {
    Step::cargo("build", "build --release --package watch --example checks").run()?;
    let folder = places::target().join("bench").join("watch");
    let checks = places::target().join("release").join("examples").join("checks");
    let ours = Measured::of(&checks)?;
    let peer = peer(&folder, &checks)?;
    let mut table = String::from("| what | measured | must |\n|---|---|---|\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        table,
        "| checks of unchanged pages a minute, {WATCHES} watches | {:.0} | ≥ {:.0} ({MUST:.0} × {PEER_THEN:.0}) |",
        ours.unchanged,
        MUST * PEER_THEN
    );
    let _ = writeln!(table, "| first checks a minute, documents kept in the archive | {:.0} | |", ours.first);
    let _ = writeln!(
        table,
        "| peak memory with {WATCHES} watches | {:.0} MB | ≤ {:.0} MB |",
        ours.peak_kb / 1e3,
        PEAK_KB_MAX / 1e3
    );
    match peer {
        Some(peer) => {
            let ratio = ours.unchanged / peer;
            let _ = writeln!(
                table,
                "| the same server, {PEER_PAGES} watches: {PEER} with its defaults | {peer:.0} | |"
            );
            let _ = writeln!(table, "| ours by theirs in this run | {ratio:.0} × | |");
        }
        None => {
            let _ = writeln!(table, "| {PEER} | could not be had here | |");
        }
    }
    println!("\n{table}");
    page::put("watch", &table)?;
    ensure!(ours.unchanged >= MUST * PEER_THEN, "{:.0} checks a minute are too few", ours.unchanged);
    ensure!(ours.peak_kb <= PEAK_KB_MAX, "{:.0} kB are too much", ours.peak_kb);
    Ok(())
}

/// What our side came to, the best of its rounds.
struct Measured {
    first: f64,
    unchanged: f64,
    peak_kb: f64,
}

impl Measured {
    fn of(checks: &Path) -> anyhow::Result<Measured> {
        let output = Command::new(checks).args([WATCHES.to_string(), ROUNDS.to_string()]).output();
        let output = output.with_context(|| format!("cannot run `{}`", checks.display()))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let best = |word: &str| {
            let lines = text
                .lines()
                .filter_map(|line| line.strip_prefix(word)?.split_whitespace().next()?.parse::<f64>().ok());
            lines.fold(0.0, f64::max)
        };
        Ok(Measured { first: best("first:"), unchanged: best("unchanged:"), peak_kb: best("VmHWM:") })
    }
}

/// What the peer came to on the same server; `None` where it cannot be had.
fn peer(folder: &Path, checks: &Path) -> anyhow::Result<Option<f64>> {
    let python = match environment(folder) {
        Ok(python) => python,
        Err(error) => {
            println!("  changedetection.io cannot be had here: {error:#}");
            return Ok(None);
        }
    };
    let mut server =
        Command::new(checks).arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut port = String::new();
    BufReader::new(server.stdout.take().context("the server says nothing")?).read_line(&mut port)?;
    let data = folder.join("data");
    if data.exists() {
        fs::remove_dir_all(&data).with_context(|| format!("cannot remove `{}`", data.display()))?;
    }
    let program = python.with_file_name("changedetection.io");
    let output = Command::new(&python)
        .args(["-c", include_str!("peer.py")])
        .args([&program, &data])
        .args([port.trim(), &PEER_PAGES.to_string(), &ROUNDS.to_string()])
        .output();
    drop(server.stdin.take());
    server.wait()?;
    let output = output.context("cannot run the peer")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).trim().parse();
    told.map(Some).context("the peer's script says no number")
}

/// An environment of its own: what it stands on is not what other peers stand on.
fn environment(folder: &Path) -> anyhow::Result<PathBuf> {
    let environment = folder.join("changedetection");
    let python = environment.join("bin").join("python");
    if !environment.join("bin").join("changedetection.io").is_file() {
        Step::new("python", "python3").args(["-m", "venv", "--clear"]).args([&environment]).run()?;
        Step::new("peer", &python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER])
            .run()?;
    }
    Ok(python)
}
