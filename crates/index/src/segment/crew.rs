//! A few threads that do one kind of work, piece by piece; what they make comes back in the order in which it was handed in.
//!
//! As many pieces are under way as there are threads, and a few wait: the memory is bounded, and whoever hands in too fast waits.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Pieces for each thread that may wait.
const WAITING: usize = 4;

/// Threads that turn jobs into results.
pub(crate) struct Crew<J, R> {
    jobs: Option<SyncSender<(u64, J)>>,
    results: Receiver<(u64, R)>,
    threads: Vec<JoinHandle<()>>,
    handed_in: u64,
    handed_out: u64,
    /// Results that came before their turn.
    early: BTreeMap<u64, R>,
    pieces_max: u64,
}

impl<J: Send + 'static, R: Send + 'static> Crew<J, R> {
    /// Starts so many threads, each with work of its own.
    pub(crate) fn start<W: FnMut(J) -> R + Send + 'static>(
        threads: usize,
        mut work: impl FnMut() -> io::Result<W>,
    ) -> io::Result<Crew<J, R>> {
        let threads = threads.max(1);
        let (jobs, queue) = sync_channel(threads * WAITING);
        let queue = Arc::new(Mutex::new(queue));
        let (done, results) = channel();
        let mut crew = Crew {
            jobs: Some(jobs),
            results,
            threads: Vec::with_capacity(threads),
            handed_in: 0,
            handed_out: 0,
            early: BTreeMap::new(),
            pieces_max: (threads * (WAITING + 1)) as u64,
        };
        for _ in 0..threads {
            let (queue, done, work) = (Arc::clone(&queue), done.clone(), work()?);
            let thread = std::thread::Builder::new().name("index".to_owned());
            crew.threads.push(thread.spawn(move || toil(&queue, &done, work))?);
        }
        Ok(crew)
    }

    /// Hands in a piece, and takes what is ready; waits where too much is under way.
    pub(crate) fn push(&mut self, job: J, mut take: impl FnMut(R) -> io::Result<()>) -> io::Result<()> {
        while self.handed_in - self.handed_out >= self.pieces_max {
            let result = self.wait()?;
            take(result)?;
        }
        let number = self.handed_in;
        let jobs = self.jobs.as_ref().ok_or_else(lost)?;
        jobs.send((number, job)).map_err(|_| lost())?;
        self.handed_in += 1;
        while let Some(result) = self.ready() {
            take(result)?;
        }
        Ok(())
    }

    /// Takes all that is still under way.
    pub(crate) fn finish(mut self, mut take: impl FnMut(R) -> io::Result<()>) -> io::Result<()> {
        self.jobs = None;
        while self.handed_out < self.handed_in {
            let result = self.wait()?;
            take(result)?;
        }
        Ok(())
    }

    fn ready(&mut self) -> Option<R> {
        self.early.extend(self.results.try_iter());
        let next = self.early.remove(&self.handed_out);
        self.handed_out += u64::from(next.is_some());
        next
    }

    fn wait(&mut self) -> io::Result<R> {
        loop {
            if let Some(result) = self.ready() {
                return Ok(result);
            }
            let (number, result) = self.results.recv().map_err(|_| lost())?;
            self.early.insert(number, result);
        }
    }
}

fn toil<J, R>(queue: &Mutex<Receiver<(u64, J)>>, done: &Sender<(u64, R)>, mut work: impl FnMut(J) -> R) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, job)) = next else { return };
        // Nobody waits for it any more: then there is no more to do.
        if done.send((number, work(job))).is_err() {
            return;
        }
    }
}

fn lost() -> io::Error {
    io::Error::other("a thread that packs rows has gone")
}

impl<J, R> Drop for Crew<J, R> {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // What it was doing is not wanted any more.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 7] {
            let mut crew = Crew::start(threads, || Ok(|number: u64| number * 2)).unwrap();
            let mut found = Vec::new();
            for number in 0..500 {
                crew.push(number, |result| {
                    found.push(result);
                    Ok(())
                })
                .unwrap();
            }
            crew.finish(|result| {
                found.push(result);
                Ok(())
            })
            .unwrap();
            assert_eq!(found, (0..500).map(|number| number * 2).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn a_crew_that_is_not_wanted_any_more_goes() {
        let mut crew = Crew::start(2, || Ok(|number: u64| number)).unwrap();
        for number in 0..3 {
            crew.push(number, |_| Ok(())).unwrap();
        }
        drop(crew);
    }
}
