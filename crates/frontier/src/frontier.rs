//! The frontier: what is still to be fetched, and from whom.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use jiff::Timestamp;

use crate::change::{Change, Writer};
use crate::counts::Counts;
use crate::disk::{Disk, Space};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::lately::Lately;
use crate::opening;
use crate::pending::Pending;
use crate::queued::{Postponed, Queued, Waiting};
use crate::queues::{Entry, Gap, Next, Queues};
use crate::settings::Settings;
use crate::sieve::Sieve;
use crate::wish::{End, Hosts, Id, Offered, Settled, Turn, Wish};
use crate::{checkpoint, forgetting, key, value};

/// Postponed entries that go back to their queues in one batch.
const DUE_MAX: usize = 4096;

/// The queues of all hosts and the set of everything that was ever queued, on disk.
///
/// It may be used from several threads at once. Those that offer and settle do so one after another; whoever takes
/// or gives back waits for none of them.
pub struct Frontier {
    shared: Arc<Shared>,
    writer: Mutex<Writer>,
    /// A write has failed, so what is in memory may not be what is on disk.
    is_broken: AtomicBool,
    /// Nobody will open it again.
    is_left: AtomicBool,
}

/// What everybody needs.
pub(crate) struct Shared {
    pub(crate) disk: Disk,
    lately: Lately,
    /// `None` where there are more URLs than it would be worth anything for.
    sieve: Option<Sieve>,
    pub(crate) width: Option<u32>,
    /// The log goes into tables when it has so many.
    log_bytes_max: usize,
    /// Whether something was settled since all was last brought to the disk on request.
    has_settled: AtomicBool,
    queues: Mutex<Queues>,
    /// Whoever has the queues may ask for this; not the other way round.
    pending: RwLock<Pending>,
}

