//! Following the jobs that run: one task looks at them once a second, however many follow, and as long as anybody does.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use job::Progress;
use serde::Serialize;
use tokio::sync::broadcast;

use super::Jobs;
use super::list::Summary;

/// How often the jobs are looked at.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(500);

/// So often a job that no process has any more is looked for before it is forgotten.
pub(super) const LOOKS_MAX: u32 = 20;

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
    // With how often one that has ended was looked for.
    let mut known: BTreeMap<String, (Progress, u32)> = BTreeMap::new();
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
        let looked = tokio::task::spawn_blocking(move || seen(&theirs, before)).await;
        let Ok(Some((running, ended))) = looked else { continue };
        for progress in running {
            // A job that stands still is told once.
            let is_news = known.get(&progress.job).is_none_or(|(before, _)| *before != progress);
            if is_news {
                let _ = sender.send(Event::Progress(Box::new(progress.clone())));
            }
            known.insert(progress.job.clone(), (progress, 0));
        }
        for (name, summary) in ended {
            match (summary, known.get_mut(&name)) {
                (Some(summary), _) => {
                    let _ = sender.send(Event::Ended(Box::new(summary)));
                    known.remove(&name);
                }
                // What became of it will be known in a moment.
                (None, Some((_, looks))) if *looks < LOOKS_MAX => *looks += 1,
                _ => drop(known.remove(&name)),
            }
        }
    }
}

/// What became of jobs, where that is known.
type Ends = Vec<(String, Option<Summary>)>;

/// The jobs that run, and those of before that no process has any more.
fn seen(jobs: &Jobs, before: Vec<String>) -> Option<(Vec<Progress>, Ends)> {
    let held = jobs.held().ok()?;
    let ended = before.into_iter().filter(|name| held.iter().all(|(other, _)| other != name));
    let ends = ended.map(|name| {
        let summary = jobs.summary(&name).ok().flatten().filter(Summary::is_settled);
        (name, summary)
    });
    let ends = ends.collect();
    Some((held.into_iter().filter_map(|(_, progress)| progress).collect(), ends))
}
