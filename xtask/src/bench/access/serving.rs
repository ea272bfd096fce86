//! What is asked over HTTP: lines of the index, rewritten pages, a large payload; against pywb under uwsgi.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::super::contest::Outcome;
use super::newspaper::{self, LARGE, PAGES};
use super::server::Server;
use super::wrk::{self, Load};
use crate::nginx::{Nginx, Site};
use crate::step::{Step, seconds};
use crate::{debian, places};

const ROUNDS: u32 = 3;
/// Who read the large payload at once.
const READERS: usize = 50;
/// What serving them may add to the memory: some buffers for each, and far less than the payload for each.
const GROWTH_BYTES_MAX: u64 = 100_000_000;
/// Until the first byte of the large payload.
const FIRST_BYTE_MAX: Duration = Duration::from_millis(50);
/// In how many requests each time is told, so that the table has seconds in it.
const REQUESTS: f64 = 10_000.0;

/// What came of it: outcomes, further lines for the table, and what is wrong.
pub(super) fn run(folder: &Path) -> anyhow::Result<(Vec<Outcome>, String, Vec<String>)> {
    debian::install(&debian::FOR_BENCH_ACCESS)?;
    Step::cargo("build", "build --release --package varve").run()?;
    let (archive, captured) = harvested(folder)?;
    let ours = Server::ours(&archive)?;
    let pywb = Server::pywb(&folder.join("pywb"), &files_of(&archive.join("store"))?)?;

    let lines = contest(
        "exact lookup of the index over HTTP",
        20.0,
        Some(30.0),
        folder,
        [
            (
                &ours.index,
                captured.iter().map(|(url, _)| format!("/cdx?url={}&output=json", encoded(url))).collect(),
            ),
            (
                &pywb.index,
                captured
                    .iter()
                    .map(|(url, _)| format!("/bench/cdx?url={}&output=json", encoded(url)))
                    .collect(),
            ),
        ],
    )?;
    let pages = contest(
        "a rewritten page of 20 KB",
        15.0,
        Some(20.0),
        folder,
        [
            (&ours.replay, captured.iter().map(|(url, time)| format!("/web/{time}/{url}")).collect()),
            (&pywb.replay, captured.iter().map(|(url, time)| format!("/bench/{time}mp_/{url}")).collect()),
        ],
    )?;
    drop(pywb);
    let (table, complaints) = latencies(&lines, &pages);
    let (large_table, further) = large(&ours, &captured)?;
    let complaints = complaints.into_iter().chain(further).collect();
    Ok((vec![lines.outcome, pages.outcome], table + &large_table, complaints))
}

/// The newspaper in an archive: its folder, and the URL and time of every page.
fn harvested(folder: &Path) -> anyhow::Result<(PathBuf, Vec<(String, String)>)> {
    let (site, archive) = (folder.join("site"), folder.join("archive"));
    for old in [&site, &archive].into_iter().filter(|old| old.exists()) {
        fs::remove_dir_all(old).with_context(|| format!("cannot empty `{}`", old.display()))?;
    }
    newspaper::write(&site)?;
    let nginx = Nginx::start(&Site { name: "access-nginx", root: &site, locations: "", is_logging: false })?;
    varve(&["init"], &archive)?;
    let url = nginx.url("/");
    varve(
        &["harvest", &url, "--scope", "host", "--delay", "0", "--allow-private", "--quiet", "--archive"],
        &archive,
    )?;
    let lines = varve(&["cdx", &url, "--match", "host", "--json", "--archive"], &archive)?;
    let rows = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let captured: Vec<(String, String)> = rows
        .filter_map(|row| {
            let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
            Some((text("url")?, text("timestamp")?))
        })
        .filter(|(url, _)| url.contains("/articles/") || url.ends_with(LARGE))
        .collect();
    ensure!(captured.len() == PAGES + 1, "{} captures of {}", captured.len(), PAGES + 1);
    Ok((archive, captured))
}

fn varve(words: &[&str], archive: &Path) -> anyhow::Result<String> {
    let program = places::target().join("release").join("varve");
    let output = Command::new(program).args(words).arg(archive).output().context("cannot run varve")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`varve {}` failed: {}", words.join(" "), said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The WARC files of all jobs.
fn files_of(store: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let list = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
        Ok(entries.flatten().map(|entry| entry.path()).collect())
    };
    let mut files = Vec::new();
    for job in list(store)?.into_iter().filter(|path| path.is_dir()) {
        files.extend(list(&job)?.into_iter().filter(|file| file.to_string_lossy().ends_with(".warc.gz")));
    }
    Ok(files)
}

/// A contest of two servers, and the best load of each.
struct Compared {
    outcome: Outcome,
    ours: Load,
    peer: Load,
}

