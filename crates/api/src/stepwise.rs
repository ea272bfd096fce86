//! A body that is made part by part, each when the client has taken the last.
//!
//! Threads that read files are few. None of them waits for a client here, however slowly it takes what it asked for.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

use crate::scan::{Scan, Watch};

/// Bytes of a body, and whether there are more.
pub type Part = (Vec<u8>, Progress);

/// Whether there is more to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more.
    More,
    /// That was all.
    Over,
}

/// What parts come from.
pub trait Source: Send + 'static {
    /// What a part costs, where that is limited.
    fn scan(&self) -> Option<Scan> {
        None
    }

    /// The next part. Reads files: not for a thread that others wait for.
    ///
    /// # Errors
    /// When they cannot be read; the body ends there.
    fn next(&mut self) -> io::Result<Part>;
}

/// The parts of a body.
pub struct Stepwise<S> {
    state: State<S>,
    /// Made already.
    ready: Option<Vec<u8>>,
    /// Cancels what is being done when the client goes away.
    _watch: Option<Watch>,
}

enum State<S> {
    Waiting(Box<S>),
    Queued(Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>, Box<S>),
    Working(JoinHandle<(io::Result<Part>, Box<S>)>),
    Over,
}

impl<S: Source> Stepwise<S> {
    /// All parts of a source.
    #[must_use]
    pub fn of(source: S) -> Stepwise<S> {
        Stepwise { state: State::Waiting(Box::new(source)), ready: None, _watch: None }
    }

    /// The same behind a part that there is already.
    #[must_use]
    pub fn after(first: Vec<u8>, source: S) -> Stepwise<S> {
        Stepwise { ready: Some(first), ..Stepwise::of(source) }
    }

    /// The same, cancelled when it is dropped.
    #[must_use]
    pub fn watched_by(self, watch: Watch) -> Stepwise<S> {
        Stepwise { _watch: Some(watch), ..self }
    }
}

impl<S: Source> Stream for Stepwise<S> {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            if let Some(part) = self.ready.take().filter(|part| !part.is_empty()) {
                return Poll::Ready(Some(Ok(part.into())));
            }
            self.state = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Waiting(source) => match source.scan() {
                    Some(scan) => State::Queued(Box::pin(async move { scan.turn().await }), source),
                    None => work(source, None),
                },
                State::Queued(mut turn, source) => match turn.as_mut().poll(context) {
                    Poll::Pending => {
                        self.state = State::Queued(turn, source);
                        return Poll::Pending;
                    }
                    Poll::Ready(turn) => work(source, turn),
                },
                State::Working(mut work) => match Pin::new(&mut work).poll(context) {
                    Poll::Pending => {
                        self.state = State::Working(work);
                        return Poll::Pending;
                    }
                    Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(io::Error::other(error)))),
                    Poll::Ready(Ok((Err(error), _))) => return Poll::Ready(Some(Err(error))),
                    Poll::Ready(Ok((Ok((part, progress)), source))) => {
                        self.ready = Some(part);
                        if progress == Progress::More { State::Waiting(source) } else { State::Over }
                    }
                },
            };
        }
    }
}

/// Makes the next part on a thread that may wait, and gives the turn back.
fn work<S: Source>(mut source: Box<S>, turn: Option<OwnedSemaphorePermit>) -> State<S> {
    State::Working(tokio::task::spawn_blocking(move || {
        let next = source.next();
        drop(turn);
        (next, source)
    }))
}
