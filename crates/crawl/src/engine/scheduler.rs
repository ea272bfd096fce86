//! Whose turn it is: takes from the gate who may be asked, from the frontier what for, and sends for it.

use std::sync::Arc;
use std::time::Duration;

use fetch::gate::{Next, Pace, Permit, Went};
use frontier::Turn;
use jiff::Timestamp;
use job::log::status;
use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;
use url::Url;

use super::address::robots_txt;
use super::budgets::BUDGET_HOLD;
use super::dealt::Dealt;
use super::locks::lock;
use super::recheck;
use super::robots::{Answer, Known, Word};
use super::running::Running;
use super::visit::{self, Arrived};
use crate::budget::{Budget, Spent};
use crate::control::Course;
use crate::error::Error;
use crate::settings::{OnBudget, RobotsRule};
use crate::spending::{Bound, Part};

/// How often bounds of time, and what was put off, are looked at.
const TICK: Duration = Duration::from_millis(200);

/// Why nothing more is begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    /// There is nothing more.
    Finished,
    /// A budget of the job is used up.
    Budget(Spent),
    /// Nothing has come for too long (D7).
    Quiet,
    /// The operator has stopped it.
    Stopped,
}

/// Where results go.
#[derive(Clone)]
pub(super) struct Sinks {
    pub(super) arrived: Sender<Arrived>,
    pub(super) dealt: Sender<Dealt>,
}

/// Runs until there is nothing more to do, and until all that was begun has arrived.
pub(super) async fn run(shared: Arc<Running>, sinks: Sinks) -> Result<Ending, Error> {
    let count = shared.settings.concurrency.clamp(1, 100_000);
    let places = Arc::new(Semaphore::new(count));
    let mut schedule =
        Schedule { shared: &shared, sinks: &sinks, places: places.clone(), is_rechecked: false, via: None };
    let ending = schedule.run().await;
    shared.close(match &ending {
        Ok(Ending::Budget(Spent::Time)) => Duration::from_secs(1),
        Ok(Ending::Stopped) => Duration::from_secs(20),
        _ => Duration::from_secs(10),
    });
    // All places are free when nothing is under way any more.
    let _ = places.acquire_many(u32::try_from(count).unwrap_or(u32::MAX)).await;
    ending
}

struct Schedule<'a> {
    shared: &'a Arc<Running>,
    sinks: &'a Sinks,
    places: Arc<Semaphore>,
    is_rechecked: bool,
    /// The page that led to the last request. Most lead to many, one behind the other.
    via: Option<Url>,
}