fn contest(
    what: &str,
    must: f64,
    aim: Option<f64>,
    folder: &Path,
    sides: [(&String, Vec<String>); 2],
) -> anyhow::Result<Compared> {
    let [(our_origin, our_targets), (peer_origin, peer_targets)] = sides;
    let without_large = |targets: Vec<String>| -> Vec<String> {
        targets.into_iter().filter(|target| !target.contains("large.bin")).collect()
    };
    let (our_targets, peer_targets) = (without_large(our_targets), without_large(peer_targets));
    let mut best: Option<(Load, Load)> = None;
    for round in 1..=ROUNDS {
        let ours = wrk::run(our_origin, &our_targets, folder)?;
        let peer = wrk::run(peer_origin, &peer_targets, folder)?;
        println!(
            "{what}, {round} of {ROUNDS}: varve {:.0}/s (half within {}, 99 % within {}), pywb {:.0}/s ({}, {})",
            ours.per_second,
            seconds(ours.median),
            seconds(ours.p99),
            peer.per_second,
            seconds(peer.median),
            seconds(peer.p99),
        );
        let better = |new: Load, old: Load| if new.per_second > old.per_second { new } else { old };
        best =
            Some(best.map_or((ours, peer), |(our_best, peer_best)| {
                (better(ours, our_best), better(peer, peer_best))
            }));
    }
    let (ours, peer) = best.context("no round was run")?;
    let time = |load: Load| Duration::from_secs_f64(REQUESTS / load.per_second);
    let outcome = Outcome {
        what: format!("10,000 times {what}, 16 connections"),
        ours: ("varve".to_owned(), time(ours)),
        peer: ("pywb, uwsgi".to_owned(), time(peer)),
        must,
        aim,
    };
    Ok(Compared { outcome, ours, peer })
}

/// Lines on how long requests take, and what is wrong with that.
fn latencies(lines: &Compared, pages: &Compared) -> (String, Vec<String>) {
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let mut text = String::from("\n| | requests/s | half within | 99 % within |\n|---|---|---|---|\n");
    for (what, who, load) in [
        ("index", "varve", lines.ours),
        ("index", "pywb", lines.peer),
        ("page", "varve", pages.ours),
        ("page", "pywb", pages.peer),
    ] {
        text.push_str(&format!(
            "| {what}, {who} | {:.0} | {} | {} |\n",
            load.per_second,
            milliseconds(load.median),
            milliseconds(load.p99)
        ));
    }
    let mut complaints = Vec::new();
    if pages.ours.p99 > pages.peer.median {
        complaints.push("99 % of our pages take longer than half of pywb's".to_owned());
    }
    (text, complaints)
}

/// The large payload: how soon it begins, and what fifty readers at once cost.
fn large(ours: &Server, captured: &[(String, String)]) -> anyhow::Result<(String, Vec<String>)> {
    let (url, time) = captured.iter().find(|(url, _)| url.ends_with(LARGE)).context("no large payload")?;
    let address = format!("{}/web/{time}id_/{url}", ours.replay);
    let first = first_byte(&address)?;
    let before = ours.peak_bytes()?;
    let mut readers = Vec::new();
    for _ in 0..READERS {
        readers.push(curl(&address).spawn().context("cannot run curl")?);
    }
    for reader in readers {
        let output = reader.wait_with_output().context("curl is lost")?;
        let got: u64 =
            String::from_utf8_lossy(&output.stdout).split(' ').next_back().unwrap_or_default().parse()?;
        ensure!(got == newspaper::LARGE_BYTES, "a reader got {got} bytes");
    }
    let growth = ours.peak_bytes()?.saturating_sub(before);
    let text = format!(
        "\n| a payload of 50 MB | measured | at most |\n|---|---|---|\n| first byte | {:.1} ms | {} ms |\n\
         | memory that {READERS} readers at once add | {} MB | {} MB |\n",
        first.as_secs_f64() * 1e3,
        FIRST_BYTE_MAX.as_millis(),
        growth / 1_000_000,
        GROWTH_BYTES_MAX / 1_000_000,
    );
    let mut complaints = Vec::new();
    if first > FIRST_BYTE_MAX {
        complaints.push(format!("the first byte of the large payload takes {}", seconds(first)));
    }
    if growth > GROWTH_BYTES_MAX {
        complaints.push(format!("{READERS} readers add {growth} bytes of memory"));
    }
    Ok((text, complaints))
}

/// The best of a few: what the machine does besides is not what is asked.
fn first_byte(address: &str) -> anyhow::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let output = curl(address).output().context("cannot run curl")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let time: f64 = said.split(' ').next().unwrap_or_default().parse().with_context(|| said.clone())?;
        best = best.min(Duration::from_secs_f64(time));
    }
    Ok(best)
}

/// Reads all of it, and tells when it began and how many bytes there were.
fn curl(address: &str) -> Command {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--fail", "--output", "/dev/null"]);
    command.args(["--write-out", "%{time_starttransfer} %{size_download}", address]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A URL as the value of a parameter.
fn encoded(url: &str) -> String {
    url.replace('%', "%25").replace('&', "%26").replace('#', "%23").replace('+', "%2B")
}
