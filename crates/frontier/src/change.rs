//! One batch in the making: what is taken out of the queues, and what of the wishes that were offered goes in.
//!
//! While it is made, nobody else writes. It is written in one piece, and only then do the queues in memory follow.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::disk::{Batch, Space};
use crate::error::Error;
use crate::fingerprint::{ByFingerprint, Fingerprint};
use crate::frontier::Shared;
use crate::key;
use crate::ledger::Ledger;
use crate::pending::Changes;
use crate::queues::Entry;
use crate::wish::{Id, Offered, Wish};
use crate::{record, value};

/// What only the one who writes needs.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) ledger: Ledger,
    /// Pages accepted at each distance.
    pub(crate) widths: HashMap<u32, u64>,
    /// The last batch whose record is no more in the log, but in tables.
    pub(crate) in_tables: u64,
}

/// A batch in the making.
pub(crate) struct Change<'a> {
    shared: &'a Shared,
    batch: Batch,
    ledger: Ledger,
    changes: Changes,
    /// Whether it touches the postponed.
    touches_postponed: bool,
    /// The lanes that it touches, and what it adds to them.
    lanes: BTreeMap<(u32, u8), Vec<Entry>>,
    /// The names of the hosts that it touches.
    names: HashMap<u32, Arc<str>>,
    /// Hosts that nobody had before.
    new_hosts: HashMap<Arc<str>, u32>,
    /// What it accepts.
    fresh: HashSet<Fingerprint, ByFingerprint>,
    widths: BTreeMap<u32, u64>,
    mark: Option<&'a [u8]>,
    due: Option<Timestamp>,
    latest: Option<Timestamp>,
    /// Newly queued for each host, in the order of their first.
    queued: Vec<(u32, u32)>,
    places: HashMap<u32, usize>,
    offered: Offered,
}