impl Schedule<'_> {
    async fn run(&mut self) -> Result<Ending, Error> {
        let mut course = self.shared.control.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            if let Some(ending) = self.ending() {
                return Ok(ending);
            }
            if self.is_held() {
                self.shared.pacing.leave_gate();
            } else {
                self.shared.return_to_gate();
            }
            let gate = self.shared.pacing.gate().clone();
            let changed = gate.changed();
            let now = self.shared.pacing.now();
            let mut wait_until = None;
            if !self.is_held() && self.spent().is_none() {
                let Ok(place) = self.places.clone().try_acquire_owned() else {
                    // A place that is given back rings no bell, but the exchange's permit has by then.
                    tokio::select! {
                        place = self.places.acquire() => drop(place),
                        _ = course.changed() => {}
                        _ = tick.tick() => self.tick()?,
                    }
                    continue;
                };
                match gate.next(now) {
                    Next::Go(permit) => {
                        self.dispatch(permit, place).await?;
                        continue;
                    }
                    Next::WaitUntil(at) => wait_until = Some(self.shared.pacing.instant(at)),
                    Next::Busy => {}
                    Next::Idle => {
                        if self.is_dry()? {
                            return Ok(Ending::Finished);
                        }
                    }
                }
            }
            let far = tokio::time::Instant::now() + Duration::from_secs(3600);
            tokio::select! {
                // Behind all that has arrived: what was given back meanwhile is dealt with at once, and requests go out
                // together, so that neither we nor the server are woken for each.
                () = changed => tokio::task::yield_now().await,
                () = tokio::time::sleep_until(wait_until.unwrap_or(far)) => {}
                _ = course.changed() => self.shared.apply_limits(),
                _ = tick.tick() => self.tick()?,
            }
        }
    }

    fn is_held(&self) -> bool {
        self.shared.control.course() != Course::Run || lock(&self.shared.budgets.hold).is_some()
    }

    fn ending(&self) -> Option<Ending> {
        let shared = self.shared;
        if shared.control.course() == Course::Stop {
            return Some(Ending::Stopped);
        }
        // What was paid for and comes to nothing is paid back, so that it is waited for.
        if let Some(spent) =
            self.spent().filter(|spent| *spent != Spent::Objects || !shared.counters.is_busy())
        {
            return Some(Ending::Budget(spent));
        }
        let is_quiet = shared
            .settings
            .quiet_max
            .is_some_and(|most| shared.counters.quiet_for(shared.pacing.now()) >= most);
        (is_quiet && !self.is_held()).then_some(Ending::Quiet)
    }

    /// The budget of the job that is used up.
    fn spent(&self) -> Option<Spent> {
        lock(&self.shared.budgets.spending).check_job(self.shared.pacing.now())
    }

    /// What is looked at now and then: tries that were put off, and whether gate and frontier agree.
    fn tick(&self) -> Result<(), Error> {
        self.shared.apply_limits();
        if self.is_held() {
            // Silence that was asked for is none, and a full disk takes nothing.
            self.shared.counters.note_data(self.shared.pacing.now());
            return Ok(());
        }
        // Whoever writes to the frontier may have to wait for the disk.
        let (now, frontier) = (self.shared.now(), &self.shared.frontier);
        let latest = now.checked_add(self.shared.settings.retry_wait_max()).unwrap_or(Timestamp::MAX);
        let (early, (due, _)) =
            block_in_place(|| Ok::<_, Error>((frontier.return_beyond(latest)?, frontier.due(now)?)))?;
        self.shared.pacing.want(&early);
        self.shared.pacing.want(&due);
        Ok(())
    }

    /// Whether there is nothing left to do. What the archive knows and no link has led to is asked for last.
    fn is_dry(&mut self) -> Result<bool, Error> {
        // Asked in this order: what comes to its end in between is queued by then.
        if self.shared.counters.is_busy() {
            return Ok(false);
        }
        let counts = self.shared.frontier.counts();
        if counts.postponed > 0 {
            return Ok(false);
        }
        if counts.queued > 0 {
            let is_waiting = !lock(&self.shared.budgets.held).is_empty();
            if is_waiting {
                *lock(&self.shared.budgets.hold) = Some(BUDGET_HOLD.to_owned());
            } else {
                // A permit was lost; the gate is told again.
                self.shared.pacing.want(&self.shared.frontier.waiting());
            }
            return Ok(false);
        }
        if self.is_rechecked || !self.shared.settings.recheck {
            return Ok(true);
        }
        self.is_rechecked = true;
        Ok(block_in_place(|| recheck::offer(self.shared))? == 0)
    }

    /// Uses a permit: for the next URL of the host, or for its robots.txt.
    async fn dispatch(&mut self, permit: Permit, place: OwnedSemaphorePermit) -> Result<(), Error> {
        let shared = self.shared;
        let unused = |permit: Permit| permit.done(Went::Unused, shared.pacing.now());
        if lock(&shared.budgets.held).contains(permit.host()) {
            unused(permit);
            return Ok(());
        }
        let Some(turn) = shared.take(permit.host())? else {
            unused(permit);
            return Ok(());
        };
        let Ok(url) = Url::parse(&turn.wish.url) else {
            unused(permit);
            return self.settle(Dealt::refused(turn, -7, "not-a-url", shared.now())).await;
        };
        let sheet = shared.scope.sheets().for_url(&url);
        if sheet.skip == Some(true) {
            unused(permit);
            return self.settle(Dealt::refused(turn, status::BLOCKED, "sheet:skip", shared.now())).await;
        }
        self.set_pace(permit.host(), sheet);
        let site = robots_txt(&url);
        if site == turn.wish.url && shared.hosts.rules.has(&site) {
            // It was asked for before everything else.
            unused(permit);
            return self.settle(Dealt::done_before(turn)).await;
        }
        // A host whose budget is used up is not even asked for its robots.txt.
        let checked =
            lock(&shared.budgets.spending).check(permit.host(), part(sheet).as_ref(), shared.pacing.now());
        if let Err(bound) = checked {
            return self.over_budget(bound, turn, permit).await;
        }
        let (known, turn) = match shared.hosts.rules.of(&site, turn, shared.now()) {
            Answer::Known(known, turn) => (known, turn),
            Answer::Wait => {
                unused(permit);
                return Ok(());
            }
            Answer::GoBack(turn) => {
                unused(permit);
                shared.put_back(turn);
                return Ok(());
            }
            Answer::Ask(turn) => {
                let (shared, sinks) = (shared.clone(), self.sinks.clone());
                tokio::spawn(async move { visit::robots(&shared, &sinks, site, turn, permit, place).await });
                return Ok(());
            }
        };
        if let Some(refused) = self.refused_by_robots(&known, &turn, &url) {
            unused(permit);
            return self.settle(refused).await;
        }
        let paid =
            lock(&shared.budgets.spending).pay(permit.host(), part(sheet).as_ref(), shared.pacing.now());
        if let Err(bound) = paid {
            return self.over_budget(bound, turn, permit).await;
        }
        let referrer = turn.wish.via.as_deref().and_then(|via| self.referrer(via));
        let mut request = visit::request(shared, &turn, &url, referrer, sheet)?;
        request.limit(lock(&shared.budgets.spending).bytes_left(permit.host()));
        let (shared, sinks) = (shared.clone(), self.sinks.clone());
        tokio::spawn(async move { visit::page(&shared, &sinks, turn, request, permit, place).await });
        Ok(())
    }

    fn referrer(&mut self, via: &str) -> Option<Url> {
        if self.via.as_ref().is_none_or(|url| url.as_str() != via) {
            self.via = Url::parse(via).ok();
        }
        self.via.clone()
    }

    /// What becomes of a URL that robots.txt does not let us fetch; `None` if it does, or is not to be obeyed.
    fn refused_by_robots(&self, known: &Known, turn: &Turn, url: &Url) -> Option<Dealt> {
        let shared = self.shared;
        if shared.robots_rule(url) == RobotsRule::Ignore {
            return None;
        }
        let now = shared.now();
        match shared.hosts.rules.word(known, &shared.settings.robots_names, url, now) {
            Word::Allowed => None,
            Word::Forbidden => Some(Dealt::refused(turn.clone(), status::ROBOTS, "robotExcluded", now)),
            Word::Unknown { is_final: false, .. } if turn.wish.tries < shared.settings.retries => {
                Some(Dealt::again(turn.clone(), shared.settings.retry_delay, now))
            }
            Word::Unknown { fault, .. } => {
                Some(Dealt::refused(turn.clone(), fault, "robotsUnreachable", now))
            }
        }
    }

    async fn settle(&self, dealt: Dealt) -> Result<(), Error> {
        self.sinks.dealt.send(dealt).await.map_err(|_| Error::Broken("the thread that writes is gone"))
    }

    /// A sheet may ask for another pace.
    fn set_pace(&self, host: &str, sheet: &scope::Overrides) {
        let mut paced = lock(&self.shared.pacing.paced);
        let pace = sheet.delay.map(|delay| Pace { delay: Some(delay), at_once: None });
        if paced.get(host).copied() != pace {
            match pace {
                Some(pace) => drop(paced.insert(host.to_owned(), pace)),
                None => drop(paced.remove(host)),
            }
            self.shared.pacing.gate().set_pace(host, pace, self.shared.pacing.now());
        }
    }

    async fn over_budget(&self, bound: Bound, turn: Turn, permit: Permit) -> Result<(), Error> {
        let shared = self.shared;
        let (host, now) = (turn.wish.host.clone(), shared.pacing.now());
        permit.done(Went::Unused, now);
        if matches!(bound, Bound::Part(_)) {
            return self.settle(Dealt::refused(turn, status::QUOTA, "Q:sheet", shared.now())).await;
        }
        shared.put_back(turn);
        if matches!(bound, Bound::Job(_)) {
            // The loop ends at its next turn; what is queued stays for whoever resumes the job with more to spend.
            shared.pacing.want(&[(host, 1)]);
            return Ok(());
        }
        shared.pacing.gate().leave(&host, now);
        match shared.settings.on_budget {
            OnBudget::Ask => {
                lock(&shared.budgets.held).insert(host);
            }
            OnBudget::End => {
                let dropped = block_in_place(|| shared.frontier.forget_host(&host))?;
                lock(&shared.counters.tally).leave_out(&host, dropped);
                let remark =
                    format!("{host}: its budget is used up; {dropped} URLs that were queued are dropped");
                lock(&shared.counters.remarks).say(remark);
            }
        }
        Ok(())
    }
}

/// The budget that a sheet gives to the part of the web that it speaks of.
pub(super) fn part(sheet: &scope::Overrides) -> Option<Part<'_>> {
    let budget = Budget { objects: sheet.max_objects, bytes: sheet.max_bytes, time: None };
    let prefix = sheet.budget_prefix.as_deref()?;
    Some(Part { prefix, budget })
}
