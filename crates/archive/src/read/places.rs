//! Where records are read: the archive's own store, and behind it other places that have the same files.
//!
//! What is handed out is what its record's digests say, wherever it comes from. A record that is damaged, or not there, is read in the
//! next place that has it. Some records were accepted with a digest that was wrong from the start; they are known by this: two places
//! give the same bytes, or the whole file still has the checksum that it was accepted with.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use store::replica::Replica;
use store::{Store, Verdict};
use warc::{Compression, FaultKind, Nature, Options};

use super::body::Body;
use super::checks::{Checks, Key, Ticks, Work};
use super::fault::{OnFault, ReadFault};
use crate::error::Error;

/// Records of which it is remembered that they were accepted as they are, and those that broke off; then it is found out anew.
const REMEMBERED_MAX: usize = 10_000;

/// The places. A clone is cheap and is the same.
#[derive(Clone)]
pub(crate) struct Places {
    own: Store,
    others: Arc<Vec<Arc<dyn Replica>>>,
    on_fault: Option<OnFault>,
    /// What was wrong with a record's digest when its whole file had the checksum that it was accepted with. The fault names the digest
    /// that was found: while it is the same, so are the bytes, whatever has become of the rest of the file.
    accepted: Remembered<(usize, String, u64), String>,
    /// Records that turned out to be bad when part of them had been handed out: who asks again gets them from elsewhere.
    bad: Remembered<(usize, String, u64), Option<Facts>>,
    /// Checks of whole files.
    checks: Checks,
    /// Bytes of a block up to which all of it is checked before the first is handed out.
    pub(super) checked_bytes: u64,
}

/// A record's place in its file.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) file: String,
    pub(super) offset: u64,
    /// Bytes of the record, where that is known.
    pub(super) length: Option<u64>,
}

/// Length of a file, and when it was last written to: while they are the same, it is the same file.
pub(super) type Facts = (u64, Option<SystemTime>);
/// What was found out while others read, too.
type Remembered<Key, What> = Arc<Mutex<HashMap<Key, What>>>;

impl Places {
    pub(crate) fn of(own: Store, checked_bytes: u64) -> Places {
        let (others, accepted, bad) = (Arc::default(), Arc::default(), Arc::default());
        Places { own, others, on_fault: None, accepted, bad, checks: Checks::new(), checked_bytes }
    }

    pub(crate) fn set_others(&mut self, others: Vec<Arc<dyn Replica>>) {
        self.others = Arc::new(others);
        (self.accepted, self.bad) = (Arc::default(), Arc::default());
        self.checks = self.checks.anew();
    }

    pub(crate) fn set_readers_max(&mut self, readers_max: usize) {
        self.checks.set_readers_max(readers_max);
    }

    pub(crate) fn set_ticks(&mut self, ticks: Ticks) {
        self.checks.set_ticks(ticks);
    }

    pub(crate) fn set_on_fault(&mut self, on_fault: OnFault) {
        self.on_fault = Some(on_fault);
    }

    /// Opens a record in the first place that has it as it should be.
    pub(super) fn open(&self, spot: &Spot) -> Result<Option<Body>, Error> {
        let mut failures = Vec::new();
        let (good, bad): (Vec<usize>, Vec<usize>) = self.all().partition(|place| !self.is_bad(*place, spot));
        for place in good.into_iter().chain(bad) {
            match Body::open(self, place, spot, true) {
                Ok(Some(body)) => {
                    self.tell_all(spot, &failures, Some(place));
                    return Ok(Some(body));
                }
                failure => failures.push((place, failure.map(|_| ()))),
            }
        }
        failures.sort_by_key(|(place, _)| *place);
        if let Some(place) = self.accepted(spot, &failures)
            && let Ok(Some(body)) = Body::open(self, place, spot, false)
        {
            self.tell_all(spot, &failures, Some(place));
            return Ok(Some(body));
        }
        self.tell_all(spot, &failures, None);
        match failures.into_iter().next() {
            Some((_, Err(error))) => Err(error),
            _ => Ok(None),
        }
    }

    /// Does something with the first place where it succeeds.
    pub(super) fn each<T>(&self, mut act: impl FnMut(usize) -> Result<T, Error>) -> Result<T, Error> {
        let first = act(0);
        if first.is_ok() {
            return first;
        }
        self.all().skip(1).find_map(|place| act(place).ok()).map_or(first, Ok)
    }

    /// A file of a place, from this byte on.
    pub(super) fn source(
        &self,
        place: usize,
        file: &str,
        offset: u64,
    ) -> Result<Box<dyn Read + Send>, Error> {
        match self.other(place) {
            None => Ok(Box::new(self.own.read(file, offset)?)),
            Some(other) => Ok(other.open(file, offset)?),
        }
    }

    /// How a file is to be read from the middle.
    pub(super) fn nature(&self, place: usize, file: &str, options: &Options) -> Result<Nature, Error> {
        if file.ends_with(".gz") {
            return Ok(Nature { compression: Compression::Gzip, dictionary: Vec::new() });
        }
        Ok(Nature::of(self.source(place, file, 0)?, options.limits)?)
    }

    /// Whether a record was accepted with this fault of its digest: the whole file still has its checksum, or had it when the record had
    /// the same fault. That the file was sound once says nothing by itself: what rots keeps its length and its time.
    pub(super) fn is_as_accepted(&self, place: usize, spot: &Spot, fault: &str) -> bool {
        if self.is_accepted(place, spot, fault) {
            return true;
        }
        let key = (place, spot.file.clone());
        if self.checks.is_damaged(&key, self.own_facts(&key)) {
            return false;
        }
        let places = self.clone();
        self.checks.ask(&key, (spot.offset, fault.to_owned()), move |work| places.check_files(work));
        self.is_accepted(place, spot, fault)
    }

