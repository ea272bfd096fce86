//! Reads files on several threads at once, and gives the same as one thread would.
//!
//! A file is cut into sections of equal length. Each thread looks for the first place in its section where a member
//! or record plausibly begins, and reads from there to the first record of the next section. Such a place is a guess:
//! an archive may hold another archive. So each section's start is compared with where the one before it came to
//! an end, and a section that guessed wrong is read again from the right place.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;

use crate::error::Error;
use crate::reader::{Nature, Options, Reader, Record};

/// Length of a section. Large enough to make its start cheap, small enough to keep all threads busy to the end.
const SECTION_BYTES: u64 = 8 << 20;
/// Sections a thread may be ahead of what has been delivered; bounds the memory.
const AHEAD_PER_JOB: usize = 4;

/// A file that several threads may open.
pub trait Source: Sync {
    /// What it is read through.
    type Reader: Read;

    /// Bytes in the file.
    fn length(&self) -> u64;

    /// Opens the file at this offset.
    fn open_at(&self, offset: u64) -> io::Result<Self::Reader>;
}

/// Some of a file's records, one after another.
#[derive(Debug)]
pub struct Section<R> {
    reader: Reader<R>,
    end: u64,
    stop: u64,
}

impl<R: Read> Section<R> {
    /// The next record of this section.
    pub fn next_record(&mut self) -> Result<Option<Record<'_, R>>, Error> {
        self.reader.finish_current()?;
        self.stop = self.reader.position();
        if self.stop >= self.end {
            return Ok(None);
        }
        if !self.reader.step()? {
            self.stop = self.reader.position();
            return Ok(None);
        }
        Ok(Some(self.reader.record()))
    }

    /// The reader underneath, for its faults and extents.
    pub fn reader(&mut self) -> &mut Reader<R> {
        &mut self.reader
    }
}

