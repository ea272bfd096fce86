//! News as they come, as a stream of server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::NewsRow;
use super::bodies::Asking;
use super::routes::{News, watching};
use super::watcher::NewsOf;
use super::watching::Watching;
use crate::Api;
use crate::error::Error;

/// A word now and then, so that nobody between us takes the connection for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events that wait for a slow reader.
const WAITING_MAX: usize = 16;

/// `GET /api/v1/watches/events?person=…`: with `Last-Event-ID`, first what was missed, each once.
pub(crate) async fn follow(
    State(api): State<Api>,
    Asking(asked): Asking<News>,
    parts: Parts,
) -> Result<Response, Error> {
    let watching = watching(&api, &parts)?;
    let of = asked.of();
    if let NewsOf::Person(name) = &of {
        watching.known(name).await?;
    }
    let last = match parts.headers.get("last-event-id") {
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.trim().parse().ok());
            id.ok_or_else(|| Error::bad("`Last-Event-ID` is the number of a news"))?
        }
        None => {
            let newest = watching.news(of.clone(), None, 1).await?.news;
            newest.first().map_or(0, |row| row.id)
        }
    };
    let place = api.followers().try_acquire_owned();
    let place = place.map_err(|_| Error::Conflict("too many follow already".to_owned()))?;
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    let follower = Follower { watching, of, last, missed_max: api.limits().missed_news, to: sender };
    tokio::spawn(follower.run(place));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(Events(receiver)).keep_alive(keep_alive).into_response())
}

/// Somebody who follows.
struct Follower {
    watching: Watching,
    of: NewsOf,
    /// The last news that was told.
    last: i64,
    missed_max: usize,
    to: mpsc::Sender<sse::Event>,
}

impl Follower {
    /// Hands on what happens until the reader goes, or the server ends.
    async fn run(mut self, _place: OwnedSemaphorePermit) {
        // From here on nothing is missed; what came before is told first.
        let mut news = self.watching.follow();
        if self.catch_up().await.is_none() {
            return;
        }
        loop {
            let told = tokio::select! {
                row = news.recv() => match row {
                    Ok(row) => self.tell(row).await,
                    // Too slow: what was missed is in the list.
                    Err(RecvError::Lagged(_)) => self.catch_up().await,
                    Err(RecvError::Closed) => return,
                },
                () = self.to.closed() => return,
            };
            if told.is_none() {
                return;
            }
        }
    }

    /// Tells a news, unless it was told already or is not asked for; `None` if nobody reads any more.
    async fn tell(&mut self, row: NewsRow) -> Option<()> {
        let is_wanted = match &self.of {
            NewsOf::All => true,
            NewsOf::Watch(id) => row.watch == *id,
            NewsOf::Person(name) => row.owner == *name,
        };
        if !is_wanted || row.id <= self.last {
            return Some(());
        }
        self.last = row.id;
        let row = self.watching.seen(row);
        let data = serde_json::to_string(&row).unwrap_or_default();
        let event = sse::Event::default().id(row.id.to_string()).event("news").data(data);
        self.to.send(event).await.ok()
    }

    /// Tells what came since the last that was told, the oldest first.
    async fn catch_up(&mut self) -> Option<()> {
        let (mut missed, mut before) = (Vec::new(), None);
        let left = loop {
            // Whoever asks again gets it then.
            let page = self.watching.news(self.of.clone(), before, u32::MAX).await.ok()?;
            let count = page.news.len();
            missed.extend(page.news.into_iter().take_while(|row| row.id > self.last));
            before = page.next;
            let is_all = before.is_none_or(|before| before <= self.last) || count == 0;
            if is_all || missed.len() >= self.missed_max {
                break !is_all || missed.len() > self.missed_max;
            }
        };
        missed.truncate(self.missed_max);
        if let (true, Some(oldest)) = (left, missed.last()) {
            let data = json!({ "before": oldest.id }).to_string();
            self.to.send(sse::Event::default().event("missed").data(data)).await.ok()?;
        }
        for row in missed.into_iter().rev() {
            self.tell(row).await?;
        }
        Some(())
    }
}

/// Events as they come.
struct Events(mpsc::Receiver<sse::Event>);

impl Stream for Events {
    type Item = Result<sse::Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
