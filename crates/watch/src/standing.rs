//! How a watch stands after a check: when it is due, and whether there is something to judge.

use ::db::Row;

use crate::check::{Check, Outcome};
use crate::db::{get, number};
use crate::error::Error;
use crate::watching::Pace;

/// What a check may change of a watch.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) id: i64,
    pub(crate) pace: Pace,
    /// The version up to which changes were judged; 0 while there is none.
    pub(crate) judged: u32,
    /// Checks in a row at which the page was not there.
    pub(crate) missed: u32,
    gone_after: u32,
    is_gone: bool,
    /// Checks since the last judgement that found nothing new.
    pub(crate) calm: u32,
    /// The check that found another page by its headers alone.
    pub(crate) large: Option<i64>,
}

impl Standing {
    pub(crate) fn of(row: &Row) -> Result<Standing, Error> {
        Ok(Standing {
            id: get(row, "id")?,
            pace: Pace::of(get(row, "every")?, get(row, "least")?, get(row, "most")?)?,
            judged: number("judged", get(row, "judged")?)?,
            missed: number("missed", get(row, "missed")?)?,
            gone_after: number("gone_after", get(row, "gone_after")?)?,
            is_gone: get::<i64>(row, "is_gone")? != 0,
            calm: number("calm", get(row, "calm")?)?,
            large: None,
        })
    }

    /// Takes a check in. How often a page that changed is checked from then on is said by whoever judges the change: what is noise does
    /// not make it faster.
    pub(crate) fn after(&mut self, newest: u32, check: &Check) {
        // What was there when it was first seen is no news.
        if self.judged == 0 {
            self.judged = newest;
        }
        match check.outcome {
            Outcome::Unchanged | Outcome::TooLarge { has_changed: false } => {
                self.pace = self.pace.after(false);
                self.calm = self.calm.saturating_add(1);
            }
            Outcome::TooLarge { has_changed: true } => {
                self.pace = self.pace.after(true);
                self.large = Some(check.id);
            }
            // A first look, and one that brought nothing, tell nothing of how often it changes.
            _ => {}
        }
        self.missed = if check.is_available() { 0 } else { self.missed.saturating_add(1) };
    }

    /// Whether there is something to judge.
    pub(crate) fn is_news(&self, newest: u32) -> bool {
        let is_missing = self.gone_after > 0 && self.missed >= self.gone_after;
        self.judged < newest
            || self.large.is_some()
            || (is_missing && !self.is_gone)
            || (self.is_gone && self.missed == 0)
    }
}
