//! The fetching itself: so many URLs at a time, each host asked when the gate says so.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use fetch::gate::{Door, Went, retry_after};
use fetch::{Exchange, Failure, Outcome, Trail, TrailEnd};
use tokio::runtime::Runtime;
use tokio::sync::{Mutex, mpsc};
use tokio::time::Instant;
use url::Url;

use super::options::Plan;
use super::urls::Entry;

/// What became of an entry.
pub(super) enum Found {
    /// It was asked for.
    Trail(Trail),
    /// It was no URL.
    NoUrl { text: String, reason: String },
    /// The list could not be read on.
    Unreadable(anyhow::Error),
}

/// The results as they come. Dropping it stops the work.
pub(super) struct Results {
    found: mpsc::Receiver<Found>,
    /// Last, so that it outlives what runs on it.
    _runtime: Runtime,
}

impl Results {
    /// Waits for the next result; `None` once all are there.
    pub(super) fn blocking_recv(&mut self) -> Option<Found> {
        self.found.blocking_recv()
    }
}

/// Begins to fetch; `jobs` URLs at a time.
pub(super) fn start(
    plan: Plan,
    urls: impl Iterator<Item = Entry> + Send + 'static,
    jobs: usize,
) -> anyhow::Result<Results> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(jobs.min(2))
        .enable_all()
        .build()
        .context("cannot start the threads that fetch")?;
    let (entry_sender, entries) = mpsc::channel(jobs);
    let (sender, found) = mpsc::channel(jobs);
    // Lists are read on a thread of their own: standard input may keep us waiting.
    thread::spawn(move || {
        for entry in urls {
            if entry_sender.blocking_send(entry).is_err() {
                break;
            }
        }
    });
    let entries = Arc::new(Mutex::new(entries));
    let _inside = runtime.enter();
    let door = Door::new(plan.gate.clone(), Instant::now());
    let plan = Arc::new(plan);
    for _ in 0..jobs {
        let (entries, sender, door, plan) = (entries.clone(), sender.clone(), door.clone(), plan.clone());
        tokio::spawn(async move {
            loop {
                let entry = entries.lock().await.recv().await;
                let found = match entry {
                    None => break,
                    Some(Entry::Url(url)) => Found::Trail(fetch(&plan, &door, url).await),
                    Some(Entry::NoUrl { text, reason }) => Found::NoUrl { text, reason },
                    Some(Entry::Unreadable(error)) => Found::Unreadable(error),
                };
                if sender.send(found).await.is_err() {
                    break;
                }
            }
        });
    }
    drop(_inside);
    Ok(Results { found, _runtime: runtime })
}

/// One URL and, if that is wished, all that its redirects lead to. Leave is asked for each.
async fn fetch(plan: &Plan, door: &Door, url: Url) -> Trail {
    if !plan.is_following {
        let pass = door.enter(&host(&url), None).await;
        let exchange = plan.fetcher.fetch(plan.request(url)).await;
        pass.done(went(plan, &exchange));
        return Trail { exchanges: vec![exchange], end: TrailEnd::Arrived };
    }
    let mut walk = plan.fetcher.walk(plan.request(url));
    while let Some(url) = walk.next_url() {
        let pass = door.enter(&host(url), None).await;
        let Some(exchange) = walk.step().await else { break };
        pass.done(went(plan, exchange));
    }
    walk.into_trail()
}

/// Whom the gate is asked for.
fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

/// How it went, for the gate.
fn went(plan: &Plan, exchange: &Exchange) -> Went {
    match (&exchange.outcome, exchange.status()) {
        (Outcome::Failed(Failure::BadUrl | Failure::BadRequest | Failure::AddressRefused(_)), _) => {
            Went::Unused
        }
        (_, Some(status)) => {
            let value = exchange.head.as_ref().and_then(|head| head.text("retry-after"));
            let wait: Option<Duration> = value.and_then(|value| retry_after(&value, plan.clock.now()));
            Went::Answered { status, retry_after: wait }
        }
        (Outcome::Failed(_), None) => Went::Failed,
        (_, None) => Went::Answered { status: 200, retry_after: None },
    }
}
