//! What a connection is doing: the phase decides which time limit applies and whether it may be closed for a newcomer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::Limits;
use crate::pace::{Pace, Transfer};

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
    upload: Pace,
    response: Pace,
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

/// Which of two connections is closed first for a newcomer: the smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EvictionRank {
    /// No request is in progress. Connections that never completed one go first, and those without a part of a head before others.
    Idle { has_answered: bool, has_begun: bool, since: Instant },
    /// A request body does not arrive, or too slowly.
    Upload { stalled_since: Instant },
    /// A client does not read its response, or too slowly.
    Response { stalled_since: Instant },
}

impl Activity {
    pub(crate) fn new() -> Arc<Activity> {
        let state = State {
            phase: Phase::Waiting,
            since: Instant::now(),
            has_answered: false,
            upload: Pace::default(),
            response: Pace::default(),
        };
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
        state.upload = Pace::default();
        state.enter(Phase::Answering);
        Some(RequestGuard(Arc::clone(self)))
    }

    /// Notes that the server waits for the client. Returns when the client is below the lowest rate.
    pub(crate) fn wait(&self, transfer: Transfer, limits: &Limits) -> Instant {
        self.lock().pace(transfer).wait(transfer, limits)
    }

    /// Notes that the client moved bytes, and that the server no longer waits for it.
    pub(crate) fn move_bytes(&self, bytes: u64, transfer: Transfer, limits: &Limits) {
        self.lock().pace(transfer).move_bytes(bytes, transfer, limits);
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

    /// The rank among connections that may be closed for a newcomer; `None` if a request is computed, or a transfer flows.
    pub(crate) fn eviction_rank(&self, limits: &Limits) -> Option<EvictionRank> {
        self.lock().eviction_rank(limits)
    }

    /// Closes the connection if it may be closed for a newcomer; says whether it did.
    pub(crate) fn evict(&self, limits: &Limits) -> bool {
        let mut state = self.lock();
        let is_evicted = state.eviction_rank(limits).is_some();
        if is_evicted {
            state.enter(Phase::Evicted);
            self.eviction.notify_one();
        }
        is_evicted
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
    /// Enters the next phase. An evicted connection stays evicted.
    fn enter(&mut self, phase: Phase) {
        if self.phase != Phase::Evicted {
            (self.phase, self.since) = (phase, Instant::now());
        }
    }

    fn pace(&mut self, transfer: Transfer) -> &mut Pace {
        match transfer {
            Transfer::Upload => &mut self.upload,
            Transfer::Response => &mut self.response,
        }
    }

    fn eviction_rank(&self, limits: &Limits) -> Option<EvictionRank> {
        let State { phase, since, has_answered, upload, response } = self;
        match phase {
            Phase::Waiting | Phase::ReadingHead => {
                let has_begun = *phase == Phase::ReadingHead;
                Some(EvictionRank::Idle { has_answered: *has_answered, has_begun, since: *since })
            }
            Phase::Answering | Phase::Flushing => {
                let upload = upload.stalled_since(limits);
                upload.map(|stalled_since| EvictionRank::Upload { stalled_since }).or_else(|| {
                    let response = response.stalled_since(limits);
                    response.map(|stalled_since| EvictionRank::Response { stalled_since })
                })
            }
            Phase::Evicted => None,
        }
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
