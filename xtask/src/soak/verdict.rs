//! Whether the server has passed, as a table.

use std::fmt;
use std::time::Duration;

use super::clients::CLIENTS;
use super::measures::{Measures, Sample, Target};
use super::site::Site;
use super::{WATCH_EVERY, WATCHES};

/// The slowest of a hundred requests takes at most this.
const P99_MAX: Duration = Duration::from_millis(100);
/// Pages per second of all harvests together.
const PAGES_PER_SECOND: f64 = 20.0;
/// What counts as flat: the last quarter is at most this much above the second.
const GROWTH_PERCENT: u64 = 10;
const MEMORY_GROWTH_KB: u64 = 16 << 10;
const SOCKET_GROWTH: u64 = 50;
const FILE_GROWTH: u64 = 20;
/// Each watch makes at least this share of the checks that are due.
const CHECKS_SHARE: f64 = 0.9;
/// At least this share of the idle and slow clients has a connection at any time. A server with a limit per address keeps fewer
/// connections of a single address.
const CONNECTED_SHARE: f64 = 0.9;
const CONNECTED_SHARE_OF_ONE_ADDRESS: f64 = 0.3;
/// Seconds until all of them had the time to connect.
const CONNECTING_SECONDS: usize = 15;

/// The table.
pub(super) struct Report(Vec<Line>);

/// One criterion, or a figure without one.
struct Line {
    what: String,
    measured: String,
    wanted: String,
    /// `None` if it is only told.
    is_met: Option<bool>,
}

impl Report {
    pub(super) fn is_passed(&self) -> bool {
        self.0.iter().all(|line| line.is_met != Some(false))
    }
}

/// Holds what was measured against what is wanted.
pub(super) fn judge(measures: &Measures, site: &Site, took: Duration, is_one_address: bool) -> Report {
    // The pages' listener is under attack then; its figures are told and not judged.
    let is_judged = |target| !(is_one_address && target == Target::Cdx);
    let mut lines = Vec::new();
    for target in [Target::Replay, Target::Cdx] {
        lines.push(latency(target, &measures.latencies(target), is_judged(target)));
        lines.push(Line {
            what: format!("errors of {}", target.name()),
            measured: measures.errors(target.name()).to_string(),
            wanted: "0".to_owned(),
            is_met: is_judged(target).then_some(measures.errors(target.name()) == 0),
        });
    }
    for (what, of) in [("errors of harvests", "harvest"), ("errors in the log of `varve up`", "log")] {
        lines.push(Line {
            what: what.to_owned(),
            measured: measures.errors(of).to_string(),
            wanted: "0".to_owned(),
            is_met: Some(measures.errors(of) == 0),
        });
    }
    let samples = measures.samples();
    let memory = flat(&samples, |sample| sample.memory_kb, MEMORY_GROWTH_KB);
    lines.push(growth("memory, MB", memory, 1024, "10 % or 16 MB"));
    let files = flat(&samples, |sample| sample.files, FILE_GROWTH);
    lines.push(growth("descriptors of files", files, 1, "10 % or 20"));
    let sockets = flat(&samples, |sample| sample.sockets, SOCKET_GROWTH);
    lines.push(growth("descriptors of sockets", sockets, 1, "10 % or 50"));
    lines.push(connected(&samples, is_one_address));
    let rate = samples.last().map_or(0, |sample| sample.pages) as f64 / took.as_secs_f64();
    lines.push(Line {
        what: format!("pages per second, {} harvests", measures.harvests()),
        measured: format!("{rate:.1}"),
        wanted: format!("at least {PAGES_PER_SECOND}"),
        is_met: Some(rate >= PAGES_PER_SECOND),
    });
    lines.push(checks(&site.checks(), took));
    Report(lines)
}

fn latency(target: Target, all: &[u32], is_judged: bool) -> Line {
    let at = |share: f64| {
        let index = (all.len() as f64 * share) as usize;
        let micros = all.get(index.min(all.len().saturating_sub(1))).copied().unwrap_or(u32::MAX);
        Duration::from_micros(micros.into())
    };
    let shown = |share| format!("{:.1}", at(share).as_secs_f64() * 1000.0);
    Line {
        what: format!("{}: {} requests, p50 / p99 / p99.9 / max in ms", target.name(), all.len()),
        measured: format!("{} / {} / {} / {}", shown(0.5), shown(0.99), shown(0.999), shown(1.0)),
        wanted: format!("p99 at most {}", P99_MAX.as_millis()),
        is_met: is_judged.then_some(!all.is_empty() && at(0.99) <= P99_MAX),
    }
}

