//! What a running crawl counts: answers, remarks, requests under way, and what is neither written down nor given back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use job::tally::Tally;

use super::locks::lock;
use super::running::Running;
use crate::rate::Rate;

/// The counters of a crawl. All parts of it write them; progress and reports read them.
#[derive(Debug)]
pub(super) struct Counters {
    pub(super) tally: Mutex<Tally>,
    pub(super) remarks: Mutex<Remarks>,
    pub(super) rate: Mutex<Rate>,
    /// When the crawl began, as the gate counts time.
    pub(super) began: Duration,
    /// Requests under way and when each began.
    under_way: Mutex<HashMap<u64, (String, Duration)>>,
    /// Requests begun, ever.
    requests: AtomicU64,
    /// URLs that the crawl has taken from the frontier, or asked for besides, and has neither written nor given back. The frontier's own
    /// count of URLs in flight falls before the crawl queues the links of a document.
    unsettled: AtomicU64,
    /// When an answer came last, in milliseconds as the gate counts time.
    last_data: AtomicU64,
}

/// What the reports tell beside the counts.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// Links refused, by rule.
    pub(super) refused: BTreeMap<String, u64>,
    /// What looked strange, said once each.
    pub(super) lines: BTreeSet<String>,
}

/// Remarks that are kept.
const REMARKS_MAX: usize = 10_000;

impl Remarks {
    pub(super) fn say(&mut self, remark: String) {
        if self.lines.len() < REMARKS_MAX {
            self.lines.insert(remark);
        }
    }
}

impl Counters {
    pub(super) fn new(tally: Tally, began: Duration) -> Counters {
        Counters {
            tally: Mutex::new(tally),
            remarks: Mutex::default(),
            rate: Mutex::default(),
            began,
            under_way: Mutex::default(),
            requests: 0.into(),
            unsettled: 0.into(),
            last_data: milliseconds(began).into(),
        }
    }

    /// Something is under way that the ledger will hear of.
    pub(super) fn begun(&self) {
        self.unsettled.fetch_add(1, Ordering::SeqCst);
    }

    /// So much of it has come to its end.
    pub(super) fn settled(&self, count: usize) {
        self.unsettled.fetch_sub(count as u64, Ordering::SeqCst);
    }

    /// Whether something is under way that may lead to more.
    pub(super) fn is_busy(&self) -> bool {
        self.unsettled.load(Ordering::SeqCst) > 0
    }

    /// Requests under way, and the host of the one that has been under way longest, with the time since when.
    pub(super) fn under_way(&self) -> (u64, Option<(String, Duration)>) {
        let under_way = lock(&self.under_way);
        let slowest = under_way.values().min_by_key(|(_, since)| *since).cloned();
        (under_way.len() as u64, slowest)
    }

    /// Notes that an answer came.
    pub(super) fn note_data(&self, now: Duration) {
        self.last_data.store(milliseconds(now), Ordering::Relaxed);
    }

    /// For how long nothing has come.
    pub(super) fn quiet_for(&self, now: Duration) -> Duration {
        now.saturating_sub(Duration::from_millis(self.last_data.load(Ordering::Relaxed)))
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Counts a request as under way for as long as it lives.
pub(super) struct UnderWay {
    shared: Arc<Running>,
    number: u64,
}

impl UnderWay {
    pub(super) fn new(shared: &Arc<Running>, host: &str) -> UnderWay {
        let counters = &shared.counters;
        let number = counters.requests.fetch_add(1, Ordering::Relaxed);
        lock(&counters.under_way).insert(number, (host.to_owned(), shared.pacing.now()));
        UnderWay { shared: shared.clone(), number }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.shared.counters.under_way).remove(&self.number);
    }
}
