//! A thousand hosts, each with its pause; and a site that behaves beside one that does not.
//!
//! The servers of both are examples of `testkit`. Each runs the crawl itself, tells what happened, and ends with a line of
//! figures.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use crate::places;

/// A thousand hosts may be asked once a second each.
const RATE_MAX: f64 = 1000.0;
/// The share of that which must be reached.
const RATE_SHARE: f64 = 0.95;
const DELAY_MILLISECONDS: f64 = 1000.0;
/// How much slower a crawl may be beside a hostile site.
const SLOWER_MAX: f64 = 1.10;
/// How long a crawl may take to end when its time is up.
const OVER_SECONDS_MAX: f64 = 30.0;

/// Lines for the page, and what is wrong.
pub(super) fn run(folder: &Path) -> anyhow::Result<(String, Vec<String>)> {
    let mut complaints = Vec::new();
    let mut check = |holds: bool, complaint: String| {
        if !holds {
            complaints.push(complaint);
        }
    };
    let [rate, pause, share] = figures("polite", folder)?;
    let reached = rate / RATE_MAX;
    check(reached >= RATE_SHARE, format!("{rate:.0} requests a second to a thousand hosts"));
    check(pause >= DELAY_MILLISECONDS, format!("a host had a pause of {pause:.3} ms only"));
    check(share >= 1.0, format!("only {:.2} % of the thousand hosts' documents came", share * 100.0));

    let [alone, beside, whole, over] = figures("neighbour", folder)?;
    let slower = beside / alone.max(f64::EPSILON);
    check(slower <= SLOWER_MAX, format!("{slower:.2} times as slow beside a hostile site"));
    check(whole >= 1.0, format!("only {:.2} % of a site came beside a hostile one", whole * 100.0));
    check(over <= OVER_SECONDS_MAX, format!("a hostile site kept the crawl for {over:.0} s beyond its time"));

    let lines = format!(
        "\n| politeness | measured | must |\n|---|---|---|\n\
         | 1,000 hosts with a pause of 1 s each: requests a second, over 30 s | {rate:.0} | {:.0} |\n\
         | the shortest pause of any of them, from the end of one request to the start of the next | {pause:.1} ms | \
         {DELAY_MILLISECONDS} ms |\n\
         | a well-behaved site beside a hostile one: its time, against alone ({alone:.1} s) | {slower:.2} × | at most \
         {SLOWER_MAX:.2} × |\n\
         | how long the crawl of both goes on when its time is up | {over:.1} s | at most {OVER_SECONDS_MAX:.0} s |\n",
        RATE_MAX * RATE_SHARE,
    );
    Ok((lines, complaints))
}

/// Runs an example and reads the numbers of its last line.
fn figures<const COUNT: usize>(name: &str, folder: &Path) -> anyhow::Result<[f64; COUNT]> {
    let work = folder.join(name);
    if work.exists() {
        fs::remove_dir_all(&work).with_context(|| format!("cannot empty `{}`", work.display()))?;
    }
    fs::create_dir_all(&work).with_context(|| format!("cannot make `{}`", work.display()))?;
    let output = Command::new(places::target().join("release").join("examples").join(name))
        .arg(places::packaged())
        .arg(&work)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run `{name}`"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.lines().for_each(|line| println!("{name}: {line}"));
    ensure!(output.status.success(), "`{name}` failed");
    let last = said.lines().last().unwrap_or_default();
    let numbers: Vec<f64> = last.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.try_into() {
        Ok(numbers) => Ok(numbers),
        Err(_) => bail!("`{name}` does not tell its figures: `{last}`"),
    }
}
