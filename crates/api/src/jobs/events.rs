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
use super::watch::{Event, LOOK_EVERY};
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
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        let event = tokio::select! {
            event = subscriber.next() => match event {
                Some(event) => event,
                None => return,
            },
            // A single job may have ended before anybody has seen it run.
            _ = looks.tick(), if job.is_some() => match ended(&jobs, job.as_deref().unwrap_or_default()).await {
                Some(summary) => Event::Ended(Box::new(summary)),
                None => continue,
            },
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

/// What became of a job that no process has any more; `None` while one does, and until it is known.
async fn ended(jobs: &Jobs, job: &str) -> Option<Summary> {
    let (jobs, job) = (jobs.clone(), job.to_owned());
    let summary = blocking(move || jobs.summary(&job)).await.ok().flatten();
    summary.filter(Summary::is_settled)
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