impl Frontier {
    /// Opens the frontier in a folder as it was left, or begins a new one.
    ///
    /// What was in flight when it was left is at the front of its queue again.
    ///
    /// # Errors
    ///
    /// Another process has it open, its files are damaged, another version of the program wrote them, or the disk fails.
    pub fn open(folder: &Path, settings: &Settings) -> Result<Frontier, Error> {
        let disk = Disk::open(folder, settings)?;
        let (writer, queues) = opening::load(&disk, folder, settings)?;
        let sieve = opening::sieve(&disk, writer.ledger.seen, settings)?;
        let lately = Lately::new(settings.lately_bytes);
        let (queues, pending) = (Mutex::new(queues), RwLock::default());
        let has_settled = AtomicBool::new(false);
        let Settings { width, log_bytes: log_bytes_max, .. } = *settings;
        let shared = Shared { disk, lately, sieve, width, log_bytes_max, has_settled, queues, pending };
        let (is_broken, is_left) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Frontier { shared: Arc::new(shared), writer: Mutex::new(writer), is_broken, is_left })
    }

    /// Queues the wishes that are new.
    ///
    /// # Errors
    ///
    /// The disk fails; then none of them is queued.
    pub fn offer(&self, wishes: Vec<Wish>) -> Result<Offered, Error> {
        self.write(|writer| {
            let mut change = Change::new(&self.shared, writer);
            for wish in &wishes {
                change.offer(writer, wish)?;
            }
            if change.is_empty() { Ok(change.into_offered()) } else { change.commit(writer) }
        })
    }

    /// The next entry of a host: that of lowest precedence, and of these the oldest.
    ///
    /// It stays on disk until it is settled, so a crash repeats it.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn take(&self, host: &str) -> Result<Option<Turn>, Error> {
        let mut queues = self.shared.queues();
        let (id, entry, name) = loop {
            match queues.next(host) {
                Next::Nothing => return Ok(None),
                Next::Turn(id, entry, name) => break (id, entry, name),
                Next::Gap(gap) => {
                    let entries = self.shared.read(gap)?;
                    queues.refill(gap, entries);
                }
            }
        };
        drop(queues);
        let wish = value::read_wish(entry.wish(), &name, id.precedence);
        let wish = wish.ok_or_else(|| Error::Damaged { what: format!("entry {id} is no wish") })?;
        Ok(Some(Turn { id, wish }))
    }

    /// Puts back what was taken and not asked for; it is the next of its precedence again.
    pub fn give_back(&self, turn: Turn) {
        let mut bytes = Vec::new();
        value::write_wish(&turn.wish, &mut bytes);
        let entry = Entry::new(turn.id.sequence, &bytes);
        self.shared.queues().give_back(turn.id, entry);
    }

    /// Ends turns, queues what was found in them, and keeps the mark: all of it or nothing.
    ///
    /// # Errors
    ///
    /// A turn is not in flight, or the disk fails; then nothing has changed.
    pub fn settle(&self, settled: Vec<Settled>, mark: &[u8]) -> Result<Offered, Error> {
        let ids: Vec<Id> = settled.iter().map(|settled| settled.id).collect();
        self.write(|writer| {
            if self.is_log_full() {
                self.shared.empty_log(writer)?;
            }
            self.shared.queues().land(&ids)?;
            self.shared.has_settled.store(true, Ordering::Relaxed);
            let outcome = self.settle_landed(writer, &settled, mark);
            if outcome.is_err() {
                self.shared.queues().fly(&ids);
            }
            outcome
        })
    }

    fn settle_landed(&self, writer: &mut Writer, settled: &[Settled], mark: &[u8]) -> Result<Offered, Error> {
        let mut change = Change::new(&self.shared, writer);
        for Settled { id, end, found } in settled {
            change.end(*id)?;
            match end {
                End::Done => change.done(),
                End::Again { wish, not_before } => change.postpone(wish, *not_before)?,
            }
            for wish in found {
                change.offer(writer, wish)?;
            }
        }
        change.set_mark(mark);
        change.commit(writer)
    }

    /// Puts postponed entries whose time has come back into their queues. Says which hosts have how many, and when to
    /// ask again: `None` if nothing is postponed.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn due(&self, now: Timestamp) -> Result<(Hosts, Option<Timestamp>), Error> {
        let mut hosts = BTreeMap::<String, u32>::new();
        loop {
            let due = self.shared.queues().due;
            if due.is_none_or(|due| due > now) {
                return Ok((hosts.into_iter().collect(), due));
            }
            for (host, count) in self.write(|writer| self.return_postponed(writer, now))? {
                let sum = hosts.entry(host).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }

    fn return_postponed(&self, writer: &mut Writer, now: Timestamp) -> Result<Hosts, Error> {
        let mut change = Change::new(&self.shared, writer);
        let mut next = None;
        // Somebody else may have been here since it was asked; nothing lies before the time that it says.
        let Some(due) = self.shared.queues().due else { return Ok(Hosts::new()) };
        for (count, item) in self.shared.postponed_from(due)?.enumerate() {
            let item = item?;
            if item.not_before > now || count == DUE_MAX {
                next = Some(item.not_before);
                break;
            }
            change.return_postponed(&item.key, &item.value)?;
        }
        change.set_due(next);
        if change.is_empty() {
            self.shared.queues().due = next;
            return Ok(Hosts::new());
        }
        Ok(change.commit(writer)?.hosts)
    }

    /// Puts entries that are postponed beyond a time back into their queues, and returns the number for each host. The caller never
    /// postpones an entry for so long: a clock that was ahead has set the time.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn return_beyond(&self, latest: Timestamp) -> Result<Hosts, Error> {
        let mut hosts = BTreeMap::<String, u32>::new();
        while self.shared.queues().latest.is_some_and(|known| known > latest) {
            for (host, count) in self.write(|writer| self.return_later_than(writer, latest))? {
                let sum = hosts.entry(host).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        Ok(hosts.into_iter().collect())
    }

    fn return_later_than(&self, writer: &mut Writer, latest: Timestamp) -> Result<Hosts, Error> {
        let mut change = Change::new(&self.shared, writer);
        let from = latest.checked_add(Duration::from_nanos(1)).unwrap_or(Timestamp::MAX);
        let mut is_all = true;
        for (count, item) in self.shared.postponed_from(from)?.enumerate() {
            let item = item?;
            if count == DUE_MAX {
                is_all = false;
                break;
            }
            change.return_postponed(&item.key, &item.value)?;
        }
        if is_all {
            change.set_latest(latest);
        }
        if change.is_empty() {
            self.shared.queues().latest = Some(latest);
            return Ok(Hosts::new());
        }
        let hosts = change.commit(writer)?.hosts;
        self.shared.queues().due = opening::due(&self.shared.disk)?;
        Ok(hosts)
    }

    /// Hosts with entries that can be taken, and how many.
    #[must_use]
    pub fn waiting(&self) -> Hosts {
        self.shared.queues().waiting()
    }

    /// Whether this URL was ever queued.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn has_seen(&self, url: &str) -> Result<bool, Error> {
        self.shared.has_seen(Fingerprint::of(url))
    }

    /// Whether this URL is known to have been queued, without asking the disk or waiting for anybody. `false` says
    /// nothing.
    #[must_use]
    pub fn has_seen_lately(&self, url: &str) -> bool {
        self.shared.lately.has(Fingerprint::of(url))
    }

    /// Drops what is queued or postponed of a host, and says how much it was. What is in flight goes on; what was
    /// dropped stays seen.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn forget_host(&self, host: &str) -> Result<u64, Error> {
        self.write(|writer| forgetting::forget(&self.shared, writer, host))
    }

    /// How much there is of everything.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.shared.queues().counts()
    }

    /// The mark that was settled last.
    #[must_use]
    pub fn mark(&self) -> Option<Vec<u8>> {
        self.shared.queues().mark.clone()
    }

    /// Has everything written through to the disk, so that it survives a power loss. A killed process loses nothing even
    /// without.
    ///
    /// # Errors
    ///
    /// The disk fails; then the frontier must be opened again.
    pub fn persist(&self) -> Result<(), Error> {
        self.shared.has_settled.store(false, Ordering::Relaxed);
        self.shared.disk.persist()
    }

    /// Whether the next [`settle`](Frontier::settle) brings what is in the log to the disk, and with it all that was settled: what
    /// belongs to that should be there by then.
    #[must_use]
    pub fn is_log_full(&self) -> bool {
        self.shared.is_log_full(1)
    }

    /// What is in the queues of all hosts or of one, those in flight included, host by host in the order in which they would be
    /// taken. It shows one moment; while it is held, the disk cannot free what is settled.
    #[must_use]
    pub fn queued(&self, host: Option<&str>) -> Queued {
        Queued::new(&self.shared, host)
    }

    /// What waits for a time, the earliest first.
    #[must_use]
    pub fn postponed(&self) -> Postponed {
        Postponed::new(&self.shared)
    }

    /// Says that nobody will open it again, because all is done: what is in the log need not go into tables when it is closed.
    pub fn leave_for_good(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    /// Lets one write at a time, and none after a write has failed half-way.
    fn write<T>(&self, work: impl FnOnce(&mut Writer) -> Result<T, Error>) -> Result<T, Error> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(Error::Poisoned);
        }
        // Before, and not after: where this fails, nothing of the work is done.
        let outcome = self.shared.make_room(&mut writer).and_then(|()| work(&mut writer));
        if !matches!(outcome, Ok(_) | Err(Error::NotTaken(_))) {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        outcome
    }
}

