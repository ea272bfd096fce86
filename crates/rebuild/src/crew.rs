//! Many files at once, their jobs in order: some threads read files, and one makes the lines of each job visible in the new index
//! as soon as all its files have been read.
//!
//! Those who read are at most a few jobs ahead, so what waits in memory does not grow with the archive.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use archive::Error;
use archive::job_files::JobFile;

use crate::card::Card;
use crate::check::Checked;
use crate::places::Places;

/// Jobs whose files may be read before those of the ones before them are in the index.
const JOBS_AHEAD: usize = 8;

/// A file that is to be read.
struct Task {
    place: usize,
    number: usize,
    file: JobFile,
    lines: Option<PathBuf>,
}

/// The files of a job that were all read.
#[derive(Debug)]
pub(crate) struct Read {
    /// What became of each, in the order of their names.
    pub(crate) files: Vec<Checked>,
    /// Where their lines are, in the same order, if they were wanted.
    pub(crate) lines: Vec<PathBuf>,
}

/// What the one that lists, and those that read, are given.
pub(crate) struct Crew<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) threads: usize,
    /// A place for lines.
    pub(crate) room: PathBuf,
    /// The files of a job, without its metadata file.
    pub(crate) list: &'a (dyn Fn(&str) -> Result<Vec<JobFile>, Error> + Sync),
    /// Is told how many bytes were read.
    pub(crate) tell: &'a (dyn Fn(u64) + Sync),
}

impl Crew<'_> {
    /// Reads the files of all jobs, and hands each job on, in their order.
    pub(crate) fn read(
        &self,
        cards: &[Card],
        mut each: impl FnMut(&Card, Read) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_over = AtomicBool::new(false);
        let (give, tasks) = sync_channel::<Task>(self.threads);
        let tasks = Mutex::new(tasks);
        let (hand_in, read) = channel();
        let (begin, begun) = sync_channel(JOBS_AHEAD);
        let result = thread::scope(|scope| {
            for _ in 0..self.threads {
                let (hand_in, tasks, is_over) = (hand_in.clone(), &tasks, &is_over);
                scope.spawn(move || {
                    while let Some(task) = next(tasks) {
                        if is_over.load(Ordering::Relaxed) {
                            continue;
                        }
                        let checked = self.places.check(&task.file, task.lines.as_deref(), self.tell);
                        let _ = hand_in.send((task.place, task.number, checked, task.lines));
                    }
                });
            }
            // The threads have their own.
            drop(hand_in);
            scope.spawn(move || {
                for (place, card) in cards.iter().enumerate() {
                    let files = (self.list)(&card.job);
                    let count = files.as_ref().map(Vec::len).map_err(|_| ());
                    for (number, file) in
                        files.as_ref().map(Vec::as_slice).unwrap_or_default().iter().enumerate()
                    {
                        let lines = self.room.join(format!("{place}-{number}.cdxj"));
                        let lines = card.lines.is_none().then_some(lines);
                        if give.send(Task { place, number, file: file.clone(), lines }).is_err() {
                            return;
                        }
                    }
                    if begin.send((place, files.map(|_| count.unwrap_or_default()))).is_err() {
                        return;
                    }
                }
            });
            let result = deliver(cards, begun, &read, &mut each);
            is_over.store(true, Ordering::Relaxed);
            result
        });
        self.places.stop.check()?;
        result
    }
}

/// The next file, for whoever is free.
fn next(tasks: &Mutex<Receiver<Task>>) -> Option<Task> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

type Handed = (usize, usize, Result<Checked, Error>, Option<PathBuf>);

/// Hands jobs on in their order. What was begun is dropped at the end, so that nobody waits for it.
fn deliver(
    cards: &[Card],
    begun: Receiver<(usize, Result<usize, Error>)>,
    read: &Receiver<Handed>,
    each: &mut dyn FnMut(&Card, Read) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut waiting: HashMap<usize, Vec<(usize, Checked, Option<PathBuf>)>> = HashMap::new();
    for (place, count) in begun {
        let count = count?;
        while waiting.get(&place).map_or(0, Vec::len) < count {
            let (place, number, checked, lines) = read.recv().map_err(|_| Error::Panicked)?;
            waiting.entry(place).or_default().push((number, checked?, lines));
        }
        let mut files = waiting.remove(&place).unwrap_or_default();
        files.sort_by_key(|(number, _, _)| *number);
        let lines = files.iter_mut().filter_map(|(_, _, lines)| lines.take()).collect();
        let read = Read { files: files.into_iter().map(|(_, checked, _)| checked).collect(), lines };
        if let Some(card) = cards.get(place) {
            each(card, read)?;
        }
    }
    Ok(())
}
