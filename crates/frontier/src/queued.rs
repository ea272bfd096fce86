//! Walks through what is queued and what is postponed, for reports.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::disk::{Bytes, Range, Space};
use crate::error::Error;
use crate::frontier::Shared;
use crate::wish::Wish;
use crate::{key, value};

/// The entries of [`Frontier::queued`](crate::Frontier::queued), one after another.
pub struct Queued {
    shared: Arc<Shared>,
    /// `None` when there is nothing more to say.
    range: Option<Result<Range, Error>>,
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
        let range = match host.map(|host| shared.number_of(host)) {
            // A host that nobody knows has nothing queued.
            Some(Ok(None)) => None,
            Some(Err(error)) => Some(Err(error)),
            Some(Ok(number)) => Some(entries(shared, number)),
            None => Some(entries(shared, None)),
        };
        Queued { shared: Arc::clone(shared), range, host: None }
    }

    fn wish(&mut self, key: &[u8], value: &[u8]) -> Result<Wish, Error> {
        let damaged = || Error::Damaged { what: "an entry is no wish".to_owned() };
        let id = key::read_entry(key).ok_or_else(damaged)?;
        let name = match &self.host {
            Some((number, name)) if *number == id.host => Arc::clone(name),
            _ => self.shared.name_of(id.host)?,
        };
        self.host = Some((id.host, Arc::clone(&name)));
        value::read_wish(value, &name, id.precedence).ok_or_else(damaged)
    }
}

fn entries(shared: &Shared, host: Option<u32>) -> Result<Range, Error> {
    let (first, last) = key::entries(host);
    shared.disk.range(Space::Queue, &first, &last)
}

impl Iterator for Queued {
    type Item = Result<Wish, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = next_of(&mut self.range)?;
        let wish = item.and_then(|(key, value)| self.wish(&key, &value));
        if wish.is_err() {
            self.range = None;
        }
        Some(wish)
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
