//! The thread of one channel: it takes notices in, keeps them, and sends what is due.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use crate::channel::Channel;
use crate::lane::{Failed, Lane};
use crate::notice::Notice;
use crate::notifier::{Clock, Flushed, Voice, new_id};
use crate::spool::Spool;

/// The clock is looked at so often, also where nothing comes: it may be turned.
const LOOK_MAX: Duration = Duration::from_secs(60);

/// What a courier is told.
pub(crate) enum Word {
    /// Something to tell.
    Notice(Notice),
    /// Send all that can be sent, and say how it went.
    Flush(Sender<Flushed>),
}

/// How many wait for a courier, and how many it never saw.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) count: AtomicU64,
    pub(crate) lost: AtomicU64,
}

/// Carries messages to one channel.
pub(crate) struct Courier {
    pub(crate) channel: Arc<dyn Channel>,
    pub(crate) name: String,
    pub(crate) lane: Lane,
    /// Where what waits is kept; nowhere, if it is not worth that.
    pub(crate) spool: Option<Arc<Spool>>,
    pub(crate) clock: Arc<Clock>,
    pub(crate) voice: Arc<Voice>,
    pub(crate) waiting: Arc<Waiting>,
    /// Whether it was said already that the channel fails, and that the spool does.
    pub(crate) is_failing: bool,
    pub(crate) is_spool_failing: bool,
}

impl Courier {
    /// Works until nobody can tell it anything any more.
    pub(crate) fn run(mut self, words: &Receiver<Word>) {
        loop {
            self.keep();
            self.deliver(false);
            let first = match self.time_to_wait() {
                None => words.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => words.recv_timeout(time),
            };
            let first = match first {
                Ok(word) => word,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // All that is there at once, so that a thousand notices are kept as one file.
            let mut flushes = Vec::new();
            for word in std::iter::once(first).chain(words.try_iter()) {
                match word {
                    Word::Notice(notice) => self.take(notice),
                    Word::Flush(answer) => flushes.push(answer),
                }
            }
            self.count_lost();
            self.keep();
            if !flushes.is_empty() {
                let sent = self.deliver(true);
                let flushed = Flushed { sent, left: self.lane.left(), late: Vec::new() };
                // Who asked may have gone.
                flushes.into_iter().for_each(|answer| drop(answer.send(flushed.clone())));
            }
        }
    }

    fn take(&mut self, notice: Notice) {
        self.waiting.count.fetch_sub(1, Ordering::SeqCst);
        let dropped = self.lane.take(notice, (self.clock)(), new_id);
        if dropped > 0 {
            (self.voice)(&format!("{dropped} notices for {} are dropped: too many wait", self.name));
        }
    }

    fn count_lost(&mut self) {
        let lost = self.waiting.lost.swap(0, Ordering::SeqCst);
        if lost > 0 && !self.lane.count_lost(lost) {
            (self.voice)(&format!("{lost} notices for {} came too fast and are dropped", self.name));
        }
    }

    /// Sends what is due; says how many messages went.
    fn deliver(&mut self, in_haste: bool) -> u64 {
        let mut count = 0;
        while let Some(message) = self.lane.next((self.clock)(), in_haste) {
            self.keep();
            let mut outcome = self.channel.send(&message);
            let now = (self.clock)();
            if let Err(error) = &outcome
                && error.is_sent()
            {
                (self.voice)(&format!("{}: {}", self.name, error.in_full()));
                outcome = Ok(());
            }
            match outcome {
                Ok(()) => {
                    self.lane.sent(&message.id, now);
                    (count, self.is_failing) = (count + 1, false);
                    self.keep();
                    self.keep_sent();
                }
                Err(error) => {
                    let is_final = error.is_final();
                    let failed = self.lane.failed(&message.id, now, is_final);
                    self.complain(failed, &error.in_full());
                    self.keep();
                    if !is_final {
                        break;
                    }
                }
            }
        }
        count
    }

    fn complain(&mut self, failed: Failed, error: &str) {
        let name = &self.name;
        match failed {
            Failed::LaidAside if self.spool.is_some() => {
                (self.voice)(&format!("{name}: {error}; it is kept, and tried again every hour"));
            }
            Failed::LaidAside => (self.voice)(&format!("{name}: {error}; it is tried again every hour")),
            Failed::StillAside => {}
            Failed::Again if self.is_failing => {}
            Failed::Again => (self.voice)(&format!("{name}: {error}; it is tried again later")),
        }
        self.is_failing = true;
    }

    /// Brings the spool up to date. That it cannot be written holds nobody up: what waits is still in memory.
    fn keep(&mut self) {
        let Some(spool) = self.spool.clone() else {
            self.lane.unkept().for_each(|parcel| parcel.is_kept = true);
            self.lane.take_gone();
            return;
        };
        let mut fault = None;
        for parcel in self.lane.unkept() {
            match spool.keep(&self.name, parcel) {
                Ok(()) => parcel.is_kept = true,
                Err(error) => fault = Some(error),
            }
        }
        for id in self.lane.take_gone() {
            fault = spool.remove(&id).err().or(fault);
        }
        self.told_of_spool(fault);
    }

    fn keep_sent(&mut self) {
        let fault =
            self.spool.as_ref().and_then(|spool| spool.keep_sent(&self.name, self.lane.sent_lately()).err());
        if fault.is_some() {
            self.told_of_spool(fault);
        }
    }

    fn told_of_spool(&mut self, fault: Option<std::io::Error>) {
        if let (Some(error), false) = (&fault, self.is_spool_failing) {
            (self.voice)(&format!("notices cannot be kept for later: {error}"));
        }
        self.is_spool_failing = fault.is_some();
    }

    /// How long there is nothing to do, unless somebody comes.
    fn time_to_wait(&self) -> Option<Duration> {
        let now = (self.clock)();
        let wake = self.lane.wake(now)?;
        let time = Duration::try_from(wake.duration_since(now)).unwrap_or_default();
        Some(time.clamp(Duration::from_millis(1), LOOK_MAX))
    }
}
