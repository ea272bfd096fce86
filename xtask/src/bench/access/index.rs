//! The index by itself: how fast sorted CDX is loaded, how small it is, how quickly it answers with a million rows and with fifty.
//!
//! There is no peer to compare with: what counts is a floor for loading, a share of the text's size, and that answers do not slow down with
//! size. `examples/load.rs` of the crate `index` makes the lines up and says how.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::super::page;
use crate::places;
use crate::step::Step;

/// Rows. The largest takes some minutes and 3 GB of disk.
const SIZES: [u64; 2] = [1_000_000, 50_000_000];

const ROWS_PER_SECOND_MIN: f64 = 200_000.0;
const SHARE_MAX: f64 = 1.0 / 3.0;
/// How many times as long as with the fewest rows an answer may take.
const SLOWDOWN_MAX: f64 = 2.0;
/// What is asked.
const QUESTIONS: [&str; 5] = [
    "a capture by key and time",
    "the newest capture of a URL",
    "the first capture of a digest",
    "a key that is not there",
    "up to 100 captures of a host",
];

/// What one run says.
#[derive(Debug, Clone, PartialEq)]
struct Figures {
    rows: u64,
    rows_per_second: f64,
    text_bytes: f64,
    index_bytes: f64,
    /// Microseconds for each of the questions.
    micros: [f64; 5],
}

pub(super) fn run(folder: &Path) -> anyhow::Result<()> {
    Step::cargo("build", "build --release --package index --example load").run()?;
    let mut all = Vec::new();
    for rows in SIZES {
        let figures = measure(folder, rows)?;
        println!("{figures:?}");
        all.push(figures);
    }
    let table = table(&all);
    println!("\n{table}");
    page::put("access-index", &table)?;
    judge(&all)
}

fn measure(folder: &Path, rows: u64) -> anyhow::Result<Figures> {
    let place = folder.join(format!("index-{rows}"));
    let remove = || match place.exists() {
        true => fs::remove_dir_all(&place).with_context(|| format!("cannot remove `{}`", place.display())),
        false => Ok(()),
    };
    remove()?;
    let output = Command::new(places::target().join("release").join("examples").join("load"))
        .arg(&place)
        .arg(rows.to_string())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run `load`")?;
    remove()?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "`load` failed: {}", said.trim());
    figures(rows, &said).with_context(|| format!("`load` does not tell its figures: `{}`", said.trim()))
}

/// The last line has eight numbers.
fn figures(rows: u64, said: &str) -> Option<Figures> {
    let numbers: Option<Vec<f64>> =
        said.lines().last()?.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers = numbers?;
    let [rows_per_second, text_bytes, index_bytes, ref micros @ ..] = *numbers.as_slice() else {
        return None;
    };
    Some(Figures { rows, rows_per_second, text_bytes, index_bytes, micros: micros.try_into().ok()? })
}

fn table(all: &[Figures]) -> String {
    let mut text = String::from("| rows |");
    let first = all.first();
    for figures in all {
        // Writing to a string cannot fail.
        let _ = write!(text, " {} million |", figures.rows / 1_000_000);
    }
    text.push_str(" ratio | must |\n|---|");
    text.push_str(&"---|".repeat(all.len() + 2));
    text.push('\n');
    let mut line = |what: &str, ratio: &str, must: &str, figure: &dyn Fn(&Figures) -> String| {
        let figures: String = all.iter().map(|figures| format!(" {} |", figure(figures))).collect();
        let _ = writeln!(text, "| {what} |{figures} {ratio} | {must} |");
    };
    let must = format!("≥ {ROWS_PER_SECOND_MIN:.0}");
    line("lines of a sorted CDX file loaded, per second", "–", &must, &|figures| {
        format!("{:.0}", figures.rows_per_second)
    });
    line("bytes of CDX text for each row", "–", "", &|figures| {
        format!("{:.0}", figures.text_bytes / figures.rows as f64)
    });
    line("bytes on disk for each row", "–", "", &|figures| {
        format!("{:.1}", figures.index_bytes / figures.rows as f64)
    });
    line("share of the text's size", "–", "≤ 0.33, aim 0.25", &|figures| {
        format!("{:.3}", figures.index_bytes / figures.text_bytes)
    });
    for (at, what) in QUESTIONS.iter().enumerate() {
        let micros = |figures: &Figures| figures.micros.get(at).copied().unwrap_or_default();
        let ratio = first.zip(all.last()).map_or(0.0, |(first, last)| micros(last) / micros(first));
        let missed = if ratio > SLOWDOWN_MAX { ", **missed**" } else { "" };
        let must = format!("≤ {SLOWDOWN_MAX:.0} ×{missed}");
        line(what, &format!("{ratio:.2} ×"), &must, &|figures| format!("{:.1} µs", micros(figures)));
    }
    text
}

/// Fails where a line was not reached; the table is printed and written by then.
fn judge(all: &[Figures]) -> anyhow::Result<()> {
    let Some(first) = all.first() else { bail!("nothing was measured") };
    for figures in all {
        let speed = figures.rows_per_second;
        ensure!(
            speed >= ROWS_PER_SECOND_MIN,
            "{speed:.0} lines per second are too few, with {} rows",
            figures.rows
        );
        let share = figures.index_bytes / figures.text_bytes;
        ensure!(share <= SHARE_MAX, "an index of {} rows takes {share:.3} of the text", figures.rows);
        for ((what, before), after) in QUESTIONS.iter().zip(first.micros).zip(figures.micros) {
            let slowdown = after / before;
            ensure!(slowdown <= SLOWDOWN_MAX, "{what}: {slowdown:.2} × as long with {} rows", figures.rows);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(rows: u64, micros: f64) -> Figures {
        Figures { rows, rows_per_second: 3e5, text_bytes: 1000.0, index_bytes: 250.0, micros: [micros; 5] }
    }

    #[test]
    fn the_last_line_counts() {
        let said = "talk\n300000 1000 250 9.5 9.5 9.5 9.5 9.5\n";
        assert_eq!(figures(1, said), Some(some(1, 9.5)));
        assert_eq!(figures(1, "1 2 3 4\n"), None);
        assert_eq!(figures(1, ""), None);
    }

    #[test]
    fn slowness_and_size_are_said() {
        let judge = |large: Figures| judge(&[some(1, 10.0), large]).map_err(|error| error.to_string());
        assert_eq!(judge(some(50, 19.0)), Ok(()));
        assert!(judge(some(50, 21.0)).unwrap_err().contains("2.10 × as long"));
        assert!(judge(Figures { index_bytes: 500.0, ..some(50, 9.0) }).unwrap_err().contains("0.500"));
        assert!(
            table(&[some(1_000_000, 10.0), some(50_000_000, 15.0)])
                .contains("| 10.0 µs | 15.0 µs | 1.50 × | ≤ 2 × |")
        );
    }
}
