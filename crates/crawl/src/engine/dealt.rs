//! What became of a URL, on its way to the ledger.

use job::log::Line;
use std::time::Duration;

use archive::Packed;
use frontier::{End, Id, Turn, Wish};
use jiff::Timestamp;

use crate::settings::retry_wait;

/// A URL that was dealt with, and all that follows from it.
pub(super) struct Dealt {
    /// Its place in the frontier; `None` for what was asked for without being queued, such as robots.txt.
    pub(super) id: Option<Id>,
    /// Whom the gate was asked for.
    pub(super) host: String,
    /// Whether it comes again.
    pub(super) end: End,
    /// What it links to.
    pub(super) found: Vec<Wish>,
    /// Its line in the log; digest and place are filled in when they are known. `None` for what need not be told.
    pub(super) line: Option<Line<'static>>,
    /// Its records.
    pub(super) packed: Option<Packed>,
    /// Why a filter has dropped it.
    pub(super) dropped: Option<String>,
}

impl Dealt {
    /// A URL that is not asked for.
    pub(super) fn refused(turn: Turn, status: i32, note: &'static str, at: Timestamp) -> Dealt {
        let Turn { id, wish } = turn;
        let host = wish.host.clone();
        let line = line(wish, status, at, None);
        let line = Some(Line { notes: vec![note.into()], ..line });
        Dealt { id: Some(id), host, end: End::Done, found: Vec::new(), line, packed: None, dropped: None }
    }

    /// A URL that is put off; each further time for twice as long.
    pub(super) fn again(turn: Turn, delay: Duration, now: Timestamp) -> Dealt {
        let Turn { id, wish } = turn;
        let wait = retry_wait(delay, wish.tries);
        let not_before = now.checked_add(wait).unwrap_or(now);
        let host = wish.host.clone();
        let end = End::Again { wish: Wish { tries: wish.tries + 1, ..wish }, not_before };
        Dealt { id: Some(id), host, end, found: Vec::new(), line: None, packed: None, dropped: None }
    }

    /// A URL that was asked for already in another way.
    pub(super) fn done_before(turn: Turn) -> Dealt {
        Dealt {
            id: Some(turn.id),
            host: turn.wish.host,
            end: End::Done,
            found: Vec::new(),
            line: None,
            packed: None,
            dropped: None,
        }
    }
}

/// A line about a URL of which nothing more is known.
pub(super) fn line(
    wish: Wish,
    status: i32,
    at: Timestamp,
    fetch: Option<(Timestamp, Duration)>,
) -> Line<'static> {
    Line {
        at,
        status,
        bytes: 0,
        url: wish.url.into(),
        hops: wish.hops.into(),
        via: wish.via.map(Into::into),
        mime: "".into(),
        fetch,
        digest: None,
        notes: Vec::new(),
        place: None,
    }
}
