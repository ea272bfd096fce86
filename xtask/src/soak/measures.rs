//! What is measured: latencies, errors, and each second memory, descriptors and pages.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context as _;

/// Errors that are kept word for word.
const ERRORS_SHOWN: usize = 20;

/// Whom a request goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Replay,
    Cdx,
}

impl Target {
    pub(super) fn name(self) -> &'static str {
        match self {
            Target::Replay => "replay",
            Target::Cdx => "cdx",
        }
    }
}

/// One second of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) memory_kb: u64,
    pub(super) descriptors: u64,
    pub(super) pages: u64,
}

/// Everything that was measured.
pub(super) struct Measures {
    latencies: Mutex<BTreeMap<Target, Vec<u32>>>,
    samples: Mutex<Vec<Sample>>,
    errors: Mutex<BTreeMap<&'static str, Vec<String>>>,
    error_count: AtomicU64,
    harvests: AtomicU64,
    connected: AtomicI64,
}

impl Measures {
    pub(super) fn new() -> Measures {
        Measures {
            latencies: Mutex::default(),
            samples: Mutex::default(),
            errors: Mutex::default(),
            error_count: AtomicU64::new(0),
            harvests: AtomicU64::new(0),
            connected: AtomicI64::new(0),
        }
    }

    pub(super) fn note_latency(&self, target: Target, took: Duration) {
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        lock(&self.latencies).entry(target).or_default().push(micros);
    }

    pub(super) fn note_error(&self, of: &'static str, what: &str) {
        self.error_count.fetch_add(1, Ordering::Relaxed);
        let mut errors = lock(&self.errors);
        let shown = errors.entry(of).or_default();
        if shown.len() < ERRORS_SHOWN {
            println!("error: {of}: {what}");
            shown.push(what.to_owned());
        }
    }

    pub(super) fn note_harvest(&self) {
        self.harvests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn note_connected(&self, change: i64) {
        self.connected.fetch_add(change, Ordering::Relaxed);
    }

    /// Looks at the process once.
    pub(super) fn sample(&self, process: u32, pages: u64) -> anyhow::Result<()> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).context("no process")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let memory_kb = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        let descriptors = std::fs::read_dir(format!("/proc/{process}/fd"))?.count() as u64;
        lock(&self.samples).push(Sample { memory_kb, descriptors, pages });
        Ok(())
    }

    pub(super) fn seconds(&self) -> usize {
        lock(&self.samples).len()
    }

    pub(super) fn samples(&self) -> Vec<Sample> {
        lock(&self.samples).clone()
    }

    /// Latencies in order, in microseconds.
    pub(super) fn latencies(&self, target: Target) -> Vec<u32> {
        let mut all = lock(&self.latencies).get(&target).cloned().unwrap_or_default();
        all.sort_unstable();
        all
    }

    pub(super) fn errors(&self, of: &str) -> usize {
        lock(&self.errors).get(of).map_or(0, Vec::len)
    }

    pub(super) fn error_count(&self) -> u64 {
        self.error_count.load(Ordering::Relaxed)
    }

    pub(super) fn harvests(&self) -> u64 {
        self.harvests.load(Ordering::Relaxed)
    }

    /// How it stands, on one line.
    pub(super) fn line(&self) -> String {
        let last = lock(&self.samples).last().copied().unwrap_or_default();
        let requests: usize = lock(&self.latencies).values().map(Vec::len).sum();
        format!(
            "{:>5} s  {} MB  {} descriptors  {} idle or slow connections  {requests} requests  {} pages  {} harvests  {} errors",
            self.seconds(),
            last.memory_kb / 1024,
            last.descriptors,
            self.connected.load(Ordering::Relaxed),
            last.pages,
            self.harvests(),
            self.error_count(),
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