    /// Whether the whole file had its checksum when the record had this fault.
    fn is_accepted(&self, place: usize, spot: &Spot, fault: &str) -> bool {
        let accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        accepted.get(&(place, spot.file.clone(), spot.offset)).is_some_and(|known| known == fault)
    }

    /// Checks whole files, on a thread of their own.
    fn check_files(&self, work: Work) {
        let is_sound = |(place, file): &Key| match self.other(*place) {
            None => matches!(self.own.verify(file), Ok(Verdict::Sound)),
            Some(other) => {
                let recorded = self.own.recorded(file).ok().flatten();
                let found = other.read(file, &mut |_| ControlFlow::Continue(())).ok().flatten();
                recorded.is_some() && recorded == found.map(|found| found.sha256)
            }
        };
        let accept = |(place, file): &Key, faults: Vec<(u64, String)>| {
            let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
            if accepted.len() >= REMEMBERED_MAX {
                accepted.clear();
            }
            accepted
                .extend(faults.into_iter().map(|(offset, fault)| ((*place, file.clone(), offset), fault)));
        };
        work.run(is_sound, |key| self.own_facts(key), accept);
    }

    /// Which file it is in the own store; others may be far away, and are not asked.
    fn own_facts(&self, (place, file): &Key) -> Option<Facts> {
        if *place == 0 { self.facts(0, file) } else { None }
    }

    /// Remembers that a record broke off in this place.
    pub(super) fn set_bad(&self, place: usize, spot: &Spot) {
        let facts = self.facts(place, &spot.file);
        let mut bad = self.bad.lock().unwrap_or_else(PoisonError::into_inner);
        if bad.len() >= REMEMBERED_MAX {
            bad.clear();
        }
        bad.insert((place, spot.file.clone(), spot.offset), facts);
    }

    /// Whether a record broke off in this place, and its file was not touched since.
    fn is_bad(&self, place: usize, spot: &Spot) -> bool {
        let facts = {
            let bad = self.bad.lock().unwrap_or_else(PoisonError::into_inner);
            if bad.is_empty() {
                return false;
            }
            bad.get(&(place, spot.file.clone(), spot.offset)).copied()
        };
        facts.is_some_and(|facts| facts == self.facts(place, &spot.file))
    }

    /// Says what went wrong with a record, and who gave it in the end.
    pub(super) fn tell(&self, spot: &Spot, place: usize, why: String, served: Option<usize>) {
        let fault = ReadFault { file: spot.file.clone(), offset: spot.offset, place, why, served };
        match &self.on_fault {
            Some(on_fault) => on_fault(&fault),
            // What nobody could give, whoever asked for it hears as an error.
            None if fault.served.is_some() => tracing::warn!("{fault}"),
            None => {}
        }
    }

    fn tell_all(&self, spot: &Spot, failures: &[(usize, Result<(), Error>)], served: Option<usize>) {
        for (place, failure) in failures {
            let why = failure.as_ref().map_or_else(words, |()| "there is no record".to_owned());
            self.tell(spot, *place, why, served);
        }
    }

    /// The place whose record is as it was accepted, though its digest is wrong.
    fn accepted(&self, spot: &Spot, failures: &[(usize, Result<(), Error>)]) -> Option<usize> {
        let wrong: Vec<(usize, &str)> = failures
            .iter()
            .filter_map(|(place, failure)| Some((*place, digest_fault(failure.as_ref().err()?)?)))
            .collect();
        // The fault names the digest that was found: the same fault is the same bytes.
        let agreeing = wrong
            .iter()
            .find(|(place, what)| wrong.iter().any(|(other, same)| other != place && same == what));
        let whole = || wrong.iter().find(|(place, what)| self.is_as_accepted(*place, spot, what));
        agreeing.or_else(whole).map(|(place, _)| *place)
    }

    /// The numbers of all places that have files: 0 is the own store, others follow in their order.
    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        let full = self.others.iter().enumerate().filter(|(_, other)| other.is_full());
        std::iter::once(0).chain(full.map(|(number, _)| number + 1))
    }

    fn other(&self, place: usize) -> Option<&Arc<dyn Replica>> {
        self.others.get(place.checked_sub(1)?)
    }

    fn facts(&self, place: usize, file: &str) -> Option<Facts> {
        match self.other(place) {
            None => self.own.read(file, 0).ok()?.facts().ok().map(|(bytes, changed)| (bytes, Some(changed))),
            Some(other) => other.look(file).ok()??.map(|bytes| (bytes, None)),
        }
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Places").field("own", &self.own).field("others", &self.others.len()).finish()
    }
}

/// What a digest was found to be, where that is all that is wrong.
pub(super) fn digest_fault(error: &Error) -> Option<&str> {
    let Error::Record(warc::Error::Fault(fault)) = error else { return None };
    let is_digest = matches!(fault.kind, FaultKind::BlockDigest | FaultKind::PayloadDigest);
    is_digest.then_some(fault.message.as_str())
}

/// An error with its causes, in one line.
pub(super) fn words(error: &Error) -> String {
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        words = format!("{words}: {next}");
        cause = next.source();
    }
    words
}
