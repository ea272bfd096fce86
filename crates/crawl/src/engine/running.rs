//! What all parts of a running crawl have in common.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use archive::{Archive, Packer};
use fetch::dns::Answer;
use fetch::gate::Pace;
use fetch::{Exchange, Fetcher};
use frontier::{Frontier, Offered, Turn};
use jiff::Timestamp;
use job::Progress;
use job::tally::{Counts, Tally};
use scope::Scope;
use tokio::sync::watch;
use url::Url;

use super::robots::Rules;
use super::room;
use crate::control::Control;
use crate::error::Error;
use crate::politeness::Politeness;
use crate::rate::Rate;
use crate::settings::{RobotsRule, Settings};
use crate::spending::Spending;

/// One running crawl.
pub(super) struct Running {
    pub(super) job: String,
    pub(super) started: Timestamp,
    pub(super) settings: Settings,
    pub(super) scope: Scope,
    pub(super) frontier: Frontier,
    pub(super) politeness: Politeness,
    pub(super) fetcher: Fetcher,
    pub(super) archive: Archive,
    pub(super) packer: Packer,
    pub(super) rules: Rules,
    pub(super) control: Control,
    pub(super) spending: Mutex<Spending>,
    pub(super) tally: Mutex<Tally>,
    pub(super) remarks: Mutex<Remarks>,
    pub(super) traps: Traps,
    /// Requests under way and when each began.
    pub(super) under_way: Mutex<HashMap<u64, (String, Duration)>>,
    /// Hosts that wait for the operator to raise a budget.
    pub(super) held: Mutex<HashSet<String>>,
    /// Hosts whose pace a sheet has set.
    pub(super) paced: Mutex<HashMap<String, Pace>>,
    /// Where hosts are, as of the last exchange with each, for the politeness that hosts with one address share.
    addresses: Mutex<HashMap<String, IpAddr>>,
    /// When names were looked up whose answers are in the archive already.
    answers: Mutex<HashMap<String, Timestamp>>,
    /// Whether the job waits for no host at the gate because it is held.
    has_left_gate: Mutex<bool>,
    /// Why nothing is begun just now, though the operator has not asked for it.
    pub(super) hold: Mutex<Option<String>>,
    /// Why it cannot go on.
    pub(super) failed: Mutex<Option<Error>>,
    /// For how much longer exchanges that are under way are waited for, once nothing new is begun.
    closing: watch::Sender<Option<Duration>>,
    /// When the crawl began, as the gate counts time.
    pub(super) began: Duration,
    /// When an answer came last.
    pub(super) last_data: AtomicU64,
    /// What was taken from the frontier or asked for besides, and is neither written down nor given back. The frontier's own
    /// count of what is in flight falls before what was found is queued.
    unsettled: AtomicU64,
    pub(super) requests: AtomicU64,
    pub(super) rate: Mutex<Rate>,
}

/// What only counting can tell of a site that leads nowhere.
#[derive(Debug, Default)]
pub(super) struct Traps {
    pub(super) shapes: scope::Shapes,
    pub(super) hosts: scope::Hosts,
    pub(super) bodies: scope::SameBody,
}

impl Traps {
    /// What they have to tell.
    pub(super) fn remarks(&self) -> Vec<String> {
        let shapes = self.shapes.report();
        let shapes = shapes.into_iter().map(|shape| {
            format!("{}: about {} URLs alike, such as {}", shape.shape, shape.about, shape.example)
        });
        let hosts = self.hosts.report();
        let hosts = hosts
            .into_iter()
            .map(|report| format!("{}: too many hosts, about {}", report.domain, report.about));
        let bodies = self.bodies.report();
        let bodies = bodies.into_iter().map(|body| {
            format!(
                "{}: the same content under about {} URLs, such as {}",
                body.host, body.about, body.example
            )
        });
        shapes.chain(hosts).chain(bodies).collect()
    }
}

/// What the reports tell beside the counts.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// Links refused, by rule.
    pub(super) refused: BTreeMap<String, u64>,
    /// What looked strange, said once each.
    pub(super) lines: BTreeSet<String>,
}

/// Why nothing is begun when all that is left has used up its budget.
pub(super) const BUDGET_HOLD: &str = "a budget is used up: raise it or stop the job";

/// Hosts of which something is remembered beside what gate and frontier know; beyond that it is learnt anew.
const NAMES_MAX: usize = 100_000;

/// Remarks that are kept.
const REMARKS_MAX: usize = 10_000;

impl Remarks {
    pub(super) fn say(&mut self, remark: String) {
        if self.lines.len() < REMARKS_MAX {
            self.lines.insert(remark);
        }
    }
}

/// A panic elsewhere leaves these as they were between two steps, which is sound.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a crawl is made from.
pub(super) struct Parts {
    pub(super) job: String,
    pub(super) started: Timestamp,
    pub(super) settings: Settings,
    pub(super) scope: Scope,
    pub(super) frontier: Frontier,
    pub(super) politeness: Politeness,
    pub(super) fetcher: Fetcher,
    pub(super) archive: Archive,
    pub(super) packer: Packer,
    pub(super) tally: Tally,
    pub(super) spending: Spending,
}

