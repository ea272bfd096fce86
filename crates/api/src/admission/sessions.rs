//! Browsers that have signed in, kept in memory: they sign in again after a restart.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::Secret;

/// How long a session lasts.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Sessions at the same time; one more ends the oldest.
const SESSIONS_MAX: usize = 64;

/// The sessions of a server, the oldest first.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<VecDeque<Session>>);

struct Session {
    id: Secret,
    ends: Timestamp,
}

impl Sessions {
    /// Begins a session; returns its id, which the browser keeps in its cookie.
    pub(crate) fn begin(&self, now: Timestamp) -> io::Result<Secret> {
        let id = Secret::random()?;
        let mut sessions = self.lock();
        sessions.retain(|session| is_valid(session, now));
        while sessions.len() >= SESSIONS_MAX {
            sessions.pop_front();
        }
        let ends = now.checked_add(SESSION_TIME).unwrap_or(Timestamp::MAX);
        sessions.push_back(Session { id: id.clone(), ends });
        Ok(id)
    }

    /// Whether a browser has signed in.
    pub(crate) fn has(&self, id: &str, now: Timestamp) -> bool {
        self.lock().iter().any(|session| session.id.matches(id) && is_valid(session, now))
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        self.lock().retain(|session| !session.id.matches(id));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session that ends later than any that begins now was made by a clock that was ahead.
fn is_valid(session: &Session, now: Timestamp) -> bool {
    now < session.ends && session.ends.duration_since(now) <= SESSION_TIME
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").field("count", &self.lock().len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_a_week_unless_it_is_ended() {
        let (sessions, now) = (Sessions::default(), Timestamp::UNIX_EPOCH);
        let (one, two) = (sessions.begin(now).unwrap(), sessions.begin(now).unwrap());
        let last = now + SESSION_TIME - SignedDuration::from_secs(1);
        assert!(sessions.has(one.reveal(), now) && sessions.has(two.reveal(), last));
        assert!(!sessions.has(two.reveal(), now + SESSION_TIME));
        assert!(!sessions.has("", now) && !sessions.has(&"0".repeat(64), now));
        sessions.end(one.reveal());
        assert!(!sessions.has(one.reveal(), now) && sessions.has(two.reveal(), now));
    }

    #[test]
    fn sessions_are_bounded_and_the_oldest_goes_first() {
        let (sessions, now) = (Sessions::default(), Timestamp::UNIX_EPOCH);
        let all: Vec<Secret> = (0..=SESSIONS_MAX).map(|_| sessions.begin(now).unwrap()).collect();
        assert!(!sessions.has(all[0].reveal(), now));
        assert!(all[1..].iter().all(|id| sessions.has(id.reveal(), now)));
        assert_eq!(sessions.lock().len(), SESSIONS_MAX);
    }

    #[test]
    fn a_session_of_a_clock_that_was_ahead_is_over() {
        let (sessions, now) = (Sessions::default(), Timestamp::UNIX_EPOCH);
        let id = sessions.begin(now + SignedDuration::from_hours(24 * 365)).unwrap();
        assert!(!sessions.has(id.reveal(), now));
    }
}
