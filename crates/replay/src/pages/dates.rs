//! Times as people read them. All are UTC, as the index has them.

use cdx::Timestamp;

/// Names of the months.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The parts of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) year: u64,
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

/// Takes a time apart.
pub(crate) fn parts(at: Timestamp) -> Parts {
    let number = at.as_number();
    Parts {
        year: number / 10_000_000_000,
        month: number / 100_000_000 % 100,
        day: number / 1_000_000 % 100,
        hour: number / 10_000 % 100,
        minute: number / 100 % 100,
        second: number % 100,
    }
}

/// `16 November 2026`
pub(crate) fn day(at: Timestamp) -> String {
    let Parts { year, month, day, .. } = parts(at);
    format!("{day} {} {year}", month_name(month))
}

/// `16 November 2026, 08:00:00 UTC`
pub(crate) fn full(at: Timestamp) -> String {
    format!("{}, {} UTC", day(at), clock(at))
}

/// `08:00:00`
pub(crate) fn clock(at: Timestamp) -> String {
    let Parts { hour, minute, second, .. } = parts(at);
    format!("{hour:02}:{minute:02}:{second:02}")
}

/// `2026-11-16T08:00:00Z`, for programs.
pub(crate) fn machine(at: Timestamp) -> String {
    let Parts { year, month, day, .. } = parts(at);
    format!("{year:04}-{month:02}-{day:02}T{}Z", clock(at))
}

/// What the month is called; one that the calendar lacks has no name.
pub(crate) fn month_name(month: u64) -> &'static str {
    let index = usize::try_from(month).ok().and_then(|month| month.checked_sub(1));
    index.and_then(|index| MONTHS.get(index)).copied().unwrap_or("?")
}

/// Days of a month.
pub(crate) fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day of the week that a month begins with, Monday being 0.
/// <https://en.wikipedia.org/wiki/Determination_of_the_day_of_the_week#Sakamoto's_methods>
pub(crate) fn weekday_of_first(year: u64, month: u64) -> u64 {
    const SHIFTS: [u64; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = if month < 3 { year.saturating_sub(1) } else { year };
    let index = usize::try_from(month).ok().and_then(|month| month.checked_sub(1));
    let shift = index.and_then(|index| SHIFTS.get(index)).copied().unwrap_or_default();
    // Sunday is 0 there.
    (year + year / 4 + year / 400 + shift + 1 - year / 100 + 6) % 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_readable() {
        let at = Timestamp::parse("20261116080005").unwrap();
        assert_eq!(full(at), "16 November 2026, 08:00:05 UTC");
        assert_eq!(machine(at), "2026-11-16T08:00:05Z");
    }

    #[test]
    fn months_begin_with_their_day() {
        for (year, month, weekday) in [(2026, 11, 6), (2024, 2, 3), (2000, 1, 5), (1999, 3, 0)] {
            assert_eq!(weekday_of_first(year, month), weekday, "{year}-{month}");
        }
        assert_eq!(
            [days_in(2024, 2), days_in(1900, 2), days_in(2000, 2), days_in(2026, 4)],
            [29, 28, 29, 30]
        );
    }
}
