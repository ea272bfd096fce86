//! What a CDX server does with captures between finding and answering them.
//!
//! Each operation is small and stands alone; [`Query`] runs them in the order that pywb has:
//! resolve revisits → filter → time range → collapse → order → limit. Whoever cannot wait for the end of that asks [`Sieve`] capture by
//! capture; [`Columns`] writes what was asked for.

mod collapse;
mod columns;
mod filter;
mod nearest;
mod range;
mod revisit;
mod sieve;

use std::collections::VecDeque;

pub use collapse::Collapse;
pub use columns::Columns;
pub use filter::Filter;
pub use nearest::Nearest;
pub use range::{KeyRange, TimeRange};
pub use revisit::Resolver;
pub use sieve::{Sieve, is_self_redirect};

use crate::{Capture, Error, Timestamp};

/// What is asked of a stream of captures, which come sorted by key and time.
#[derive(Debug, Clone)]
pub struct Query {
    /// Give revisits the media type, status and place of the first capture with the same digest.
    pub resolve_revisits: bool,
    /// Keep captures that all of these accept.
    pub filters: Vec<Filter>,
    /// Keep captures of this time.
    pub time: TimeRange,
    /// Of captures that are alike, keep the first of a run.
    pub collapse: Option<Collapse>,
    /// In which order to give them.
    pub order: Order,
    /// At most so many. Orders other than [`Order::Forward`] hold that many in memory.
    pub limit: usize,
}

/// Order of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As they come.
    #[default]
    Forward,
    /// Last first.
    Reverse,
    /// By distance from a time, nearest first.
    Nearest(Timestamp),
}

/// The limit of a query that sets none, as pywb has it.
const LIMIT_DEFAULT: usize = 100_000;

impl Default for Query {
    fn default() -> Query {
        Query {
            resolve_revisits: false,
            filters: Vec::new(),
            time: TimeRange::default(),
            collapse: None,
            order: Order::Forward,
            limit: LIMIT_DEFAULT,
        }
    }
}

impl Query {
    /// The answer. Errors among the captures are handed on, before all captures where the order is not the one they came in.
    pub fn run<'a, I>(self, captures: I) -> Box<dyn Iterator<Item = Result<Capture<'static>, Error>> + 'a>
    where
        I: Iterator<Item = Result<Capture<'static>, Error>> + 'a,
    {
        let mut sieve = Sieve {
            resolver: self.resolve_revisits.then(Resolver::default),
            filters: self.filters,
            time: self.time,
            omit_self_redirects: false,
            collapses: self.collapse.into_iter().collect(),
        };
        let kept = captures.filter_map(move |capture| match capture {
            Ok(mut capture) => sieve.accepts(&mut capture).then_some(Ok(capture)),
            Err(error) => Some(Err(error)),
        });
        match self.order {
            Order::Forward => Box::new(kept.take(self.limit)),
            Order::Reverse => last_first(kept, self.limit),
            Order::Nearest(time) => {
                let mut nearest = Nearest::new(time, self.limit);
                let errors = nearest.take_all(kept);
                Box::new(errors.into_iter().map(Err).chain(nearest.into_captures().into_iter().map(Ok)))
            }
        }
    }
}

/// The last captures, last first.
fn last_first<'a>(
    captures: impl Iterator<Item = Result<Capture<'static>, Error>>,
    limit: usize,
) -> Box<dyn Iterator<Item = Result<Capture<'static>, Error>> + 'a> {
    let mut last = VecDeque::new();
    let mut errors = Vec::new();
    for capture in captures {
        match capture {
            Ok(capture) => {
                last.push_back(capture);
                if last.len() > limit {
                    last.pop_front();
                }
            }
            Err(error) => keep_error(&mut errors, error),
        }
    }
    Box::new(errors.into_iter().map(Err).chain(last.into_iter().rev().map(Ok)))
}

/// Keeps an error for the answer, unless there are plenty already: a file of nothing but bad lines must not fill the memory.
fn keep_error(errors: &mut Vec<Error>, error: Error) {
    const ERRORS_MAX: usize = 100;
    if errors.len() < ERRORS_MAX {
        errors.push(error);
    }
}
