//! Who does what: a runtime that fetches and reads what is short, threads that read what is long, one thread that writes.

use std::sync::{Arc, Mutex};
use std::thread;

use tokio::sync::mpsc::{self, Receiver};

use super::dealt::Dealt;
use super::ledger::Ledger;
use super::locks::lock;
use super::reading;
use super::running::Running;
use super::scheduler::{self, Ending, Sinks};
use super::visit::Arrived;
use crate::error::Error;

/// Long documents that wait to be read. Each may lie in memory.
const ARRIVED_MAX: usize = 64;

/// What waits to be written.
const DEALT_MAX: usize = 256;

/// Runs a crawl whose frontier has something in it until there is no more to do.
pub(super) fn run(shared: &Arc<Running>, ledger: Ledger) -> Result<(Ending, Ledger), Error> {
    let (arrived_in, arrived) = mpsc::channel::<Arrived>(ARRIVED_MAX);
    let (dealt_in, dealt) = mpsc::channel::<Dealt>(DEALT_MAX);
    let threads = shared.settings.threads.max(1);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        // Reading a document takes long for a task, so that sockets and timers are looked at after fewer of them than usual.
        .event_interval(8)
        .enable_all()
        .build()
        .map_err(Error::Threads)?;
    let arrived = Arc::new(Mutex::new(arrived));
    thread::scope(|scope| {
        let readers: Vec<_> = (0..threads)
            .map(|_| {
                let (arrived, dealt) = (arrived.clone(), dealt_in.clone());
                scope.spawn(move || read(shared, &arrived, &dealt))
            })
            .collect();
        // When no reader is left, nobody waits for one.
        drop(arrived);
        let writer = scope.spawn(|| {
            let _guard = FailIfPanicking(shared);
            let written = ledger.run(shared, dealt);
            // Nobody goes on fetching what cannot be written.
            if written.is_err() {
                shared.control.stop();
            }
            written
        });
        // As a task among the others, because waking a thread of its own for each exchange would cost as much as the exchange.
        let sinks = Sinks { arrived: arrived_in, dealt: dealt_in };
        let scheduler = runtime.spawn(scheduler::run(shared.clone(), sinks));
        let ending = runtime.block_on(scheduler);
        // One that has panicked has said so already.
        readers.into_iter().for_each(|reader| drop(reader.join()));
        let ledger = writer.join().unwrap_or(Err(PANICKED))?;
        match lock(&shared.failed).take() {
            Some(error) => Err(error),
            None => Ok((ending.unwrap_or(Err(PANICKED))?, ledger)),
        }
    })
}

const PANICKED: Error = Error::Broken("a thread has panicked, which is a fault of the program");

/// Ends a crawl that has lost a part of itself.
pub(super) struct FailIfPanicking<'a>(pub(super) &'a Running);

impl Drop for FailIfPanicking<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(PANICKED);
        }
    }
}

/// Reads what arrives until nothing more does.
fn read(shared: &Running, arrived: &Mutex<Receiver<Arrived>>, dealt: &mpsc::Sender<Dealt>) {
    let _guard = FailIfPanicking(shared);
    loop {
        let next = lock(arrived).blocking_recv();
        let Some(next) = next else { return };
        match reading::deal(shared, next) {
            // The writer is gone only when it has failed, and says so itself.
            Ok(done) => drop(dealt.blocking_send(done)),
            Err(error) => return shared.fail(error),
        }
    }
}
