//! The whole run: files to threads, results back in order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use store::Sealed;

use crate::error::Error;
use crate::failed::Failed;
use crate::origin::Origin;
use crate::settings::Settings;
use crate::source::Tally;
use crate::task::{Merge, Task};
use crate::watch::LOOK_EVERY;
use crate::worker::{Outcome, Worker};

/// Files that a thread may be ahead of the one whose turn it is. Each may hold a little memory, or an open file.
const AHEAD_PER_THREAD: usize = 16;
/// Files that all threads may be ahead together: fewer than the files that a process may have open.
const AHEAD_MAX: usize = 256;
/// How often whoever watches is told how it gets on.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// How far a run is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files whose results are in the merged result, or that have none.
    pub files: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Bytes that were read, of files under way as well.
    pub bytes: u64,
}

/// What whoever watches is told.
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// How far it is; several times a second.
    Progress(Progress),
    /// Something is wrong with a file; in the order of the files.
    Failed(&'a Failed),
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Files that were worked on.
    pub files: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Those of them that are no files of the kind that the task is about.
    pub others: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes of the merged result.
    pub result_bytes: u64,
    /// The first file that the merged result lacks, if the run was cancelled: it has all before that, and none after.
    pub stopped_before: Option<String>,
}

/// Does a task with each of the files, and writes the results to `out` in the order of the files. `look` is told how it gets on; when
/// it breaks, the run is cancelled.
///
/// # Errors
/// When `out` cannot be written. What is wrong with a file does not end the run: `look` is told.
pub fn run(
    files: impl Iterator<Item = Sealed> + Send,
    origin: &Origin,
    task: &dyn Task,
    settings: &Settings,
    out: &mut dyn Write,
    look: &mut dyn FnMut(News<'_>) -> ControlFlow<()>,
) -> Result<Report, Error> {
    let tally = Arc::new(Tally::default());
    let stop = Arc::new(AtomicBool::new(false));
    let queue =
        Queue { files: Mutex::new((0, files)), turn: Mutex::new(Turn::default()), moved: Condvar::new() };
    let threads = settings.threads.get();
    let ahead_max = threads.saturating_mul(AHEAD_PER_THREAD).min(AHEAD_MAX);
    thread::scope(|scope| {
        // However this ends, nobody is to go on.
        let _ending = Ending(&stop);
        let (sender, receiver) = mpsc::sync_channel(threads);
        for _ in 0..threads {
            let worker = Worker { origin, task, settings, stop: &stop, tally: &tally };
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || queue.work(&worker, ahead_max, &sender));
        }
        drop(sender);
        let out = Counting { out, bytes: 0 };
        let merging = Merging { out, merge: task.merge(), look, report: Report::default(), tally: &tally };
        merging.merge_all(&receiver, &queue, &stop)
    })
}

/// Stops the workers when it goes, also where whoever merges or watches panics.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A file with its place, and what came of it.
type Message = (u64, Sealed, Outcome);

/// What the threads share.
struct Queue<I> {
    /// The place of the next file, and the files.
    files: Mutex<(u64, I)>,
    turn: Mutex<Turn>,
    moved: Condvar,
}

/// How far the merging is.
#[derive(Default)]
struct Turn {
    /// The place of the file whose result is to be merged next.
    place: u64,
    /// Bytes of results that are ready and not merged.
    waiting: u64,
}

impl<I: Iterator<Item = Sealed>> Queue<I> {
    /// Works on one file after another.
    fn work(&self, worker: &Worker<'_>, ahead_max: usize, sender: &SyncSender<Message>) {
        while let Some((place, file)) = self.next(worker.stop) {
            let outcome = if self.wait(place, ahead_max, worker.settings.waiting_bytes_max, worker.stop) {
                worker.work(file.clone())
            } else {
                Outcome::Stopped
            };
            self.lock().waiting += outcome.bytes();
            if sender.send((place, file, outcome)).is_err() {
                return;
            }
        }
    }

