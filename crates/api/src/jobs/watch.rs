//! Following the jobs that run: one task looks at them once a second, however many follow, and as long as anybody does.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crawl::Progress;
use serde::Serialize;
use tokio::sync::broadcast;

use super::Jobs;
use super::list::Summary;

/// How often the jobs are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Whoever is so many events behind misses some; the next ones tell how it is then.
const EVENTS_KEPT: usize = 256;

/// What happened to a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// It gets on.
    Progress(Box<Progress>),
    /// No process runs it any more.
    Ended(Box<Summary>),
}

impl Event {
    /// The job that it is about.
    #[must_use]
    pub fn job(&self) -> &str {
        match self {
            Event::Progress(progress) => &progress.job,
            Event::Ended(summary) => &summary.job,
        }
    }

    /// Its name in a stream of events.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Event::Progress(_) => "progress",
            Event::Ended(_) => "ended",
        }
    }
}

/// Hears what happens.
#[derive(Debug)]
pub struct Subscriber(broadcast::Receiver<Event>);

impl Subscriber {
    /// The next event; `None` when the server ends.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            match self.0.recv().await {
                Ok(event) => return Some(event),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}

/// Who follows.
#[derive(Debug)]
pub(super) struct Watch {
    sender: std::sync::Mutex<Option<broadcast::Sender<Event>>>,
    is_looking: std::sync::Arc<AtomicBool>,
}

impl Default for Watch {
    fn default() -> Watch {
        let sender = std::sync::Mutex::new(Some(broadcast::Sender::new(EVENTS_KEPT)));
        Watch { sender, is_looking: std::sync::Arc::default() }
    }
}

impl Watch {
    /// Follows; the first who does sets the task going.
    pub(super) fn follow(&self, jobs: &Jobs) -> Subscriber {
        let sender = self.sender.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(sender) = &*sender else {
            // The server ends: there is nothing more to hear.
            return Subscriber(broadcast::Sender::new(1).subscribe());
        };
        let receiver = sender.subscribe();
        if !self.is_looking.swap(true, Ordering::SeqCst) {
            tokio::spawn(look(jobs.clone(), sender.downgrade(), self.is_looking.clone()));
        }
        Subscriber(receiver)
    }

    /// How many follow.
    pub(super) fn followers(&self) -> usize {
        let sender = self.sender.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        sender.as_ref().map_or(0, broadcast::Sender::receiver_count)
    }

    /// Lets all go.
    pub(super) fn close(&self) {
        *self.sender.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}

/// Looks at the jobs until nobody follows any more.
async fn look(jobs: Jobs, sender: broadcast::WeakSender<Event>, is_looking: std::sync::Arc<AtomicBool>) {
    let mut known: BTreeMap<String, Progress> = BTreeMap::new();
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(sender) = sender.upgrade() else { break };
        if sender.receiver_count() == 0 {
            is_looking.store(false, Ordering::SeqCst);
            // One may have come between the two.
            if sender.receiver_count() == 0 || is_looking.swap(true, Ordering::SeqCst) {
                return;
            }
        }
        let (theirs, before) = (jobs.clone(), known.keys().cloned().collect::<Vec<_>>());
        let Ok(Some((running, ended))) = tokio::task::spawn_blocking(move || seen(&theirs, before)).await
        else {
            continue;
        };
        for progress in &running {
            // Every look is told, so that times go on; a job that stands still is told once.
            let is_news = known.get(&progress.job).is_none_or(|before| before != progress);
            if is_news {
                let _ = sender.send(Event::Progress(Box::new(progress.clone())));
            }
        }
        for summary in ended {
            let _ = sender.send(Event::Ended(Box::new(summary)));
        }
        known = running.into_iter().map(|progress| (progress.job.clone(), progress)).collect();
    }
}

/// The jobs that run, and those of before that do not any more.
fn seen(jobs: &Jobs, before: Vec<String>) -> Option<(Vec<Progress>, Vec<Summary>)> {
    let running = jobs.running().ok()?;
    let ended = before.into_iter().filter(|name| running.iter().all(|progress| progress.job != *name));
    let ended: Vec<String> = ended.collect();
    if ended.is_empty() {
        return Some((running, Vec::new()));
    }
    let all = jobs.list().ok()?;
    Some((running, all.into_iter().filter(|job| ended.contains(&job.job)).collect()))
}