/// Reads all `files` with `jobs` threads. `work` turns a section into a value; `deliver` is given the values in the
/// files' order, each with its file's number, on the calling thread. It may stop everything by returning false.
///
/// A file's values end with the first error; the other files go on.
pub fn read_files<S, T, W, D>(files: &[S], options: Options, jobs: usize, work: W, mut deliver: D)
where
    S: Source,
    T: Send,
    W: Fn(usize, &mut Section<S::Reader>) -> Result<T, Error> + Sync,
    D: FnMut(usize, Result<T, Error>) -> bool,
{
    let plan = Plan::new(files, options);
    let gate = Gate::default();
    let stop = AtomicBool::new(false);
    let jobs = jobs.max(1);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.min(plan.tasks.len()) {
            let (sender, plan, gate, stop, work) = (sender.clone(), &plan, &gate, &stop, &work);
            scope.spawn(move || {
                while let Some(number) = gate.take(plan.tasks.len(), jobs * AHEAD_PER_JOB, stop) {
                    let outcome = plan.run(number, None, work);
                    if sender.send((number, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut chain = Chain::default();
        for (number, outcome) in receiver {
            waiting.insert(number, outcome);
            while let Some(outcome) = waiting.remove(&gate.delivered()) {
                let number = gate.delivered();
                let going_on = chain.link(&plan, number, outcome, &work, &mut deliver);
                gate.deliver();
                if !going_on {
                    stop.store(true, Ordering::Relaxed);
                    gate.wake();
                    return;
                }
            }
        }
    });
}

/// What became of a section.
struct Outcome<T> {
    /// Where it began to read; `None` if it found no place to.
    start: Option<u64>,
    /// Where its last record ended.
    stop: u64,
    value: Result<T, Error>,
}

struct Task {
    file: usize,
    start: u64,
    end: u64,
}

struct Plan<'a, S> {
    files: &'a [S],
    natures: Vec<OnceLock<Nature>>,
    tasks: Vec<Task>,
    options: Options,
}

impl<'a, S: Source> Plan<'a, S> {
    fn new(files: &'a [S], options: Options) -> Plan<'a, S> {
        let mut tasks = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let sections = file.length().div_ceil(SECTION_BYTES).max(1);
            for section in 0..sections {
                // The last section takes whatever is there: a file may have grown since its length was asked.
                let end = if section + 1 == sections { u64::MAX } else { (section + 1) * SECTION_BYTES };
                tasks.push(Task { file: number, start: section * SECTION_BYTES, end });
            }
        }
        Plan { files, natures: files.iter().map(|_| OnceLock::new()).collect(), tasks, options }
    }

    /// Reads a section, from `from` if that is known and else from the first place that looks right.
    fn run<T, W>(&self, number: usize, from: Option<u64>, work: &W) -> Option<Outcome<T>>
    where
        W: Fn(usize, &mut Section<S::Reader>) -> Result<T, Error>,
    {
        let task = self.tasks.get(number)?;
        let from = from.or((task.start == 0).then_some(0));
        let outcome = self.section(task, from).map(|found| {
            let (start, mut section) = found?;
            let value = work(task.file, &mut section);
            // Work that stopped early has still read its section's last record to the end, or met an error.
            Some(Outcome { start: Some(start), stop: section.stop, value })
        });
        match outcome {
            Ok(outcome) => outcome,
            Err(error) => Some(Outcome { start: from, stop: task.end, value: Err(error) }),
        }
    }

    fn section(&self, task: &Task, from: Option<u64>) -> Result<Option<(u64, Section<S::Reader>)>, Error> {
        let Some(file) = self.files.get(task.file) else { return Ok(None) };
        let offset = from.unwrap_or(task.start);
        let failed = |source| Error::Read { offset, source };
        let source = file.open_at(offset).map_err(failed)?;
        if offset == 0 {
            let reader = Reader::new(source, self.options)?;
            return Ok(Some((0, Section { reader, end: task.end, stop: 0 })));
        }
        let nature = self.nature(task.file)?;
        let mut reader = Reader::at(source, offset, nature, self.options)?;
        let start = match from {
            Some(from) => Some(from),
            None => reader.find_start()?.filter(|&start| start < task.end),
        };
        Ok(start.map(|start| (start, Section { reader, end: task.end, stop: start })))
    }

    fn nature(&self, number: usize) -> Result<&Nature, Error> {
        static UNKNOWN: Nature =
            Nature { compression: crate::member::Compression::None, dictionary: Vec::new() };
        let (Some(file), Some(cell)) = (self.files.get(number), self.natures.get(number)) else {
            return Ok(&UNKNOWN);
        };
        if let Some(nature) = cell.get() {
            return Ok(nature);
        }
        let source = file.open_at(0).map_err(|source| Error::Read { offset: 0, source })?;
        let nature = Nature::of(source, self.options.limits)?;
        Ok(cell.get_or_init(|| nature))
    }
}

/// Holds each section against the end of the one before it.
#[derive(Default)]
struct Chain {
    file: usize,
    /// Where the next section must begin.
    expected: u64,
    /// The file has come to an error: nothing more of it is delivered.
    failed: bool,
}

impl Chain {
    fn link<S, T, W, D>(
        &mut self,
        plan: &Plan<'_, S>,
        number: usize,
        outcome: Option<Outcome<T>>,
        work: &W,
        deliver: &mut D,
    ) -> bool
    where
        S: Source,
        W: Fn(usize, &mut Section<S::Reader>) -> Result<T, Error>,
        D: FnMut(usize, Result<T, Error>) -> bool,
    {
        let Some(task) = plan.tasks.get(number) else { return true };
        if task.start == 0 {
            *self = Chain { file: task.file, expected: 0, failed: false };
        }
        // Nothing of this section is left, or of this file.
        if self.failed || self.expected >= task.end {
            return true;
        }
        let right = outcome.as_ref().is_some_and(|outcome| outcome.start == Some(self.expected));
        let outcome = if right { outcome } else { plan.run(number, Some(self.expected), work) };
        let Some(outcome) = outcome else { return true };
        self.expected = outcome.stop;
        self.failed = outcome.value.is_err();
        deliver(self.file, outcome.value)
    }
}

/// Hands out section numbers in order, not too far ahead of what has been delivered.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    moved: Condvar,
}

#[derive(Default)]
struct GateState {
    taken: usize,
    delivered: usize,
}

impl Gate {
    fn take(&self, total: usize, ahead: usize, stop: &AtomicBool) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if stop.load(Ordering::Relaxed) || state.taken >= total {
                return None;
            }
            if state.taken < state.delivered + ahead {
                state.taken += 1;
                return Some(state.taken - 1);
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn delivered(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).delivered
    }

    fn deliver(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).delivered += 1;
        self.moved.notify_all();
    }

    fn wake(&self) {
        // Taken so that nobody misses the call between looking and waiting.
        let _state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.moved.notify_all();
    }
}
