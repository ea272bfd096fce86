//! What all parts of a running crawl have in common.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use archive::{Archive, Packer};
use fetch::Fetcher;
use frontier::{Frontier, Offered, Turn};
use jiff::Timestamp;
use job::Progress;
use job::tally::Tally;
use scope::Scope;
use tokio::sync::watch;
use url::Url;

use super::budgets::{BUDGET_HOLD, Budgets};
use super::counters::Counters;
use super::host_knowledge::HostKnowledge;
use super::host_pacing::HostPacing;
use super::locks::lock;
use super::robots::Rules;
use super::room;
use crate::control::Control;
use crate::error::Error;
use crate::politeness::Politeness;
use crate::settings::{RobotsRule, Settings};
use crate::spending::Spending;

/// One running crawl.
pub(super) struct Running {
    pub(super) job: String,
    pub(super) started: Timestamp,
    pub(super) settings: Settings,
    pub(super) scope: Scope,
    pub(super) frontier: Frontier,
    pub(super) fetcher: Fetcher,
    pub(super) archive: Archive,
    pub(super) packer: Packer,
    pub(super) control: Control,
    pub(super) counters: Counters,
    pub(super) pacing: HostPacing,
    pub(super) budgets: Budgets,
    pub(super) hosts: HostKnowledge,
    /// Why it cannot go on.
    pub(super) failed: Mutex<Option<Error>>,
    /// For how much longer exchanges that are under way are waited for, once nothing new is begun.
    closing: watch::Sender<Option<Duration>>,
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
        let (retry_delay, retries) = (settings.retry_delay, settings.retries);
        Running {
            job,
            started,
            settings,
            scope,
            frontier,
            fetcher,
            archive,
            packer,
            control: Control::default(),
            counters: Counters::new(tally, politeness.now()),
            pacing: HostPacing::new(politeness),
            budgets: Budgets::new(spending),
            hosts: HostKnowledge::new(Rules::new(retry_delay, retries)),
            failed: Mutex::default(),
            closing: watch::Sender::new(None),
        }
    }

    /// The time now.
    pub(super) fn now(&self) -> Timestamp {
        self.settings.fetch.clock.now()
    }

    /// Waits for all hosts with queued URLs again, if the job was held.
    pub(super) fn return_to_gate(&self) {
        if !self.pacing.reenter_gate() {
            return;
        }
        // Read after the flag: a URL that was queued in between counts twice at the gate, which finds the queue empty the second time.
        let mut waiting = self.frontier.waiting();
        let held = lock(&self.budgets.held);
        waiting.retain(|(host, _)| !held.contains(host));
        drop(held);
        self.pacing.want(&waiting);
    }

    pub(super) fn want_offered(&self, offered: &Offered) {
        self.pacing.want(&offered.hosts);
    }

    /// Puts a turn back that was not used, and asks for it again.
    pub(super) fn give_back(&self, turn: Turn) {
        let host = turn.wish.host.clone();
        self.put_back(turn);
        self.pacing.want(&[(host, 1)]);
    }

    /// Puts a turn back that was not used.
    pub(super) fn put_back(&self, turn: Turn) {
        self.frontier.give_back(turn);
        self.counters.settled(1);
    }

    /// The next URL of a host.
    pub(super) fn take(&self, host: &str) -> Result<Option<Turn>, Error> {
        self.counters.begun();
        let turn = self.frontier.take(host);
        if !matches!(turn, Ok(Some(_))) {
            self.counters.settled(1);
        }
        Ok(turn?)
    }

    /// Bounds that the operator has changed.
    pub(super) fn apply_limits(&self) {
        for limits in self.control.take_limits() {
            lock(&self.budgets.spending).change(limits);
            // A full disk is another matter.
            self.budgets.release(BUDGET_HOLD);
            self.release_held();
        }
    }

    /// Hosts that waited for the operator may try again.
    pub(super) fn release_held(&self) {
        let held = std::mem::take(&mut *lock(&self.budgets.held));
        let waiting = self.frontier.waiting();
        let back: Vec<(String, u32)> = waiting.into_iter().filter(|(host, _)| held.contains(host)).collect();
        self.pacing.want(&back);
    }

    /// How the crawl gets on.
    pub(super) fn progress(&self) -> Progress {
        let now = self.pacing.now();
        let total = lock(&self.counters.tally).total;
        let counts = self.frontier.counts();
        let seconds = now.saturating_sub(self.counters.began).as_secs_f64();
        let per_second = lock(&self.counters.rate).note(now, total.got.urls);
        let (active, slowest) = self.counters.under_way();
        let slowest = slowest.map(|(host, since)| (host, now.saturating_sub(since).as_secs_f64()));
        let hold = lock(&self.budgets.hold).clone();
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
            active,
            hosts: self.pacing.wanting().unwrap_or(counts.hosts),
            slowest,
            novel: total.novel.urls,
            duplicates: total.duplicate.urls + total.not_modified.urls,
            gone: total.gone,
            filtered: total.filtered.urls,
            failed: total.failed,
            robots: total.robots,
            budget_left: self.budgets.seconds_left(seconds, per_second, &total),
        }
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
        let is_new = self.budgets.hold_for(why);
        if is_new {
            tracing::warn!("{why}");
        }
        is_new
    }

    /// There may be room again.
    pub(super) fn release_room(&self, why: &str) {
        self.budgets.release(why);
        self.control.nudge();
    }

    /// What robots.txt and META elements are worth for a URL.
    pub(super) fn robots_rule(&self, url: &Url) -> RobotsRule {
        let sheet = self.scope.sheets().for_url(url);
        sheet.robots.map_or(self.settings.robots, RobotsRule::from)
    }
}
