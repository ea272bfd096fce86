//! Walks through what is queued and what is postponed, for reports.

use std::fmt;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec::IntoIter;

use jiff::Timestamp;

use crate::disk::{Bytes, Range, Space};
use crate::error::Error;
use crate::frontier::Shared;
use crate::queues::Entry;
use crate::wish::{Id, Wish};
use crate::{key, value};

/// The entries of [`Frontier::queued`](crate::Frontier::queued), one after another.
pub struct Queued {
    shared: Arc<Shared>,
    /// What the tables have. `None` when there is nothing more to say.
    range: Option<Result<Range, Error>>,
    /// The next of them.
    head: Option<(Id, Bytes)>,
    /// Those that are no more, in their order.
    ended: Vec<Id>,
    /// What the log has.
    younger: Peekable<IntoIter<(Id, Entry)>>,
    host: Option<(u32, Arc<str>)>,
}

/// The entries of [`Frontier::postponed`](crate::Frontier::postponed), one after another.
pub struct Postponed {
    shared: Arc<Shared>,
    range: Option<Result<Waiting, Error>>,
}

/// What lies in the space of the postponed.
pub(crate) struct Waiting(pub(crate) Range);

/// One of them.
pub(crate) struct WaitingItem {
    pub(crate) key: Bytes,
    pub(crate) not_before: Timestamp,
    pub(crate) value: Bytes,
}

impl Queued {
    pub(crate) fn new(shared: &Arc<Shared>, host: Option<&str>) -> Queued {
        let number = match host.map(|host| shared.number_of(host)) {
            // A host that nobody knows has nothing queued.
            Some(Ok(None)) => return Queued::of(shared, None),
            Some(Err(error)) => return Queued::of(shared, Some(Err(error))),
            Some(Ok(number)) => number,
            None => None,
        };
        let (first, last) = key::entries(number);
        // It is held until the tables are at hand, so that nothing leaves the log between the two.
        let pending = shared.pending();
        let mut queued = Queued::of(shared, Some(shared.disk.range(Space::Queue, &first, &last)));
        if let (Some(first), Some(last)) = (key::read_entry(&first), key::read_entry(&last)) {
            let younger: Vec<(Id, Entry)> =
                pending.queued(first, last).map(|(id, entry)| (id, entry.clone())).collect();
            queued.younger = younger.into_iter().peekable();
            queued.ended = pending.ended();
        }
        queued
    }

    fn of(shared: &Arc<Shared>, range: Option<Result<Range, Error>>) -> Queued {
        let younger = Vec::new().into_iter().peekable();
        Queued { shared: Arc::clone(shared), range, head: None, ended: Vec::new(), younger, host: None }
    }

    /// The next entry of either, by the order of their keys.
    fn next_entry(&mut self) -> Result<Option<Wish>, Error> {
        while self.head.is_none() {
            let Some((key, value)) = next_of(&mut self.range).transpose()? else { break };
            let id = key::read_entry(&key).ok_or_else(damaged)?;
            if self.ended.binary_search(&id).is_err() {
                self.head = Some((id, value));
            }
        }
        let head = self.head.as_ref().map(|(id, _)| *id);
        let younger = self.younger.next_if(|(id, _)| head.is_none_or(|head| *id <= head));
        // What leaves the log just now is in both.
        if let Some((id, entry)) = younger.filter(|(id, _)| head != Some(*id)) {
            return self.wish(id, entry.wish()).map(Some);
        }
        match self.head.take() {
            Some((id, value)) => self.wish(id, &value).map(Some),
            None => Ok(None),
        }
    }

    fn wish(&mut self, id: Id, value: &[u8]) -> Result<Wish, Error> {
        let name = match &self.host {
            Some((number, name)) if *number == id.host => Arc::clone(name),
            _ => self.shared.name_of(id.host)?,
        };
        self.host = Some((id.host, Arc::clone(&name)));
        value::read_wish(value, &name, id.precedence).ok_or_else(damaged)
    }
}

fn damaged() -> Error {
    Error::Damaged { what: "an entry is no wish".to_owned() }
}

impl Iterator for Queued {
    type Item = Result<Wish, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_entry();
        if next.is_err() {
            (self.range, self.head) = (None, None);
            self.younger = Vec::new().into_iter().peekable();
        }
        next.transpose()
    }
}

impl Postponed {
    pub(crate) fn new(shared: &Arc<Shared>) -> Postponed {
        Postponed { shared: Arc::clone(shared), range: Some(shared.postponed_from(Timestamp::MIN)) }
    }

    fn wish(&self, item: &WaitingItem) -> Result<(Timestamp, Wish), Error> {
        let damaged = || Error::Damaged { what: "a postponed entry is no wish".to_owned() };
        let (number, precedence, bytes) = value::read_postponed(&item.value).ok_or_else(damaged)?;
        let name = self.shared.name_of(number)?;
        let wish = value::read_wish(bytes, &name, precedence).ok_or_else(damaged)?;
        Ok((item.not_before, wish))
    }
}

impl Iterator for Postponed {
    type Item = Result<(Timestamp, Wish), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let wish = next_of(&mut self.range)?.and_then(|item| self.wish(&item));
        if wish.is_err() {
            self.range = None;
        }
        Some(wish)
    }
}

impl Iterator for Waiting {
    type Item = Result<WaitingItem, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let damaged = || Error::Damaged { what: "a postponed entry has no time".to_owned() };
        let item = self.0.next()?.and_then(|(key, value)| {
            let not_before = key::read_postponed(&key).ok_or_else(damaged)?;
            Ok(WaitingItem { key, not_before, value })
        });
        Some(item)
    }
}

/// The next item of a range, or why there is no range.
fn next_of<T>(
    range: &mut Option<Result<impl Iterator<Item = Result<T, Error>>, Error>>,
) -> Option<Result<T, Error>> {
    match range {
        Some(Ok(items)) => items.next(),
        _ => range.take().and_then(Result::err).map(Err),
    }
}

impl fmt::Debug for Queued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queued").finish_non_exhaustive()
    }
}

impl fmt::Debug for Postponed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postponed").finish_non_exhaustive()
    }
}
