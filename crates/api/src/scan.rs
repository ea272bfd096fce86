//! What a question may cost: scans of one client that run at once, rows that are passed over, and none for a client that is gone.
//!
//! Threads that read files are few and belong to everybody. A scan takes one of them for a step at a time, and a client has so many steps
//! at once and no more.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Limits};

/// The scans of all clients.
#[derive(Debug)]
pub struct Scans {
    clients: Mutex<HashMap<Option<IpAddr>, Arc<Semaphore>>>,
    per_client: usize,
    patience: Duration,
}

/// The scan of one question. Clones are of the same.
#[derive(Debug, Clone)]
pub struct Scan {
    turns: Arc<Semaphore>,
    patience: Duration,
    is_cancelled: Arc<AtomicBool>,
}

impl Scans {
    /// No scans yet.
    #[must_use]
    pub fn new(limits: &Limits) -> Scans {
        let (per_client, patience) = (limits.scans_per_client, limits.scan_patience);
        Scans { clients: Mutex::default(), per_client, patience }
    }

    /// A scan for this client.
    #[must_use]
    pub fn of(&self, client: Option<IpAddr>) -> Scan {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|_, turns| Arc::strong_count(turns) > 1);
        let turns = clients.entry(client).or_insert_with(|| Arc::new(Semaphore::new(self.per_client)));
        Scan { turns: Arc::clone(turns), patience: self.patience, is_cancelled: Arc::default() }
    }
}

impl Scan {
    /// Waits for this client's turn to begin a scan.
    ///
    /// # Errors
    /// When its other scans take too long.
    pub async fn first_turn(&self) -> Result<OwnedSemaphorePermit, Error> {
        let turn = tokio::time::timeout(self.patience, self.turn()).await;
        turn.ok().flatten().ok_or_else(|| Error::TooMany {
            message: "too many questions of this client are looking through the index".to_owned(),
            hint: Some("wait for the answers to the questions before".to_owned()),
        })
    }

    /// Waits for this client's turn to go on. `None` only when the program ends.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.turns).acquire_owned().await.ok()
    }

    /// Whether nobody waits for the answer any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Cancels the scan when it is dropped, which happens when the client goes away.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch { is_cancelled: Some(Arc::clone(&self.is_cancelled)) }
    }
}

/// Lives as long as somebody waits for the answer.
#[derive(Debug)]
pub struct Watch {
    is_cancelled: Option<Arc<AtomicBool>>,
}

impl Watch {
    /// The work is done: nothing is to be cancelled.
    pub fn finish(mut self) {
        self.is_cancelled = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(is_cancelled) = &self.is_cancelled {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }
}
