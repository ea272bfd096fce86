//! What a connection is doing: the phase decides which time limit applies and whether it may be closed for a newcomer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::Limits;

/// The state of one connection, shared by its task and the registry.
#[derive(Debug)]
pub(crate) struct Activity {
    state: Mutex<State>,
    eviction: Notify,
    /// A response is sent: it is the client's turn again.
    turn: Notify,
}

#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    since: Instant,
    has_answered: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No byte of a request has come.
    Waiting,
    /// A part of a request head has come.
    ReadingHead,
    /// A handler works on a request, or its response is being made.
    Answering,
    /// The response is made; some of it may not be sent yet.
    Flushing,
    /// It is being closed for a newcomer.
    Evicted,
}

/// Which of two idle connections is closed first: the smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EvictionRank {
    has_answered: bool,
    since: Instant,
}

impl Activity {
    pub(crate) fn new() -> Arc<Activity> {
        let state = State { phase: Phase::Waiting, since: Instant::now(), has_answered: false };
        Arc::new(Activity { state: Mutex::new(state), eviction: Notify::new(), turn: Notify::new() })
    }

    /// Notes that the client sent bytes.
    pub(crate) fn note_received(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Waiting {
            state.enter(Phase::ReadingHead);
        }
    }

    /// Notes that nothing is left to send.
    pub(crate) fn note_flushed(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Flushing {
            state.enter(Phase::Waiting);
            self.turn.notify_one();
        }
    }

    /// Starts a request; `None` if the connection is being closed.
    pub(crate) fn start_request(self: &Arc<Self>) -> Option<RequestGuard> {
        let mut state = self.lock();
        if state.phase == Phase::Evicted {
            return None;
        }
        state.enter(Phase::Answering);
        Some(RequestGuard(Arc::clone(self)))
    }

    /// Whether a handler was called and its response is not sent yet.
    pub(crate) fn is_answering(&self) -> bool {
        matches!(self.lock().phase, Phase::Answering | Phase::Flushing)
    }

    /// Returns when the client has taken too long to send a request.
    pub(crate) async fn expired(&self, limits: &Limits) {
        loop {
            match self.deadline(limits) {
                None => self.turn.notified().await,
                Some(deadline) if deadline <= Instant::now() => return,
                // A head may begin at any time and then has less time.
                Some(deadline) => sleep_until(deadline.min(Instant::now() + limits.head_time)).await,
            }
        }
    }

    /// When the client must have sent more; `None` while it is the server's turn.
    fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let state = self.lock();
        match state.phase {
            Phase::Waiting => Some(state.since + limits.idle_time),
            Phase::ReadingHead => Some(state.since + limits.head_time),
            Phase::Answering | Phase::Flushing | Phase::Evicted => None,
        }
    }

    /// The rank among connections that may be closed for a newcomer; `None` if a request is in progress.
    pub(crate) fn eviction_rank(&self) -> Option<EvictionRank> {
        let State { phase, since, has_answered } = *self.lock();
        matches!(phase, Phase::Waiting | Phase::ReadingHead).then_some(EvictionRank { has_answered, since })
    }

    /// Closes the connection unless a request is in progress; says whether it did.
    pub(crate) fn evict(&self) -> bool {
        let mut state = self.lock();
        let is_idle = matches!(state.phase, Phase::Waiting | Phase::ReadingHead);
        if is_idle {
            state.enter(Phase::Evicted);
            self.eviction.notify_one();
        }
        is_idle
    }

    /// Returns when the connection is to be closed for a newcomer.
    pub(crate) async fn evicted(&self) {
        self.eviction.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, phase: Phase) {
        (self.phase, self.since) = (phase, Instant::now());
    }
}

/// Keeps a connection in the answering phase until the response body is gone.
#[derive(Debug)]
pub(crate) struct RequestGuard(Arc<Activity>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.has_answered = true;
        state.enter(Phase::Flushing);
    }
}
