//! Reads files on several threads at once, and gives the same as one thread would.
//!
//! A file is cut into sections of equal length. Each thread looks for the first place in its section where a member
//! or record plausibly begins, and reads from there to the first record of the next section. Such a place is a guess:
//! an archive may hold another archive. So each section's start is compared with where the one before it came to
//! an end, and a section that guessed wrong is read again from the right place.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::error::Error;
use crate::reader::{Nature, Options, Reader, Record};

/// Length of a section. Large enough to make its start cheap, small enough to keep all threads busy to the end.
const SECTION_BYTES: u64 = 8 << 20;
/// Values of a section that may wait for those of the sections before it.
const WAITING_MAX: usize = 16;
/// Sections a thread may be ahead of what has been delivered; with the line above, bounds the memory.
const AHEAD_PER_JOB: usize = 4;

/// More threads than any machine has cores would only cost memory.
const JOBS_MAX: usize = 1024;

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
    /// Where reading stands between two records; at first, where it starts.
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

/// Reads all `files` with `jobs` threads. `work` reads a section and emits values as it goes; `deliver` is given the
/// values on the calling thread, in the order of the files and of their records, each with its file's number. It
/// stops everything by returning false.
///
/// A worker that is ahead waits, so memory stays bounded whatever the files hold. A file ends with its first error,
/// which is delivered last; the other files go on.
pub fn read_files<S, T, W, D>(files: &[S], options: Options, jobs: usize, work: W, mut deliver: D)
where
    S: Source,
    T: Send,
    W: Fn(usize, &mut Section<S::Reader>, &mut Emit<'_, T>) -> Result<(), Error> + Sync,
    D: FnMut(usize, Result<T, Error>) -> bool,
{
    let plan = Plan::new(files, options);
    let gate = Gate::default();
    let jobs = jobs.clamp(1, JOBS_MAX);
    let (sender, begun) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.min(plan.tasks.len()) {
            let (sender, plan, gate, work) = (sender.clone(), &plan, &gate, &work);
            scope.spawn(move || {
                while let Some(number) = gate.take(plan.tasks.len(), jobs * AHEAD_PER_JOB) {
                    let (messages, receiver) = mpsc::sync_channel(WAITING_MAX);
                    if sender.send((number, receiver)).is_err() {
                        return;
                    }
                    // Nobody listens any more when the guess was wrong, or when everything is to stop.
                    plan.run(number, None, work, &mut |message| messages.send(message).is_ok());
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut chain = Chain::default();
        for (number, receiver) in begun {
            waiting.insert(number, receiver);
            while let Some(receiver) = waiting.remove(&gate.delivered()) {
                if !chain.link(&plan, gate.delivered(), receiver, &work, &mut deliver) {
                    gate.close();
                    return;
                }
                gate.deliver();
            }
        }
    });
}

/// Takes the values that `work` makes.
pub struct Emit<'a, T>(&'a mut dyn FnMut(Message<T>) -> bool);

impl<T> Emit<'_, T> {
    /// Hands a value on. An error means that nobody wants any more, and is to be returned.
    pub fn send(&mut self, value: T) -> Result<(), Error> {
        if (self.0)(Message::Value(value)) { Ok(()) } else { Err(Error::Unwanted) }
    }
}

/// What a section says while it is read.
enum Message<T> {
    /// Where it begins to read; `None` if it found no place to.
    Start(Option<u64>),
    Value(T),
    /// Where its last record ended, and how.
    End(u64, Result<(), Error>),
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
    fn run<T, W>(&self, number: usize, from: Option<u64>, work: &W, tell: &mut dyn FnMut(Message<T>) -> bool)
    where
        W: Fn(usize, &mut Section<S::Reader>, &mut Emit<'_, T>) -> Result<(), Error>,
    {
        let Some(task) = self.tasks.get(number) else { return };
        let from = from.or((task.start == 0).then_some(0));
        let (start, end) = match self.section(task, from) {
            Ok(Some(mut section)) => {
                if !tell(Message::Start(Some(section.stop))) {
                    return;
                }
                let result = work(task.file, &mut section, &mut Emit(tell));
                tell(Message::End(section.stop, result));
                return;
            }
            Ok(None) => (None, Message::End(task.end, Ok(()))),
            Err(error) => (from, Message::End(task.end, Err(error))),
        };
        if tell(Message::Start(start)) {
            tell(end);
        }
    }

    fn section(&self, task: &Task, from: Option<u64>) -> Result<Option<Section<S::Reader>>, Error> {
        let Some(file) = self.files.get(task.file) else { return Ok(None) };
        let offset = from.unwrap_or(task.start);
        let failed = |source| Error::Read { offset, source };
        let source = file.open_at(offset).map_err(failed)?;
        if offset == 0 {
            let mut reader = Reader::new(source, self.options)?;
            reader.expect_end(task.end);
            return Ok(Some(Section { reader, end: task.end, stop: 0 }));
        }
        let nature = self.nature(task.file)?;
        let mut reader = Reader::at(source, offset, nature, self.options)?;
        reader.expect_end(task.end);
        let start = match from {
            Some(from) => Some(from),
            None => reader.find_start()?.filter(|&start| start < task.end),
        };
        Ok(start.map(|start| Section { reader, end: task.end, stop: start }))
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
    /// Delivers what a section has to say, if it began in the right place; else reads it again. False to stop.
    fn link<S, T, W, D>(
        &mut self,
        plan: &Plan<'_, S>,
        number: usize,
        receiver: Receiver<Message<T>>,
        work: &W,
        deliver: &mut D,
    ) -> bool
    where
        S: Source,
        W: Fn(usize, &mut Section<S::Reader>, &mut Emit<'_, T>) -> Result<(), Error>,
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
        let right = matches!(receiver.recv(), Ok(Message::Start(Some(start))) if start == self.expected);
        if right {
            return receiver.into_iter().all(|message| self.pass_on(message, deliver));
        }
        drop(receiver);
        let mut going_on = true;
        plan.run(number, Some(self.expected), work, &mut |message| {
            going_on = going_on && self.pass_on(message, deliver);
            going_on
        });
        going_on
    }

    fn pass_on<T>(
        &mut self,
        message: Message<T>,
        deliver: &mut impl FnMut(usize, Result<T, Error>) -> bool,
    ) -> bool {
        match message {
            Message::Start(_) => true,
            Message::Value(value) => deliver(self.file, Ok(value)),
            Message::End(stop, result) => {
                self.expected = stop;
                match result {
                    Ok(()) => true,
                    Err(error) => {
                        self.failed = true;
                        deliver(self.file, Err(error))
                    }
                }
            }
        }
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
    closed: bool,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, total: usize, ahead: usize) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.closed || state.taken >= total {
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
        self.lock().delivered
    }

    fn deliver(&self) {
        self.lock().delivered += 1;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}