/// What is still in the log goes into tables, so that opening it again is quick.
impl Drop for Frontier {
    fn drop(&mut self) {
        let is_over = self.is_broken.load(Ordering::Relaxed) || self.is_left.load(Ordering::Relaxed);
        if !is_over && !self.shared.pending().is_empty() {
            // Whatever happens, the log has it all.
            let _ = self.write(|writer| self.shared.empty_log(writer));
        }
    }
}

impl Shared {
    pub(crate) fn pending(&self) -> RwLockReadGuard<'_, Pending> {
        self.pending.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn pending_mut(&self) -> RwLockWriteGuard<'_, Pending> {
        self.pending.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the log has more than so many times what it should.
    fn is_log_full(&self, times: usize) -> bool {
        self.pending().log_bytes() > self.log_bytes_max.saturating_mul(times)
    }

    /// Brings what is in the log into tables if it is full. With it goes to the disk what was settled: that is left to whoever
    /// settles, and knows when the files that belong to it are there; but memory has a bound, whatever happens.
    pub(crate) fn make_room(&self, writer: &mut Writer) -> Result<(), Error> {
        let times = if self.has_settled.load(Ordering::Relaxed) { 4 } else { 1 };
        if self.is_log_full(times) { self.empty_log(writer) } else { Ok(()) }
    }

