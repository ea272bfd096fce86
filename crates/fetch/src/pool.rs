//! Connections that wait for another request to the same host.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;
use url::{Position, Url};

use crate::settings::Pool;
use crate::stream::Connection;

/// Open connections by scheme, host and port.
#[derive(Debug)]
pub(crate) struct Connections {
    settings: Pool,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    by_origin: HashMap<String, Vec<Waiting>, foldhash::fast::RandomState>,
    total: usize,
    /// When those that waited too long were last closed.
    swept: Option<Instant>,
}

#[derive(Debug)]
struct Waiting {
    connection: Connection,
    since: Instant,
}

/// Scheme, host and port, without copying where the URL has no user and password.
fn with_origin<T>(url: &Url, work: impl FnOnce(&str) -> T) -> T {
    if url.username().is_empty() && url.password().is_none() {
        work(&url[..Position::BeforePath])
    } else {
        work(&format!("{}://{}", url.scheme(), &url[Position::BeforeHost..Position::BeforePath]))
    }
}

impl Connections {
    pub(crate) fn new(settings: Pool) -> Connections {
        Connections { settings, held: Mutex::default() }
    }

    /// A connection for this URL that the server has not closed; the one that waits for the shortest time.
    pub(crate) fn take(&self, url: &Url) -> Option<Connection> {
        let now = Instant::now();
        self.lock().sweep_now_and_then(now, &self.settings);
        loop {
            let Waiting { mut connection, since } = with_origin(url, |origin| {
                let held = &mut *self.lock();
                let found = held.by_origin.get_mut(origin)?.pop()?;
                held.total -= 1;
                Some(found)
            })?;
            if now.duration_since(since) < self.settings.unused && connection.is_quiet() {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection for later, or closes it if there are enough.
    pub(crate) fn give(&self, url: &Url, connection: Connection) {
        if self.settings.per_host == 0 || self.settings.total == 0 {
            return;
        }
        let since = Instant::now();
        with_origin(url, |origin| {
            let held = &mut *self.lock();
            held.sweep_now_and_then(since, &self.settings);
            if held.total >= self.settings.total || held.by_origin.len() > 2 * self.settings.total {
                held.sweep(since, &self.settings);
            }
            if held.total >= self.settings.total {
                return;
            }
            if !held.by_origin.contains_key(origin) {
                held.by_origin.insert(origin.to_owned(), Vec::new());
            }
            if let Some(waiting) = held.by_origin.get_mut(origin)
                && waiting.len() < self.settings.per_host
            {
                waiting.push(Waiting { connection, since });
                held.total += 1;
            }
        });
    }

    /// Closes all connections, so that their descriptors can be used otherwise; says whether there were any.
    pub(crate) fn close_all(&self) -> bool {
        let closed = std::mem::take(&mut *self.lock());
        closed.total > 0
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Connections to hosts that nobody asks any more are closed too: whoever passes by sees to it.
    fn sweep_now_and_then(&mut self, now: Instant, settings: &Pool) {
        let swept = *self.swept.get_or_insert(now);
        if now.duration_since(swept) >= settings.unused {
            self.swept = Some(now);
            self.sweep(now, settings);
        }
    }

    /// Closes what has waited too long; if that is not enough, every second one.
    fn sweep(&mut self, now: Instant, settings: &Pool) {
        let mut left = 0;
        self.by_origin.retain(|_, waiting| {
            waiting.retain(|waiting| now.duration_since(waiting.since) < settings.unused);
            left += waiting.len();
            !waiting.is_empty()
        });
        if left >= settings.total {
            left = 0;
            let mut turn = 0_usize;
            self.by_origin.retain(|_, waiting| {
                waiting.retain(|_| {
                    turn += 1;
                    turn.is_multiple_of(2)
                });
                left += waiting.len();
                !waiting.is_empty()
            });
        }
        self.total = left;
    }
}
