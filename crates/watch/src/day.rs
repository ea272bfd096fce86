//! How a page fared on one day.

use ::db::Row;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::db::{get, number};
use crate::error::Error;

/// How the checks of a day went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Which, in UTC.
    pub date: Date,
    /// Checks.
    pub checks: u32,
    /// Checks at which it could be reached.
    pub available: u32,
    /// Checks that found another document.
    pub changed: u32,
}

impl Day {
    pub(crate) fn of(row: &Row) -> Result<Day, Error> {
        let days: i64 = get(row, "day")?;
        let damaged = || Error::Damaged { what: "at", found: days.to_string() };
        let since = SignedDuration::from_hours(days.checked_mul(24).ok_or_else(damaged)?);
        let begin = Timestamp::UNIX_EPOCH.checked_add(since).map_err(|_| damaged())?;
        Ok(Day {
            date: begin.to_zoned(jiff::tz::TimeZone::UTC).date(),
            checks: number("checks", get(row, "checks")?)?,
            available: number("available", get(row, "available")?)?,
            changed: number("changed", get(row, "changed")?)?,
        })
    }
}