impl<'a> Change<'a> {
    pub(crate) fn new(shared: &'a Shared, writer: &Writer) -> Change<'a> {
        let (due, latest) = {
            let queues = shared.queues();
            (queues.due, queues.latest)
        };
        Change {
            shared,
            batch: Batch::default(),
            ledger: writer.ledger.clone(),
            changes: Changes::default(),
            touches_postponed: false,
            lanes: BTreeMap::new(),
            names: HashMap::new(),
            new_hosts: HashMap::new(),
            fresh: HashSet::default(),
            widths: BTreeMap::new(),
            mark: None,
            due,
            latest,
            queued: Vec::new(),
            places: HashMap::new(),
            offered: Offered::default(),
        }
    }

    /// Queues a wish unless its URL was seen or its distance is full.
    pub(crate) fn offer(&mut self, writer: &Writer, wish: &Wish) -> Result<(), Error> {
        let fingerprint = Fingerprint::of(&wish.url);
        if self.has_seen(fingerprint)? {
            self.offered.seen += 1;
            return Ok(());
        }
        if wish.has_width() && !self.fits(writer, wish.distance()) {
            self.offered.over_width += 1;
            self.ledger.over_width += 1;
            return Ok(());
        }
        let number = self.number_of(&wish.host)?;
        let mut bytes = Vec::with_capacity(wish.url.len() + wish.hops.len() + wish.tag.len() + 32);
        value::write_wish(wish, &mut bytes);
        self.fresh.insert(fingerprint);
        self.changes.seen.push(fingerprint);
        self.queue(number, wish.precedence, &bytes);
        self.ledger.seen += 1;
        self.offered.new += 1;
        Ok(())
    }

    /// Takes an entry out of its queue. It must not be in flight any more.
    pub(crate) fn end(&mut self, id: Id) -> Result<(), Error> {
        self.changes.ended.push(id);
        self.lanes.entry((id.host, id.precedence)).or_default();
        self.name_of(id.host).map(drop)
    }

    /// The entry that was ended does not come again.
    pub(crate) fn done(&mut self) {
        self.ledger.done += 1;
    }

    /// The entry that was ended comes again.
    pub(crate) fn postpone(&mut self, wish: &Wish, not_before: Timestamp) -> Result<(), Error> {
        let number = self.number_of(&wish.host)?;
        let sequence = self.next_sequence();
        let mut bytes = Vec::new();
        value::write_postponed(number, wish, &mut bytes);
        self.batch.put(Space::Postponed, &key::postponed(not_before, sequence), bytes);
        self.touches_postponed = true;
        self.ledger.postponed += 1;
        self.due = Some(self.due.map_or(not_before, |due| due.min(not_before)));
        self.latest = Some(self.latest.map_or(not_before, |latest| latest.max(not_before)));
        Ok(())
    }

    /// A postponed entry goes back to its queue.
    pub(crate) fn return_postponed(&mut self, postponed: &[u8], value: &[u8]) -> Result<(), Error> {
        let damaged = || Error::Damaged { what: "a postponed entry is no entry".to_owned() };
        let (number, precedence, wish) = value::read_postponed(value).ok_or_else(damaged)?;
        self.name_of(number)?;
        self.remove_postponed(postponed);
        self.queue(number, precedence, wish);
        Ok(())
    }

    /// A postponed entry is dropped.
    pub(crate) fn forget_postponed(&mut self, postponed: &[u8]) {
        self.remove_postponed(postponed);
        self.ledger.forgotten += 1;
    }

    /// An entry of a queue is dropped; the queues in memory know already.
    pub(crate) fn forget(&mut self, id: Id) {
        self.changes.ended.push(id);
        self.ledger.forgotten += 1;
    }

    pub(crate) fn set_mark(&mut self, mark: &'a [u8]) {
        self.mark = Some(mark);
    }

    pub(crate) fn set_due(&mut self, due: Option<Timestamp>) {
        self.due = due;
    }

    pub(crate) fn set_latest(&mut self, latest: Timestamp) {
        self.latest = Some(latest);
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        let Changes { seen, ended, queued } = &self.changes;
        let is_untouched =
            seen.is_empty() && ended.is_empty() && queued.is_empty() && !self.touches_postponed;
        is_untouched && self.mark.is_none() && self.offered.over_width == 0
    }

    /// What became of the wishes, where nothing is to be written.
    pub(crate) fn into_offered(self) -> Offered {
        self.offered
    }

    /// Writes the batch, then brings the queues in memory up to date.
    pub(crate) fn commit(mut self, writer: &mut Writer) -> Result<Offered, Error> {
        self.ledger.batch += 1;
        self.write_hosts();
        self.write_stamps();
        let widths = self.widths.iter().map(|(distance, count)| (*distance, *count));
        let record = record::write(&self.ledger, self.mark, widths, &self.changes);
        let record_bytes = record.len();
        self.batch.put(Space::Log, &key::record(self.ledger.batch), record);
        self.shared.disk.commit(self.batch)?;

        writer.widths.extend(self.widths);
        writer.ledger = self.ledger.clone();
        self.fresh.into_iter().for_each(|fingerprint| self.shared.remember(fingerprint));
        self.shared.pending_mut().add(self.changes, record_bytes);
        let mut queues = self.shared.queues();
        for ((number, precedence), added) in self.lanes {
            if let Some(name) = self.names.get(&number) {
                queues.add(number, name, precedence, added);
            }
        }
        queues.ledger = self.ledger;
        (queues.due, queues.latest) = (self.due, self.latest);
        if let Some(mark) = self.mark {
            queues.mark = Some(mark.to_vec());
        }
        drop(queues);
        let names = self.names;
        let named = |(number, count)| Some((names.get(&number)?.to_string(), count));
        self.offered.hosts = self.queued.into_iter().filter_map(named).collect();
        Ok(self.offered)
    }

    fn write_hosts(&mut self) {
        let batch = &mut self.batch;
        for (name, number) in &self.new_hosts {
            batch.put(Space::Hosts, &key::name(name), number.to_be_bytes());
            batch.put(Space::Hosts, &key::host(*number), name.as_bytes());
        }
    }

    fn write_stamps(&mut self) {
        let number = self.ledger.batch;
        let touched =
            [(Space::Postponed, self.touches_postponed), (Space::Hosts, !self.new_hosts.is_empty())];
        for (stamp, (space, is_touched)) in self.ledger.stamps.iter_mut().zip(touched) {
            if is_touched {
                *stamp = number;
                self.batch.put(space, key::STAMP, number.to_be_bytes());
            }
        }
    }

    fn has_seen(&self, fingerprint: Fingerprint) -> Result<bool, Error> {
        Ok(self.fresh.contains(&fingerprint) || self.shared.has_seen(fingerprint)?)
    }

    /// Whether there is room for one more page at a distance; if so, it is taken.
    fn fits(&mut self, writer: &Writer, distance: u32) -> bool {
        let known = writer.widths.get(&distance).copied().unwrap_or(0);
        let count = self.widths.get(&distance).copied().unwrap_or(known);
        if self.shared.width.is_some_and(|width| count >= u64::from(width)) {
            return false;
        }
        self.widths.insert(distance, count + 1);
        true
    }

    fn queue(&mut self, number: u32, precedence: u8, wish: &[u8]) {
        let sequence = self.next_sequence();
        let (id, entry) = (Id { host: number, precedence, sequence }, Entry::new(sequence, wish));
        self.changes.queued.push((id, entry.clone()));
        self.lanes.entry((number, precedence)).or_default().push(entry);
        let place = *self.places.entry(number).or_insert(self.queued.len());
        match self.queued.get_mut(place) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.queued.push((number, 1)),
        }
    }

    fn next_sequence(&mut self) -> u64 {
        let sequence = self.ledger.next_sequence;
        self.ledger.next_sequence += 1;
        sequence
    }

    /// The number of a host, a new one if it never had one.
    fn number_of(&mut self, name: &str) -> Result<u32, Error> {
        if let Some(number) = self.new_hosts.get(name) {
            return Ok(*number);
        }
        let known = self.shared.number_of(name)?;
        let number = known.unwrap_or(self.ledger.next_host);
        let name = Arc::clone(self.names.entry(number).or_insert_with(|| Arc::from(name)));
        if known.is_none() {
            self.ledger.next_host += 1;
            self.new_hosts.insert(name, number);
        }
        Ok(number)
    }

    /// Makes sure that the name of a host is at hand.
    fn name_of(&mut self, number: u32) -> Result<Arc<str>, Error> {
        if let Some(name) = self.names.get(&number) {
            return Ok(Arc::clone(name));
        }
        let name = self.shared.name_of(number)?;
        self.names.insert(number, Arc::clone(&name));
        Ok(name)
    }

    fn remove_postponed(&mut self, postponed: &[u8]) {
        self.batch.remove(Space::Postponed, postponed);
        self.touches_postponed = true;
        self.ledger.postponed = self.ledger.postponed.saturating_sub(1);
    }
}