    /// The next file. Once the run is cancelled there is one more, so that it is known where it ended.
    fn next(&self, stop: &AtomicBool) -> Option<(u64, Sealed)> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let is_stopped = stop.load(Ordering::Relaxed);
        let (place, iterator) = &mut *files;
        if *place == u64::MAX {
            return None;
        }
        let file = iterator.next()?;
        let this = *place;
        *place = if is_stopped { u64::MAX } else { this + 1 };
        Some((this, file))
    }

    /// Waits until a file is not too far ahead of the one whose turn it is, and not too much lies around: false if the run was cancelled.
    fn wait(&self, place: u64, ahead_max: usize, waiting_max: u64, stop: &AtomicBool) -> bool {
        let mut turn = self.lock();
        while !stop.load(Ordering::Relaxed) {
            let is_near = place < turn.place.saturating_add(ahead_max as u64);
            // All others may wait for the one whose turn it is.
            if place <= turn.place || (is_near && turn.waiting <= waiting_max) {
                return true;
            }
            turn = match self.moved.wait_timeout(turn, LOOK_EVERY) {
                Ok((turn, _)) => turn,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        false
    }

    /// The result before this place is merged, which had so many bytes.
    fn set_turn(&self, place: u64, bytes: u64) {
        let mut turn = self.lock();
        (turn.place, turn.waiting) = (place, turn.waiting.saturating_sub(bytes));
        drop(turn);
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The merging of results, on the thread that began the run.
struct Merging<'a> {
    out: Counting<'a>,
    merge: Box<dyn Merge>,
    look: &'a mut dyn FnMut(News<'_>) -> ControlFlow<()>,
    report: Report,
    tally: &'a Tally,
}

impl Merging<'_> {
    fn merge_all<I: Iterator<Item = Sealed>>(
        mut self,
        receiver: &Receiver<Message>,
        queue: &Queue<I>,
        stop: &AtomicBool,
    ) -> Result<Report, Error> {
        let mut early: BTreeMap<u64, (Sealed, Outcome)> = BTreeMap::new();
        let mut turn = 0;
        loop {
            match receiver.recv_timeout(TELL_EVERY) {
                Ok((place, file, outcome)) => {
                    early.insert(place, (file, outcome));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while self.report.stopped_before.is_none()
                && let Some((file, outcome)) = early.remove(&turn)
            {
                turn += 1;
                let bytes = outcome.bytes();
                if self.take(file, outcome).map_err(Error::Write)?.is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
                queue.set_turn(turn, bytes);
            }
            let progress = self.progress();
            if (self.look)(News::Progress(progress)).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        self.merge.finish(&mut self.out).map_err(Error::Write)?;
        self.out.flush().map_err(Error::Write)?;
        let (bytes, result_bytes) = (self.progress().bytes, self.out.bytes);
        Ok(Report { bytes, result_bytes, ..self.report })
    }

    /// Merges the result of the file whose turn it is.
    fn take(&mut self, file: Sealed, outcome: Outcome) -> io::Result<ControlFlow<()>> {
        let (why, result) = match outcome {
            Outcome::Stopped => {
                self.report.stopped_before = Some(file.name);
                return Ok(ControlFlow::Continue(()));
            }
            Outcome::Result(mut result, _, why) => {
                let start = self.out.bytes;
                self.merge.add(&file, why.as_ref(), &mut result, &mut self.out)?;
                debug_assert!(why.as_ref().is_none_or(|why| why.keeps_result()));
                (why, Some(start..self.out.bytes))
            }
            Outcome::Other => {
                self.report.others += 1;
                (None, None)
            }
            Outcome::Failed(why) => (Some(why), None),
        };
        self.report.files += 1;
        let Some(why) = why else { return Ok(ControlFlow::Continue(())) };
        self.report.failed += 1;
        Ok((self.look)(News::Failed(&Failed { file: file.name, why, result })))
    }

    fn progress(&self) -> Progress {
        let bytes = self.tally.bytes.load(Ordering::Relaxed);
        Progress { files: self.report.files, failed: self.report.failed, bytes }
    }
}

/// Knows how much went through.
struct Counting<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