/// The medians of the second and of the last quarter, and whether the last is hardly larger.
fn flat(samples: &[Sample], of: impl Fn(&Sample) -> u64, growth_min: u64) -> (u64, u64, bool) {
    let quarter = samples.len() / 4;
    let median = |from: usize| {
        let mut values: Vec<u64> = samples.iter().skip(from).take(quarter.max(1)).map(&of).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let (before, after) = (median(quarter), median(quarter * 3));
    (before, after, after <= before + growth_min.max(before * GROWTH_PERCENT / 100))
}

fn growth(what: &str, (before, after, is_flat): (u64, u64, bool), unit: u64, allowed: &str) -> Line {
    Line {
        what: format!("{what}: second quarter / last quarter"),
        measured: format!("{} / {}", before / unit, after / unit),
        wanted: format!("growth at most {allowed}"),
        is_met: Some(is_flat),
    }
}

/// The fewest connections that idle and slow clients had at a time, once all of them had the time to connect.
fn connected(samples: &[Sample], is_one_address: bool) -> Line {
    let share = if is_one_address { CONNECTED_SHARE_OF_ONE_ADDRESS } else { CONNECTED_SHARE };
    let wanted = (CLIENTS as f64 * share) as u64;
    let fewest = samples.iter().skip(CONNECTING_SECONDS).map(|sample| sample.connected).min().unwrap_or(0);
    Line {
        what: format!("connections of {CLIENTS} idle and slow clients, the fewest at a time"),
        measured: fewest.to_string(),
        wanted: format!("at least {wanted}"),
        is_met: Some(fewest >= wanted),
    }
}

fn checks(checks: &[(usize, Duration)], took: Duration) -> Line {
    let fewest = checks.iter().map(|(count, _)| *count).min().unwrap_or_default();
    let gap = checks.iter().map(|(_, gap)| *gap).max().unwrap_or_default();
    let wanted = took.as_secs_f64() / WATCH_EVERY.as_secs_f64() * CHECKS_SHARE;
    let is_met = fewest as f64 >= wanted && gap <= WATCH_EVERY * 2;
    Line {
        what: format!("checks of the slowest of {WATCHES} watches / longest pause in s"),
        measured: format!("{fewest} / {:.1}", gap.as_secs_f64()),
        wanted: format!("at least {wanted:.0} / at most {}", (WATCH_EVERY * 2).as_secs()),
        is_met: Some(is_met),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | measured | wanted | verdict |\n|---|---|---|---|")?;
        for Line { what, measured, wanted, is_met } in &self.0 {
            let verdict = match is_met {
                Some(true) => "passed",
                Some(false) => "FAILED",
                None => "not judged",
            };
            writeln!(f, "| {what} | {measured} | {wanted} | {verdict} |")?;
        }
        writeln!(f, "\n{}", if self.is_passed() { "passed" } else { "FAILED" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(of: impl Fn(u64) -> u64) -> Vec<Sample> {
        (0..400).map(|second| Sample { memory_kb: of(second), ..Sample::default() }).collect()
    }

    #[test]
    fn growth_is_told_from_a_peak() {
        let is_flat = |all: Vec<Sample>| flat(&all, |sample| sample.memory_kb, 16 << 10).2;
        assert!(is_flat(samples(|_| 100_000)));
        assert!(is_flat(samples(|second| if second == 390 { 900_000 } else { 100_000 })));
        assert!(is_flat(samples(|second| if second < 100 { 0 } else { 100_000 })));
        assert!(!is_flat(samples(|second| 100_000 + second * 1000)));
    }

    #[test]
    fn a_watch_without_checks_fails_though_others_make_many() {
        let took = WATCH_EVERY * 100;
        let line = |slowest: usize| checks(&[(1000, WATCH_EVERY), (slowest, WATCH_EVERY)], took);
        assert_eq!((line(90).is_met, line(89).is_met), (Some(true), Some(false)));
        assert_eq!(checks(&[], took).is_met, Some(false));
    }

    #[test]
    fn idle_clients_must_be_connected_all_the_time() {
        let line = |fewest: u64| {
            let clients = |second| if second == 300 { fewest } else { 2200 };
            let all: Vec<Sample> =
                (0..400).map(|second| Sample { connected: clients(second), ..Sample::default() }).collect();
            super::connected(&all, false).is_met
        };
        assert_eq!((line(1980), line(1979)), (Some(true), Some(false)));
        assert_eq!(connected(&[], false).is_met, Some(false));
    }

    #[test]
    fn latency_is_judged_by_its_99th_percentile() {
        let line = |slow: usize| {
            let all: Vec<u32> =
                (0..1000).map(|number| if number < 1000 - slow { 1000 } else { 900_000 }).collect();
            latency(Target::Cdx, &all, true)
        };
        assert_eq!((line(9).is_met, line(11).is_met), (Some(true), Some(false)));
        assert_eq!(line(0).measured, "1.0 / 1.0 / 1.0 / 1.0");
        assert_eq!(latency(Target::Cdx, &[], true).is_met, Some(false));
    }
}
