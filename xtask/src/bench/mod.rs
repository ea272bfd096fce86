//! `cargo xtask bench`: ours against other people's programs, as ratios in one run.
//!
//! A bench is a file that makes its input below `<target>/bench`, runs [`contest`]s on it, and puts its table between
//! its marks in `docs/benchmarks.md`. Ratios, not times, are what we promise: a noisy machine slows both sides.

mod access;
mod contest;
mod crawl;
mod diff;
mod extract;
mod fetch;
mod formats;
mod frontier;
mod machine;
mod memory;
mod page;
mod store;
mod usage;
mod watch;

use anyhow::{bail, ensure};

use contest::Outcome;

/// A bench by its name.
type Bench = fn() -> anyhow::Result<()>;

/// All benches. To add one: write its file, name it here, and give `docs/benchmarks.md` its marks.
const BENCHES: [(&str, Bench); 11] = [
    ("formats", formats::run),
    ("fetch", fetch::run),
    ("extract", extract::run),
    ("frontier", frontier::run),
    ("crawl", crawl::run),
    ("access", access::run),
    ("access-index", access::run_index),
    ("access-serving", access::run_serving),
    ("store", store::run),
    ("diff", diff::run),
    ("watch", watch::run),
];

/// Runs the named benches.
pub(crate) fn run(names: &[&str]) -> anyhow::Result<()> {
    let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
    if names.is_empty() {
        bail!("name a bench, one of: {}", known.join(", "));
    }
    for name in names {
        let Some((_, bench)) = BENCHES.iter().find(|(known, _)| known == name) else {
            bail!("there is no bench `{name}`; there are: {}", known.join(", "));
        };
        bench()?;
    }
    Ok(())
}

/// Fails where a line was not reached; its table is printed and written by then.
fn judge(outcomes: &[Outcome]) -> anyhow::Result<()> {
    let missed: Vec<&str> = outcomes
        .iter()
        .filter(|outcome| !outcome.is_reached())
        .map(|outcome| outcome.what.as_str())
        .collect();
    ensure!(missed.is_empty(), "not as fast as it must be: {}", missed.join("; "));
    Ok(())
}
