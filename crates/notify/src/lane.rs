//! What waits for one channel, and when it goes: grouped, not too often, and again after a failure.
//!
//! Nothing here sends, waits or asks what time it is, so that every turn of it can be tested.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::limits::{AGE_MAX, PARCELS_MAX, REST_FIRST, REST_MAX, TRIES_MAX};
use crate::message::Message;
use crate::notice::{Notice, Severity};

/// An hour, in which messages are counted.
const HOUR: Duration = Duration::from_secs(3600);

/// How often a channel is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long the first notice of a kind waits for others of its kind.
    pub group_for: Duration,
    /// The most messages in an hour. What is beyond them waits, and goes with the next.
    pub at_most_per_hour: Option<u32>,
}

impl Pace {
    /// Whatever comes, when it comes.
    pub const AT_ONCE: Pace = Pace { group_for: Duration::ZERO, at_most_per_hour: None };
}

impl Default for Pace {
    fn default() -> Self {
        Pace { group_for: Duration::from_secs(300), at_most_per_hour: Some(12) }
    }
}

/// A message that waits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parcel {
    /// What it tells.
    pub(crate) message: Message,
    /// When it was begun.
    pub(crate) since: Timestamp,
    /// How often it was tried.
    pub(crate) tries: u32,
    /// When it is tried again, if it is laid aside: once in an hour, because somebody may have put right what was wrong.
    pub(crate) aside_until: Option<Timestamp>,
    /// Whether the spool has it as it is.
    pub(crate) is_kept: bool,
}

impl Parcel {
    /// Whether more may be put into it: not once somebody may have seen it.
    fn is_open(&self) -> bool {
        self.tries == 0 && self.aside_until.is_none()
    }
}

/// What became of a message that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// It is tried again.
    Again,
    /// It is laid aside.
    LaidAside,
    /// It was laid aside before, and still is.
    StillAside,
}

/// All that waits for one channel.
#[derive(Debug)]
pub(crate) struct Lane {
    pace: Pace,
    parcels: Vec<Parcel>,
    /// When messages were sent within the last hour.
    sent: VecDeque<Timestamp>,
    failures: u32,
    rests_until: Option<Timestamp>,
    /// Messages that are no more, for the spool.
    gone: Vec<String>,
}

impl Lane {
    /// With nothing that waits; when messages were sent before.
    pub(crate) fn new(pace: Pace, sent: impl IntoIterator<Item = Timestamp>) -> Lane {
        let sent = sent.into_iter().collect();
        Lane { pace, parcels: Vec::new(), sent, failures: 0, rests_until: None, gone: Vec::new() }
    }

    /// What an earlier run could not send. Says how many messages are dropped because nobody wants to know any more.
    pub(crate) fn restore(&mut self, parcels: Vec<Parcel>, now: Timestamp) -> usize {
        let before = self.gone.len();
        for mut parcel in parcels {
            // An alarm is told however late: nobody else may have noticed.
            if parcel.message.severity() < Severity::Alarm && is_old(&parcel.message, now) {
                self.gone.push(parcel.message.id);
                continue;
            }
            // It may have been seen: it stays as it is, and is tried at once.
            parcel.tries = parcel.tries.clamp(1, TRIES_MAX - 2);
            parcel.aside_until = None;
            self.parcels.push(parcel);
        }
        self.gone.len() - before
    }

    /// Takes a notice in. Says how many notices are dropped because too many wait.
    pub(crate) fn take(&mut self, notice: Notice, now: Timestamp, id: impl FnOnce() -> String) -> u64 {
        let notice = notice.bounded();
        let of_kind = |parcel: &&mut Parcel| {
            parcel.is_open() && parcel.message.groups.iter().any(|group| group.kind == notice.kind)
        };
        if let Some(parcel) = self.parcels.iter_mut().find(of_kind) {
            parcel.message.take(notice);
            parcel.is_kept = false;
            return 0;
        }
        let message = Message::of(id(), notice);
        self.parcels.push(Parcel { message, since: now, tries: 0, aside_until: None, is_kept: false });
        if self.parcels.len() <= PARCELS_MAX {
            return 0;
        }
        let oldest = self.parcels.remove(0);
        let count = oldest.message.count();
        self.gone.push(oldest.message.id);
        count
    }

    /// Counts notices that came too fast to be looked at. `false` if nothing waits that could tell.
    pub(crate) fn count_lost(&mut self, count: u64) -> bool {
        let Some(parcel) = self.parcels.iter_mut().rev().find(|parcel| parcel.is_open()) else {
            return false;
        };
        parcel.message.add_uncounted(count);
        parcel.is_kept = false;
        true
    }

    /// When there is something to do next.
    pub(crate) fn wake(&self, now: Timestamp) -> Option<Timestamp> {
        let due = self.parcels.iter().map(|parcel| self.due(parcel, now)).min()?;
        let rested = self.rest(now).map_or(due, |until| due.max(until));
        Some(self.slot(now).map_or(rested, |slot| rested.max(slot)))
    }

