//! `cargo xtask bench frontier`: a crawl that fetches nothing, with a million URLs queued and with five.
//!
//! There is no peer to compare with: what counts is that it keeps up with any crawl, and that memory does not grow with the
//! queues. Each size is a process of its own, with an empty folder.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::page;
use crate::places;
use crate::step::Step;

const SIZES: [u64; 2] = [1_000_000, 5_000_000];
/// Pages that are fetched with so much queued, with one link each and again with twenty.
const PAGES: u64 = 500_000;

const PER_SECOND_MIN: f64 = 50_000.0;
const PEAK_BYTES_MAX: f64 = 300e6;
/// How many times the memory of the smallest size the others may need.
const GROWTH_MAX: f64 = 1.10;

/// What one run says.
#[derive(Debug, PartialEq)]
struct Figures {
    /// URLs queued in a second while there were only new ones.
    filling: f64,
    /// URLs queued, taken and settled in a second.
    passing: f64,
    /// Pages with twenty links in a second.
    crawling: f64,
    opening_seconds: f64,
    peak_bytes: f64,
}

pub(crate) fn run() -> anyhow::Result<()> {
    Step::cargo("build", "build --release --package frontier --examples").run()?;
    let mut all = Vec::new();
    for size in SIZES {
        let figures = measure(size)?;
        println!("{size} queued: {figures:?}");
        all.push((size, figures));
    }
    let table = table(&all);
    println!("\n{table}");
    page::put("frontier", &table)?;
    judge(&all)
}

fn measure(size: u64) -> anyhow::Result<Figures> {
    let folder = places::target().join("bench").join(format!("frontier-{size}"));
    remove(&folder)?;
    let output = Command::new(places::target().join("release").join("examples").join("crawl"))
        .arg(&folder)
        .args([size.to_string(), PAGES.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run `crawl`")?;
    remove(&folder)?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "`crawl` failed: {}", said.trim());
    figures(&said).with_context(|| format!("`crawl` does not tell its figures: `{}`", said.trim()))
}

/// The last line has five numbers.
fn figures(said: &str) -> Option<Figures> {
    let numbers: Option<Vec<f64>> =
        said.lines().last()?.split_whitespace().map(|word| word.parse().ok()).collect();
    let [filling, passing, crawling, opening_seconds, peak_bytes] = *numbers?.as_slice() else { return None };
    Some(Figures { filling, passing, crawling, opening_seconds, peak_bytes })
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove `{}`", folder.display()))?;
    }
    Ok(())
}

fn table(all: &[(u64, Figures)]) -> String {
    let mut text = String::from("| 10,000 hosts, queued |");
    for (size, _) in all {
        // Writing to a string cannot fail.
        let _ = write!(text, " {} million |", size / 1_000_000);
    }
    text.push_str(" must |\n|---|");
    text.push_str(&"---|".repeat(all.len() + 1));
    text.push('\n');
    let mut line = |what: &str, must: &str, figure: &dyn Fn(&Figures) -> String| {
        let figures: String = all.iter().map(|(_, figures)| format!(" {} |", figure(figures))).collect();
        let _ = writeln!(text, "| {what} |{figures} {must} |");
    };
    line("new URLs queued, per second", "", &|figures| format!("{:.0}", figures.filling));
    let must = format!("≥ {PER_SECOND_MIN:.0}");
    line("URLs queued, taken and settled, per second", &must, &|figures| format!("{:.0}", figures.passing));
    line("pages with 20 links, 19 of them seen, per second", "", &|figures| {
        format!("{:.0}", figures.crawling)
    });
    let must = format!("≤ {:.0} MB, then ≤ {GROWTH_MAX:.2} ×", PEAK_BYTES_MAX / 1e6);
    line("peak memory", &must, &|figures| format!("{:.0} MB", figures.peak_bytes / 1e6));
    line("opening it again", "", &|figures| format!("{:.1} s", figures.opening_seconds));
    text
}

/// Fails where a line was not reached; the table is printed and written by then.
fn judge(all: &[(u64, Figures)]) -> anyhow::Result<()> {
    let Some((_, smallest)) = all.first() else { bail!("nothing was measured") };
    ensure!(smallest.peak_bytes <= PEAK_BYTES_MAX, "the frontier needs {} bytes", smallest.peak_bytes);
    for (size, figures) in all {
        let passing = figures.passing;
        ensure!(passing >= PER_SECOND_MIN, "{passing} URLs per second with {size} queued are too few");
        let growth = figures.peak_bytes / smallest.peak_bytes;
        ensure!(growth <= GROWTH_MAX, "memory grows with the queues: {growth:.2} × with {size} queued");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(passing: f64, peak_bytes: f64) -> Figures {
        Figures { filling: 1e5, passing, crawling: 2e4, opening_seconds: 1.0, peak_bytes }
    }

    #[test]
    fn the_last_line_counts() {
        assert_eq!(figures("talk\n100000 60000 20000 1.00 9000\n"), Some(some(60_000.0, 9_000.0)));
        assert_eq!(figures("1 2 3\n"), None);
        assert_eq!(figures(""), None);
    }

    #[test]
    fn slowness_and_growth_are_said() {
        let judge =
            |large: Figures| judge(&[(1, some(6e4, 1e8)), (5, large)]).map_err(|error| error.to_string());
        assert_eq!(judge(some(6e4, 1.05e8)), Ok(()));
        assert!(judge(some(4e4, 1.05e8)).unwrap_err().contains("too few"));
        assert!(judge(some(6e4, 1.2e8)).unwrap_err().contains("grows"));
    }
}
