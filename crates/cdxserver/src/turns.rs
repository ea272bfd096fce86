//! Whose turn it is to write to a collection's index.
//!
//! One writes at a time, perhaps a program beside this one, and for minutes. Those who wait do so without a thread, with a bound on
//! their time; whoever writes has a thread of their own. So the threads that read for everybody else are never theirs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use api::{Error, Limits};
use archive::Collection;
use index::Writer;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// How often somebody looks whether the other program is done.
const LOOK: Duration = Duration::from_millis(50);

/// The turns of all collections.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Bodies that may be there at once.
    bodies: Arc<Semaphore>,
    collections: Mutex<HashMap<String, Arc<Semaphore>>>,
    patience: Duration,
}

impl Turns {
    pub(crate) fn new(limits: &Limits) -> Turns {
        Turns {
            bodies: Arc::new(Semaphore::new(limits.bodies)),
            collections: Mutex::default(),
            patience: limits.write_patience,
        }
    }

    /// Room for a body, before it is read.
    pub(crate) async fn body(&self) -> Result<OwnedSemaphorePermit, Error> {
        self.wait(Arc::clone(&self.bodies)).await
    }

    /// Does something when it is this one's turn, on a thread of its own.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        collection: &str,
        work: impl FnOnce(Patience) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let turn = self.wait(self.of(collection)).await?;
        let patience = Patience { looks: self.patience.as_millis() / LOOK.as_millis() };
        let (sender, receiver) = oneshot::channel();
        let thread = std::thread::Builder::new().name("index writer".to_owned()).spawn(move || {
            let done = work(patience);
            drop(turn);
            // Whoever asked may have gone; what is written stays written.
            let _ = sender.send(done);
        });
        thread.map_err(|error| {
            tracing::error!("no thread to write with: {error}");
            busy()
        })?;
        receiver.await.unwrap_or_else(|_| Err(archive::Error::Panicked.into()))
    }

    async fn wait(&self, turns: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Error> {
        match tokio::time::timeout(self.patience, turns.acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(busy()),
        }
    }

    fn of(&self, collection: &str) -> Arc<Semaphore> {
        let mut collections = self.collections.lock().unwrap_or_else(PoisonError::into_inner);
        collections.retain(|_, turns| Arc::strong_count(turns) > 1);
        let turns = collections.entry(collection.to_owned());
        Arc::clone(turns.or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}

/// How long a writer waits for other programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// How often it is looked whether they are done.
    looks: u128,
}

impl Patience {
    /// The right to write, when no other program has it.
    pub(crate) fn writer(self, collection: &Collection) -> Result<Writer<'_>, Error> {
        for _ in 0..self.looks {
            if let Some(writer) = collection.index().try_writer()? {
                return Ok(writer);
            }
            std::thread::sleep(LOOK);
        }
        collection.index().try_writer()?.ok_or_else(busy)
    }
}

fn busy() -> Error {
    Error::Busy("the index is being written by others: try again in a while".to_owned())
}
