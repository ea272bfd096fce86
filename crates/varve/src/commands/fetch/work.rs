//! The fetching itself: so many URLs at a time, each host asked when the gate says so.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use fetch::gate::{Door, Pass, When};
use fetch::{Exchange, TrailEnd};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio::sync::mpsc::error::SendError;
use tokio::sync::mpsc::{self, Sender, WeakSender};
use tokio::time::Instant;
use url::Url;

use super::options::Plan;
use super::urls::{Entry, NoUrl};

/// A shorter wait is not worth a word.
const WAIT_TOLD_MIN: Duration = Duration::from_secs(2);

/// How often those who wait look whether there is something to be told.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What became of an entry.
pub(super) enum Found {
    /// It, or what it redirects to, was asked for.
    Exchange(Box<Exchange>),
    /// This one redirects, and is not followed any further.
    NotFollowed { url: Url, end: TrailEnd },
    /// It was no URL.
    NoUrl(NoUrl),
    /// A host is left alone for so long before it is asked again.
    Waiting { host: String, time: Duration },
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
    let entrance = Arc::new(Entrance {
        door: Door::new(plan.gate.clone(), Instant::now()),
        told: Mutex::default(),
        sender: sender.downgrade(),
    });
    let plan = Arc::new(plan);
    for _ in 0..jobs {
        let (entries, sender, entrance, plan) =
            (entries.clone(), sender.clone(), entrance.clone(), plan.clone());
        tokio::spawn(async move {
            loop {
                let entry = entries.lock().await.recv().await;
                let sent = match entry {
                    None => break,
                    Some(Entry::Url(url)) => fetch(&plan, &entrance, url, &sender).await,
                    Some(Entry::NoUrl(no_url)) => sender.send(Found::NoUrl(no_url)).await,
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
async fn fetch(
    plan: &Plan,
    entrance: &Entrance,
    url: Url,
    sender: &Sender<Found>,
) -> Result<(), SendError<Found>> {
    if !plan.is_following {
        let mut pass = entrance.enter(plan, &url).await;
        pass.sending();
        let exchange = plan.fetcher.fetch(plan.request(url)).await;
        pass.done(exchange.went(plan.clock.now()));
        return sender.send(Found::Exchange(Box::new(exchange))).await;
    }
    let mut walk = plan.fetcher.walk(plan.request(url.clone()));
    let mut last = url;
    while let Some(next) = walk.next_url() {
        last = next.clone();
        let mut pass = entrance.enter(plan, &last).await;
        pass.sending();
        let Some(exchange) = walk.step().await else { break };
        pass.done(exchange.went(plan.clock.now()));
        sender.send(Found::Exchange(Box::new(exchange))).await?;
    }
    match walk.end() {
        TrailEnd::Arrived => Ok(()),
        end => sender.send(Found::NotFollowed { url: last, end }).await,
    }
}

/// Where all wait for leave to ask a host, and it is told when that takes long.
struct Entrance {
    door: Door,
    /// Hosts whose wait was told, and until when it lasts: all who wait for one are told once.
    told: Mutex<HashMap<String, Duration>>,
    sender: WeakSender<Found>,
}

impl Entrance {
    /// Waits for leave to ask a host. Hosts that share an address share its politeness, so that is found out first; if it
    /// cannot be, the exchange will say why.
    async fn enter(&self, plan: &Plan, url: &Url) -> Pass {
        let answer = plan.fetcher.lookup(url).await.ok();
        let address = answer.and_then(|answer| answer.addresses.first().map(|found| found.address));
        let host = host(url);
        let mut entering = std::pin::pin!(self.door.enter(&host, address));
        loop {
            // The wait may grow while others who came before are answered, so it is looked at again and again.
            self.tell(plan, &host).await;
            if let Ok(pass) = tokio::time::timeout(LOOK_EVERY, &mut entering).await {
                return pass;
            }
        }
    }

    /// Tells how long a host is left alone, if that is long and not told yet.
    async fn tell(&self, plan: &Plan, host: &str) {
        let now = self.door.now();
        let When::At(until) = plan.gate.when(host, now) else { return };
        let time = until.saturating_sub(now);
        if time <= WAIT_TOLD_MIN {
            return;
        }
        let mut told = self.told.lock().await;
        told.retain(|_, until| *until > now);
        if told.insert(host.to_owned(), until) != Some(until)
            && let Some(sender) = self.sender.upgrade()
        {
            // Whoever does not listen any more need not be told.
            let _ = sender.send(Found::Waiting { host: host.to_owned(), time }).await;
        }
    }
}

/// Whom the gate is asked for.
fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}
