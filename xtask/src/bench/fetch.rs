//! `cargo xtask bench fetch`: exchanges with a local nginx, against wrk, and the gate with many hosts.
//!
//! wrk throws away what it reads; we keep the raw bytes and hash them. Both have the same number of connections, and
//! share the machine with the server.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::contest::{Contest, Side};
use super::{judge, page};
use crate::nginx::{Nginx, Site};
use crate::step::Step;
use crate::{debian, places};

const PAGE_BYTES: usize = 20_000;
const CONNECTIONS: usize = 64;
const SECONDS: usize = 5;
const ROUNDS: u32 = 3;

/// What the gate may need for a hundred thousand hosts.
const GATE_BYTES_MAX: u64 = 60_000_000;
const GATE_NANOSECONDS_MAX: f64 = 5_000.0;

pub(crate) fn run() -> anyhow::Result<()> {
    debian::install(&debian::FOR_BENCH_FETCH)?;
    Step::cargo("build", "build --release --package fetch --examples").run()?;
    let root = places::target().join("bench").join("nginx").join("html");
    fs::create_dir_all(&root).with_context(|| format!("cannot make `{}`", root.display()))?;
    let text: String = "All work and no play makes a dull page. ".chars().cycle().take(PAGE_BYTES).collect();
    fs::write(root.join("page.html"), text).context("cannot write the page")?;
    let server = Nginx::start(&Site { name: "nginx", root: &root, locations: "", is_logging: false })?;
    let url = server.url("/page.html");

    let mut ours = Command::new(example("pull"));
    ours.arg(&url).args(["--connections", &CONNECTIONS.to_string(), "--seconds", &SECONDS.to_string()]);
    let mut peer = Command::new("sh");
    // The last word is the time that a hundred thousand exchanges take.
    let script = format!(
        "wrk --threads 2 --connections {CONNECTIONS} --duration {SECONDS}s '{url}' \
         | awk '/Requests.sec:/ {{ print 100000 / $2 }}'"
    );
    peer.args(["-c", &script]);
    let contest = Contest {
        what: format!("100,000 pages of {} KB, {CONNECTIONS} connections kept alive", PAGE_BYTES / 1000),
        ours: Side::self_timed("varve, bytes kept and hashed", ours),
        peer: Side::self_timed("wrk", peer),
        must: 0.6,
        aim: None,
    };
    let outcomes = [contest.run(ROUNDS)?];
    drop(server);

    let (gate, is_small_and_quick) = gate()?;
    let table = page::table(&outcomes) + &gate;
    println!("\n{table}");
    page::put("fetch", &table)?;
    ensure!(is_small_and_quick, "the gate is larger or slower than it may be");
    judge(&outcomes)
}

/// The lines on the gate, and whether it is as small and quick as it must be. The example ends with two words: bytes of
/// memory and nanoseconds of a decision.
fn gate() -> anyhow::Result<(String, bool)> {
    let output =
        Command::new(example("gate")).stderr(Stdio::inherit()).output().context("cannot run `gate`")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut words = said.split_whitespace().rev();
    let nanoseconds: Option<f64> = words.next().and_then(|word| word.parse().ok());
    let bytes: Option<u64> = words.next().and_then(|word| word.parse().ok());
    let (Some(nanoseconds), Some(bytes)) = (nanoseconds, bytes) else {
        bail!("`gate` does not tell its figures: `{}`", said.trim());
    };
    let lines = format!(
        "\n| the gate with 100,000 hosts | measured | at most |\n|---|---|---|\n\
         | memory | {} MB | {} MB |\n| a decision: which host is next, and how it went | {nanoseconds:.0} ns | {} ns |\n",
        bytes / 1_000_000,
        GATE_BYTES_MAX / 1_000_000,
        GATE_NANOSECONDS_MAX,
    );
    Ok((lines, bytes <= GATE_BYTES_MAX && nanoseconds <= GATE_NANOSECONDS_MAX))
}

fn example(name: &str) -> PathBuf {
    places::target().join("release").join("examples").join(name)
}