impl Running {
    /// A crawl that has not begun.
    pub(super) fn new(parts: Parts) -> Running {
        let Parts {
            job,
            started,
            settings,
            scope,
            frontier,
            politeness,
            fetcher,
            archive,
            packer,
            tally,
            spending,
        } = parts;
        let began = politeness.now();
        let (retry_delay, retries) = (settings.retry_delay, settings.retries);
        Running {
            job,
            started,
            settings,
            scope,
            frontier,
            politeness,
            fetcher,
            archive,
            packer,
            rules: Rules::new(retry_delay, retries),
            control: Control::default(),
            spending: Mutex::new(spending),
            tally: Mutex::new(tally),
            remarks: Mutex::new(Remarks::default()),
            traps: Traps::default(),
            under_way: Mutex::default(),
            held: Mutex::default(),
            paced: Mutex::default(),
            addresses: Mutex::default(),
            answers: Mutex::default(),
            has_left_gate: Mutex::default(),
            hold: Mutex::default(),
            failed: Mutex::default(),
            closing: watch::Sender::new(None),
            began,
            last_data: u64::try_from(began.as_millis()).unwrap_or(u64::MAX).into(),
            unsettled: 0.into(),
            requests: 0.into(),
            rate: Mutex::new(Rate::default()),
        }
    }

    /// The time now.
    pub(super) fn now(&self) -> Timestamp {
        self.settings.fetch.clock.now()
    }

    /// Waits at the gate for URLs that were queued. A held job waits for all of them when it resumes.
    pub(super) fn want(&self, hosts: &[(String, u32)]) {
        let now = self.politeness.now();
        let has_left = lock(&self.has_left_gate);
        if *has_left {
            return;
        }
        for (host, count) in hosts {
            self.politeness.gate.want(host, None, *count, now);
        }
    }

    /// Stops waiting for every host, so that a held job slows no other user of the gate.
    pub(super) fn leave_gate(&self) {
        let mut has_left = lock(&self.has_left_gate);
        if !std::mem::replace(&mut *has_left, true) {
            self.politeness.gate.leave_all(self.politeness.now());
        }
    }

    /// Waits for all hosts with queued URLs again, if the job was held.
    pub(super) fn return_to_gate(&self) {
        if !std::mem::take(&mut *lock(&self.has_left_gate)) {
            return;
        }
        // Read after the flag: a URL that was queued in between counts twice at the gate, which finds the queue empty the second time.
        let mut waiting = self.frontier.waiting();
        let held = lock(&self.held);
        waiting.retain(|(host, _)| !held.contains(host));
        drop(held);
        self.want(&waiting);
    }

    pub(super) fn want_offered(&self, offered: &Offered) {
        self.want(&offered.hosts);
    }

    /// Tells the gate where a host is.
    pub(super) fn note_address(&self, host: &str, exchange: &Exchange) {
        let Some(peer) = exchange.peer.filter(|_| !exchange.by_proxy) else { return };
        let mut addresses = lock(&self.addresses);
        if addresses.get(host) == Some(&peer.ip()) {
            return;
        }
        if addresses.len() >= NAMES_MAX {
            addresses.clear();
        }
        addresses.insert(host.to_owned(), peer.ip());
        drop(addresses);
        self.politeness.gate.want(host, Some(peer.ip()), 0, self.politeness.now());
    }

    /// Whether an answer of the name servers is new to the archive.
    pub(super) fn is_new_answer(&self, answer: &Answer) -> bool {
        // What a setting says was not answered by anybody.
        if answer.server.is_none() {
            return false;
        }
        let mut answers = lock(&self.answers);
        if answers.len() >= NAMES_MAX {
            answers.clear();
        }
        answers.insert(answer.name.clone(), answer.at) != Some(answer.at)
    }

    /// Puts a turn back that was not used, and asks for it again.
    pub(super) fn give_back(&self, turn: Turn) {
        let host = turn.wish.host.clone();
        self.put_back(turn);
        self.want(&[(host, 1)]);
    }

    /// Puts a turn back that was not used.
    pub(super) fn put_back(&self, turn: Turn) {
        self.frontier.give_back(turn);
        self.settled(1);
    }

