//! The measurements: latencies, errors, and each second memory, descriptors, connections and pages.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context as _;

/// Errors of each kind that are printed. All are counted.
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
    /// Descriptors of connections and listeners.
    pub(super) sockets: u64,
    /// All other descriptors.
    pub(super) files: u64,
    /// Idle and slow clients that have a connection.
    pub(super) connected: u64,
    pub(super) pages: u64,
}

/// Everything that was measured.
pub(super) struct Measures {
    latencies: Mutex<BTreeMap<Target, Vec<u32>>>,
    samples: Mutex<Vec<Sample>>,
    errors: Mutex<BTreeMap<&'static str, usize>>,
    harvests: AtomicU64,
    connected: AtomicI64,
}

impl Measures {
    pub(super) fn new() -> Measures {
        Measures {
            latencies: Mutex::default(),
            samples: Mutex::default(),
            errors: Mutex::default(),
            harvests: AtomicU64::new(0),
            connected: AtomicI64::new(0),
        }
    }

    pub(super) fn note_latency(&self, target: Target, took: Duration) {
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        lock(&self.latencies).entry(target).or_default().push(micros);
    }

    pub(super) fn note_error(&self, of: &'static str, what: &str) {
        let mut errors = lock(&self.errors);
        let count = errors.entry(of).or_default();
        *count += 1;
        if *count <= ERRORS_SHOWN {
            println!("error: {of}: {what}");
        }
    }

    pub(super) fn note_harvest(&self) {
        self.harvests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn note_connected(&self, change: i64) {
        self.connected.fetch_add(change, Ordering::Relaxed);
    }

    /// Takes a sample of the process.
    pub(super) fn sample(&self, process: u32, pages: u64) -> anyhow::Result<()> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).context("no process")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let memory_kb = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        let (mut sockets, mut files) = (0, 0);
        for descriptor in std::fs::read_dir(format!("/proc/{process}/fd"))? {
            match std::fs::read_link(descriptor?.path()) {
                Ok(target) if target.to_string_lossy().starts_with("socket:") => sockets += 1,
                Ok(_) => files += 1,
                // The process closed it since.
                Err(_) => {}
            }
        }
        let connected = u64::try_from(self.connected.load(Ordering::Relaxed)).unwrap_or_default();
        lock(&self.samples).push(Sample { memory_kb, sockets, files, connected, pages });
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
        lock(&self.errors).get(of).copied().unwrap_or_default()
    }

    pub(super) fn harvests(&self) -> u64 {
        self.harvests.load(Ordering::Relaxed)
    }

    /// The newest sample and the totals, on one line.
    pub(super) fn line(&self) -> String {
        let last = lock(&self.samples).last().copied().unwrap_or_default();
        let requests: usize = lock(&self.latencies).values().map(Vec::len).sum();
        format!(
            "{:>5} s  {} MB  {} sockets  {} files  {} idle or slow clients  {requests} requests  {} pages  {} harvests  {} errors",
            self.seconds(),
            last.memory_kb / 1024,
            last.sockets,
            last.files,
            last.connected,
            last.pages,
            self.harvests(),
            lock(&self.errors).values().sum::<usize>(),
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