    /// Brings what is in the log into tables. Meanwhile others read what is pending; nobody adds to it, as that takes the writer.
    fn empty_log(&self, writer: &mut Writer) -> Result<(), Error> {
        let mark = self.queues().mark.clone();
        checkpoint::write(&self.disk, &self.pending(), writer, mark.as_deref())?;
        *self.pending_mut() = Pending::default();
        Ok(())
    }

    pub(crate) fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_seen(&self, fingerprint: Fingerprint) -> Result<bool, Error> {
        if self.lately.has(fingerprint) {
            return Ok(true);
        }
        if self.sieve.as_ref().is_some_and(|sieve| !sieve.may_have(fingerprint)) {
            return Ok(false);
        }
        // In this order: what leaves the log is in the tables by then.
        let is_pending = self.pending().has_seen(fingerprint);
        let has_seen = is_pending || self.disk.has(Space::Seen, &fingerprint.bytes())?;
        if has_seen {
            self.lately.add(fingerprint);
        }
        Ok(has_seen)
    }

    /// A URL was written to the seen.
    pub(crate) fn remember(&self, fingerprint: Fingerprint) {
        self.lately.add(fingerprint);
        if let Some(sieve) = &self.sieve {
            sieve.add(fingerprint);
        }
    }

    /// The number of a host, if it ever had one.
    pub(crate) fn number_of(&self, name: &str) -> Result<Option<u32>, Error> {
        let known = self.queues().number(name);
        if known.is_some() {
            return Ok(known);
        }
        let Some(bytes) = self.disk.get(Space::Hosts, &key::name(name))? else { return Ok(None) };
        let number = bytes.as_ref().try_into().map(u32::from_be_bytes);
        number.map(Some).map_err(|_| Error::Damaged { what: format!("`{name}` has no number") })
    }

    pub(crate) fn name_of(&self, number: u32) -> Result<Arc<str>, Error> {
        let known = self.queues().name(number);
        match known {
            Some(name) => Ok(name),
            None => opening::name(&self.disk, number),
        }
    }

    /// What is postponed to a time or later, the earliest first.
    pub(crate) fn postponed_from(&self, time: Timestamp) -> Result<Waiting, Error> {
        let (first, last) = (key::postponed(time, 0), key::postponed(Timestamp::MAX, u64::MAX));
        Ok(Waiting(self.disk.range(Space::Postponed, &first, &last)?))
    }

    /// The entries of a gap, at least one.
    fn read(&self, gap: Gap) -> Result<Vec<Entry>, Error> {
        let last = Id { sequence: u64::MAX, ..gap.from };
        // The values lie in blocks that hold much else. Copied into one piece, they need as little memory as they can.
        let mut piece = Vec::new();
        let mut places = Vec::new();
        // One fits always. Says whether there is room for another.
        let mut add = |sequence: u64, wish: &[u8]| {
            let start = piece.len();
            let bytes = start + wish.len() + (places.len() + 1) * size_of::<Entry>();
            if bytes > gap.bytes && !places.is_empty() {
                return false;
            }
            piece.extend_from_slice(wish);
            places.push((sequence, start..piece.len()));
            places.len() < gap.entries as usize
        };
        // It is held throughout, so that nothing leaves the log between the two.
        let pending = self.pending();
        let mut next = gap.from;
        let mut has_room = true;
        for item in self.disk.range(Space::Queue, &key::entry(gap.from), &key::entry(last))? {
            let (key, value) = item?;
            let id = key::read_entry(&key);
            let id = id.ok_or_else(|| Error::Damaged { what: "an entry has no sequence".to_owned() })?;
            next.sequence = id.sequence.saturating_add(1);
            has_room = add(id.sequence, &value);
            if !has_room {
                break;
            }
        }
        // What is in the log is younger than what is in the tables.
        let mut younger = pending.queued(next, last);
        while has_room && let Some((id, entry)) = younger.next() {
            has_room = add(id.sequence, entry.wish());
        }
        drop(younger);
        if places.is_empty() {
            return Err(Error::Damaged { what: format!("entry {} and all behind it are missing", gap.from) });
        }
        Ok(Entry::several(piece, &places))
    }
}

impl fmt::Debug for Frontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier").field("counts", &self.counts()).finish_non_exhaustive()
    }
}