    /// The next URL of a host.
    pub(super) fn take(&self, host: &str) -> Result<Option<Turn>, Error> {
        self.begun();
        let turn = self.frontier.take(host);
        if !matches!(turn, Ok(Some(_))) {
            self.settled(1);
        }
        Ok(turn?)
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

    /// Bounds that the operator has changed.
    pub(super) fn apply_limits(&self) {
        for limits in self.control.take_limits() {
            lock(&self.spending).change(limits);
            // A full disk is another matter.
            let mut hold = lock(&self.hold);
            if hold.as_deref() == Some(BUDGET_HOLD) {
                *hold = None;
            }
            drop(hold);
            self.release_held();
        }
    }

    /// Hosts that waited for the operator may try again.
    pub(super) fn release_held(&self) {
        let held = std::mem::take(&mut *lock(&self.held));
        let waiting = self.frontier.waiting();
        let back: Vec<(String, u32)> = waiting.into_iter().filter(|(host, _)| held.contains(host)).collect();
        self.want(&back);
    }

    /// How the crawl gets on.
    pub(super) fn progress(&self) -> Progress {
        let now = self.politeness.now();
        let total = lock(&self.tally).total;
        let counts = self.frontier.counts();
        let seconds = now.saturating_sub(self.began).as_secs_f64();
        let per_second = lock(&self.rate).note(now, total.got.urls);
        let slowest = lock(&self.under_way)
            .values()
            .min_by_key(|(_, since)| *since)
            .map(|(host, since)| (host.clone(), now.saturating_sub(*since).as_secs_f64()));
        let hold = lock(&self.hold).clone();
        let state = match (self.control.course(), &hold) {
            (crate::control::Course::Stop, _) => "stopping",
            (crate::control::Course::Pause, _) | (_, Some(_)) => "paused",
            _ => "running",
        };
        Progress {
            job: self.job.clone(),
            state: state.to_owned(),
            why: hold,
            seconds,
            documents: total.got.urls,
            bytes: total.got.bytes,
            per_second,
            queued: counts.queued,
            postponed: counts.postponed,
            active: lock(&self.under_way).len() as u64,
            hosts: if *lock(&self.has_left_gate) {
                counts.hosts
            } else {
                self.politeness.gate.wanting() as u64
            },
            slowest,
            novel: total.novel.urls,
            duplicates: total.duplicate.urls + total.not_modified.urls,
            gone: total.gone,
            filtered: total.filtered.urls,
            failed: total.failed,
            robots: total.robots,
            budget_left: self.budget_left(seconds, per_second, &total),
        }
    }

    /// Seconds until the first budget of the job is used up.
    fn budget_left(&self, seconds: f64, per_second: f64, total: &Counts) -> Option<f64> {
        let budget = lock(&self.spending).budgets.job;
        let rate_of_bytes = total.got.bytes as f64 / seconds.max(0.001);
        let left = |bound: u64, used: u64, rate: f64| bound.saturating_sub(used) as f64 / rate.max(0.001);
        [
            budget.objects.map(|bound| left(bound, total.got.urls, per_second)),
            budget.bytes.map(|bound| left(bound, total.got.bytes, rate_of_bytes)),
            budget.time.map(|bound| (bound.as_secs_f64() - seconds).max(0.0)),
        ]
        .into_iter()
        .flatten()
        .reduce(f64::min)
    }

    /// Ends the crawl with an error; of several the first is told.
    pub(super) fn fail(&self, error: Error) {
        lock(&self.failed).get_or_insert(error);
        self.control.stop();
    }

    /// Nothing new is begun any more, and what is under way has so much time left.
    pub(super) fn close(&self, grace: Duration) {
        self.closing.send_replace(Some(grace));
    }

    /// Waits until what is under way has no more time.
    pub(super) async fn patience(&self) {
        let mut closing = self.closing.subscribe();
        let grace = match closing.wait_for(Option::is_some).await {
            Ok(grace) => grace.unwrap_or_default(),
            Err(_) => Duration::ZERO,
        };
        tokio::time::sleep(grace).await;
    }

    /// Why nothing more is to be written, if a disk is about full.
    pub(super) fn is_short(&self, job: &Path) -> Option<String> {
        room::is_short(&self.settings.room, job, &self.archive)
    }

    /// Nothing new is begun for want of room or descriptors; `false` if it is so already.
    pub(super) fn hold_for_room(&self, why: &str) -> bool {
        let mut hold = lock(&self.hold);
        let is_new = hold.is_none();
        if is_new {
            tracing::warn!("{why}");
            *hold = Some(why.to_owned());
        }
        is_new
    }

    /// There may be room again.
    pub(super) fn release_room(&self, why: &str) {
        let mut hold = lock(&self.hold);
        if hold.as_deref() == Some(why) {
            *hold = None;
        }
        drop(hold);
        self.control.nudge();
    }

    /// What robots.txt and META elements are worth for a URL.
    pub(super) fn robots_rule(&self, url: &Url) -> RobotsRule {
        let sheet = self.scope.sheets().for_url(url);
        sheet.robots.map_or(self.settings.robots, RobotsRule::from)
    }

    /// Notes that an answer came.
    pub(super) fn note_data(&self) {
        let now = self.politeness.now().as_millis();
        self.last_data.store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// For how long nothing has come.
    pub(super) fn quiet_for(&self) -> Duration {
        let last = Duration::from_millis(self.last_data.load(Ordering::Relaxed));
        self.politeness.now().saturating_sub(last)
    }
}

/// Counts a request as under way for as long as it lives.
pub(super) struct UnderWay {
    shared: Arc<Running>,
    number: u64,
}

impl UnderWay {
    pub(super) fn new(shared: &Arc<Running>, host: &str) -> UnderWay {
        let number = shared.requests.fetch_add(1, Ordering::Relaxed);
        lock(&shared.under_way).insert(number, (host.to_owned(), shared.politeness.now()));
        UnderWay { shared: shared.clone(), number }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.shared.under_way).remove(&self.number);
    }
}
