//! Jobs as they get on, as a stream of server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Jobs;
use super::list::Summary;
use super::watch::{Event, LOOK_EVERY, LOOKS_MAX};
use crate::Api;
use crate::answer::blocking;
use crate::error::Error;

/// A word now and then, so that nobody between us takes the connection for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events that wait for a slow reader.
const WAITING_MAX: usize = 16;

/// `GET /api/v1/events`: `progress` of each job that runs, `ended` when it does not any more.
pub(crate) async fn all(State(api): State<Api>) -> Result<Response, Error> {
    stream(api.jobs().clone(), None)
}

/// `GET /api/v1/jobs/{job}/events`: the same of one job; the stream ends with it.
pub(crate) async fn one(State(api): State<Api>, Path(job): Path<String>) -> Result<Response, Error> {
    let jobs = api.jobs().clone();
    let (theirs, name) = (jobs.clone(), job.clone());
    blocking(move || theirs.summary(&name)).await?.ok_or_else(|| Error::NoSuchJob(job.clone()))?;
    stream(jobs, Some(job))
}

fn stream(jobs: Jobs, job: Option<String>) -> Result<Response, Error> {
    if jobs.inside.watch.followers() >= jobs.limits().followers {
        return Err(Error::Conflict("too many follow already".to_owned()));
    }
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    tokio::spawn(follow(jobs, job, sender));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(Events(receiver)).keep_alive(keep_alive).into_response())
}

/// Hands on what happens until the reader goes, the server ends, or the job does.
async fn follow(jobs: Jobs, job: Option<String>, to: mpsc::Sender<sse::Event>) {
    let mut subscriber = jobs.follow();
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    let mut looks = Looks::default();
    loop {
        let event = tokio::select! {
            event = subscriber.next() => match event {
                Some(event) => event,
                None => return,
            },
            // A single job may have ended before anybody has seen it run.
            _ = ticks.tick(), if job.is_some() => {
                match looks.see(summary(&jobs, job.as_deref().unwrap_or_default()).await) {
                    Seen::Ended(summary) => Event::Ended(summary),
                    Seen::Gone => return,
                    Seen::Unsettled => continue,
                }
            }
            () = to.closed() => return,
        };
        if job.as_deref().is_some_and(|job| job != event.job()) {
            continue;
        }
        let is_last = job.is_some() && matches!(event, Event::Ended(_));
        if to.send(written(&event)).await.is_err() || is_last {
            return;
        }
    }
}

/// Where a job stands; `None` if it is not there, or nobody can tell.
async fn summary(jobs: &Jobs, job: &str) -> Option<Summary> {
    let (jobs, job) = (jobs.clone(), job.to_owned());
    blocking(move || jobs.summary(&job)).await.ok().flatten()
}

/// Looks at one job, again and again.
#[derive(Default)]
struct Looks {
    last: Option<Summary>,
    /// How often it stood as it stands now, with nobody having it.
    unchanged: u32,
}

/// What one look has shown.
#[derive(Debug, PartialEq)]
enum Seen {
    /// No process has it any more, and this became of it.
    Ended(Box<Summary>),
    /// There is no such job any more.
    Gone,
    /// Somebody has it, or what became of it will be known in a moment.
    Unsettled,
}

impl Looks {
    /// Takes the next look. Whoever was killed while bringing a job into the archive leaves it unsettled for ever: after some looks it is
    /// taken for what it says.
    fn see(&mut self, now: Option<Summary>) -> Seen {
        let is_held = now.as_ref().is_some_and(|now| now.is_held);
        self.unchanged = if is_held || now != self.last { 0 } else { self.unchanged + 1 };
        self.last.clone_from(&now);
        match now {
            Some(now) if now.is_settled() || self.unchanged >= LOOKS_MAX => Seen::Ended(Box::new(now)),
            None if self.unchanged >= LOOKS_MAX => Seen::Gone,
            _ => Seen::Unsettled,
        }
    }
}

fn written(event: &Event) -> sse::Event {
    // What was counted is always written.
    let data = match event {
        Event::Progress(progress) => serde_json::to_string(progress),
        Event::Ended(summary) => serde_json::to_string(summary),
    };
    sse::Event::default().event(event.name()).data(data.unwrap_or_default())
}

/// Events as they come.
struct Events(mpsc::Receiver<sse::Event>);

impl Stream for Events {
    type Item = Result<sse::Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(state: &str, is_held: bool) -> Option<Summary> {
        Some(Summary { job: "job".to_owned(), state: state.to_owned(), is_held, ..Summary::default() })
    }

    /// How many looks it takes until the stream ends, and how.
    fn looks(now: &Option<Summary>) -> (u32, Seen) {
        let mut looks = Looks::default();
        let last = (1..=100).map(|look| (look, looks.see(now.clone())));
        last.into_iter().find(|(_, seen)| *seen != Seen::Unsettled).unwrap_or((100, Seen::Unsettled))
    }

    #[test]
    fn a_stream_ends_with_its_job_whatever_became_of_it() {
        let ended = |now: &Option<Summary>| Seen::Ended(Box::new(now.clone().unwrap()));
        let killed = summary("killed", false);
        assert_eq!(looks(&killed), (1, ended(&killed)));
        for state in ["committing", "finished"] {
            let left = summary(state, false);
            assert_eq!(looks(&left), (LOOKS_MAX + 1, ended(&left)), "{state}");
            assert_eq!(looks(&summary(state, true)).1, Seen::Unsettled, "{state}, at work");
        }
        assert_eq!(looks(&None), (LOOKS_MAX, Seen::Gone), "discarded");
    }
}
