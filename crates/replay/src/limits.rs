//! How much of anything is taken before we say "enough".

use std::time::Duration;

/// Bounds on what is asked for and on what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a URL that is asked for.
    pub url_bytes: usize,
    /// Bytes of the cookies of a request. A browser that sends more is told to delete them.
    pub cookie_bytes: usize,
    /// Bytes of the body of a request, which may be part of the key of what it asks for.
    pub request_bytes: usize,
    /// Bytes of a payload up to which it is read, rewritten and sent in one go. What is longer is sent as it is read.
    pub at_once_bytes: usize,
    /// Captures of a URL that are looked at in one go. A URL with more of them is never read whole.
    pub captures_at_once: usize,
    /// Captures that are tried when the nearest is none that one would want to see.
    pub candidates: usize,
    /// Rows of the index that are passed over on the way to them, because nobody may know of what they name.
    pub passed_by: usize,
    /// Rows of the index that are looked at for a capture whose URL differs only by what changes from visit to visit.
    pub alike: usize,
    /// How far from the time that was asked for a good capture may lie to be shown in place of an error.
    pub good_within: Duration,
    /// Bytes of the head of an archived answer that are passed on.
    pub head_bytes: usize,
    /// Captures that are counted one by one for a timeline; of more, each month is sampled.
    pub counted: usize,
    /// Captures of one month that are counted where there are too many to count all.
    pub counted_in_month: usize,
    /// Captures of one day that a calendar of the year counts.
    pub counted_in_day: usize,
    /// Captures that a calendar lists with their times.
    pub listed: usize,
    /// Captures on one page of a TimeMap.
    pub mementos_in_page: usize,
    /// URLs on one page of a listing.
    pub urls_in_page: usize,
    /// Rows of the index that are read for one page of a listing.
    pub rows_for_listing: usize,
    /// URLs that a page about something missing suggests.
    pub suggestions: usize,
    /// Timelines, and lengths of payloads, that are kept in memory.
    pub kept: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            url_bytes: 32 << 10,
            cookie_bytes: 32 << 10,
            request_bytes: 1 << 20,
            at_once_bytes: 256 << 10,
            captures_at_once: 48,
            candidates: 50,
            passed_by: 10_000,
            alike: 1000,
            good_within: Duration::from_hours(24 * 366),
            head_bytes: 32 << 10,
            counted: 20_000,
            counted_in_month: 40,
            counted_in_day: 100,
            listed: 1000,
            mementos_in_page: 10_000,
            urls_in_page: 200,
            rows_for_listing: 100_000,
            suggestions: 8,
            kept: 4096,
        }
    }
}