    /// The message that goes now, if one does; with `in_haste` without waiting for others or for the server to recover. It is to be
    /// [`Lane::sent`] or to have [`Lane::failed`].
    pub(crate) fn next(&mut self, now: Timestamp, in_haste: bool) -> Option<Message> {
        self.forget_sent(now);
        if self.slot(now).is_some() || (self.rest(now).is_some() && !in_haste) {
            return None;
        }
        let is_ripe = |lane: &Lane, parcel: &Parcel| {
            (in_haste && parcel.aside_until.is_none()) || lane.due(parcel, now) <= now
        };
        let ripe: Vec<usize> = self
            .parcels
            .iter()
            .enumerate()
            .filter(|(_, parcel)| is_ripe(self, parcel))
            .map(|(at, _)| at)
            .collect();
        let left = self
            .pace
            .at_most_per_hour
            .map_or(usize::MAX, |most| (most as usize).saturating_sub(self.sent.len()));
        if ripe.len() > left {
            self.join(&ripe);
        }
        let at = *ripe.first()?;
        self.parcels.get(at).map(|parcel| parcel.message.clone())
    }

    /// Makes one parcel of all that can still be joined, because not each can have its own message.
    fn join(&mut self, ripe: &[usize]) {
        let is_open = |at: &usize| self.parcels.get(*at).is_some_and(Parcel::is_open);
        let mut open = ripe.iter().copied().filter(is_open).collect::<Vec<usize>>().into_iter();
        let Some(first) = open.next() else { return };
        // From the last, so that the places of those before stay what they are.
        let mut others: Vec<Parcel> = open.rev().map(|at| self.parcels.remove(at)).collect();
        others.reverse();
        for Parcel { message, .. } in others {
            self.gone.push(message.id.clone());
            if let Some(first) = self.parcels.get_mut(first) {
                first.message.join(message);
                first.is_kept = false;
            }
        }
    }

    /// It was sent.
    pub(crate) fn sent(&mut self, id: &str, now: Timestamp) {
        self.parcels.retain(|parcel| parcel.message.id != id);
        self.gone.push(id.to_owned());
        self.sent.push_back(now);
        (self.failures, self.rests_until) = (0, None);
    }

    /// It could not be.
    pub(crate) fn failed(&mut self, id: &str, now: Timestamp, is_final: bool) -> Failed {
        if !is_final {
            self.failures = self.failures.saturating_add(1);
            let rest = REST_FIRST.saturating_mul(1 << (self.failures - 1).min(16)).min(REST_MAX);
            self.rests_until = Some(now + rest);
        }
        let Some(parcel) = self.parcels.iter_mut().find(|parcel| parcel.message.id == id) else {
            return Failed::Again;
        };
        parcel.tries = parcel.tries.saturating_add(1);
        parcel.is_kept = false;
        if !is_final && parcel.tries < TRIES_MAX {
            return Failed::Again;
        }
        let before = parcel.aside_until.replace(now.checked_add(REST_MAX).unwrap_or(Timestamp::MAX));
        if before.is_some() { Failed::StillAside } else { Failed::LaidAside }
    }

    /// What waits and is not in the spool as it is.
    pub(crate) fn unkept(&mut self) -> impl Iterator<Item = &mut Parcel> {
        self.parcels.iter_mut().filter(|parcel| !parcel.is_kept)
    }

    /// What is no more, once.
    pub(crate) fn take_gone(&mut self) -> Vec<String> {
        std::mem::take(&mut self.gone)
    }

    /// When messages were sent lately.
    pub(crate) fn sent_lately(&self) -> impl Iterator<Item = Timestamp> {
        self.sent.iter().copied()
    }

    /// How many notices wait.
    pub(crate) fn left(&self) -> u64 {
        self.parcels.iter().fold(0, |sum, parcel| sum.saturating_add(parcel.message.count()))
    }

    /// When a parcel has waited for others long enough, or has lain aside.
    fn due(&self, parcel: &Parcel, now: Timestamp) -> Timestamp {
        if let Some(until) = parcel.aside_until {
            return until_or_now(until, now, REST_MAX);
        }
        if parcel.tries > 0 {
            return now;
        }
        let wait = self.pace.group_for;
        until_or_now(parcel.since.checked_add(wait).unwrap_or(Timestamp::MAX), now, wait)
    }

    /// The end of the pause after a failure, if it is not over.
    fn rest(&self, now: Timestamp) -> Option<Timestamp> {
        self.rests_until.map(|until| until_or_now(until, now, REST_MAX)).filter(|until| *until > now)
    }

    /// When one more message may go; `None` if at once.
    fn slot(&self, now: Timestamp) -> Option<Timestamp> {
        let most = self.pace.at_most_per_hour? as usize;
        let lately = self.sent.iter().filter(|at| is_lately(**at, now)).count();
        if lately < most.max(1) {
            return None;
        }
        let first = self.sent.iter().copied().find(|at| is_lately(*at, now))?;
        first.checked_add(signed(HOUR)).ok()
    }

    fn forget_sent(&mut self, now: Timestamp) {
        self.sent.retain(|at| is_lately(*at, now));
    }
}

/// A time to wait for; now, if it is further away than the longest wait: then a clock that was ahead has set it.
fn until_or_now(until: Timestamp, now: Timestamp, wait_max: Duration) -> Timestamp {
    let latest = now.checked_add(wait_max).unwrap_or(Timestamp::MAX);
    if until > latest { now } else { until }
}

/// Whether it is less than an hour ago; what is yet to come is a clock that was set back.
fn is_lately(at: Timestamp, now: Timestamp) -> bool {
    at <= now && now.duration_since(at) < signed(HOUR)
}

/// Whether nobody wants to know any more.
pub(crate) fn is_old(message: &Message, now: Timestamp) -> bool {
    now.duration_since(message.last()) > signed(AGE_MAX)
}

fn signed(time: Duration) -> SignedDuration {
    SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)
}

#[cfg(test)]
mod tests;
