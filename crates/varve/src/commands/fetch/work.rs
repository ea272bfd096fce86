//! The fetching itself: so many URLs at a time, each host asked when the gate says so.

use std::sync::Arc;
use std::thread;

use anyhow::Context as _;
use fetch::gate::{Door, Pass};
use fetch::{Exchange, TrailEnd};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio::sync::mpsc::error::SendError;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::Instant;
use url::Url;

use super::options::Plan;
use super::urls::Entry;

/// What became of an entry.
pub(super) enum Found {
    /// It, or what it redirects to, was asked for.
    Exchange(Box<Exchange>),
    /// This one redirects, and is not followed any further.
    NotFollowed { url: Url, end: TrailEnd },
    /// It was no URL.
    NoUrl { text: String, reason: String },
    /// The list could not be read on.
    Unreadable(anyhow::Error),
    /// The user has had enough.
    Interrupted,
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
                let sent = match entry {
                    None => break,
                    Some(Entry::Url(url)) => fetch(&plan, &door, url, &sender).await,
                    Some(Entry::NoUrl { text, reason }) => sender.send(Found::NoUrl { text, reason }).await,
                    Some(Entry::Unreadable(error)) => sender.send(Found::Unreadable(error)).await,
                };
                if sent.is_err() {
                    break;
                }
            }
        });
    }
    // It does not keep the channel open: the work ends without a signal, too.
    let weak = sender.downgrade();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok()
            && let Some(sender) = weak.upgrade()
        {
            let _ = sender.send(Found::Interrupted).await;
        }
    });
    drop(_inside);
    Ok(Results { found, _runtime: runtime })
}

/// One URL and, if that is wished, all that its redirects lead to. Leave is asked for each, and each is handed out at once.
async fn fetch(plan: &Plan, door: &Door, url: Url, sender: &Sender<Found>) -> Result<(), SendError<Found>> {
    if !plan.is_following {
        let pass = enter(plan, door, &url).await;
        let exchange = plan.fetcher.fetch(plan.request(url)).await;
        pass.done(exchange.went(plan.clock.now()));
        return sender.send(Found::Exchange(Box::new(exchange))).await;
    }
    let mut walk = plan.fetcher.walk(plan.request(url.clone()));
    let mut last = url;
    while let Some(next) = walk.next_url() {
        last = next.clone();
        let pass = enter(plan, door, &last).await;
        let Some(exchange) = walk.step().await else { break };
        pass.done(exchange.went(plan.clock.now()));
        sender.send(Found::Exchange(Box::new(exchange))).await?;
    }
    match walk.end() {
        TrailEnd::Arrived => Ok(()),
        end => sender.send(Found::NotFollowed { url: last, end }).await,
    }
}

/// Waits for leave to ask a host. Hosts that share an address share its politeness, so that is found out first; if it cannot
/// be, the exchange will say why.
async fn enter(plan: &Plan, door: &Door, url: &Url) -> Pass {
    let answer = plan.fetcher.lookup(url).await.ok();
    let address = answer.and_then(|answer| answer.addresses.first().map(|found| found.address));
    door.enter(&host(url), address).await
}

/// Whom the gate is asked for.
fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}
