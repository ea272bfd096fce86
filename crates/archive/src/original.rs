//! The record that a revisit stands for: one that holds the payload, never another revisit.

use jiff::Timestamp;

/// A record with a payload, as revisits name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Its `WARC-Target-URI`.
    pub url: String,
    /// Its `WARC-Date`.
    pub date: Timestamp,
    /// Its `WARC-Record-ID`, without angle brackets.
    pub record_id: Option<String>,
    /// `<job>/<file>`
    pub file: Option<String>,
    /// Where in the file it begins.
    pub offset: Option<u64>,
    /// Bytes of it.
    pub length: Option<u64>,
}

impl Original {
    /// What a line of the index says of the record with the payload: the line's own, or the one that it refers to.
    pub(crate) fn of(row: &cdx::Capture<'_>) -> Option<Original> {
        let text = |name: &str| row.extra(name).map(|value| value.as_str().to_owned());
        if row.is_revisit() {
            let place = row.original.as_deref();
            return Some(Original {
                url: text("orig_url")?,
                date: date(&text("orig_date")?)?,
                record_id: text("orig_rid"),
                file: place.and_then(|place| place.filename.as_deref()).map(str::to_owned),
                offset: place.and_then(|place| place.offset),
                length: place.and_then(|place| place.length),
            });
        }
        Some(Original {
            url: row.url.as_deref()?.to_owned(),
            date: time_of(row)?,
            record_id: text("rid"),
            file: row.filename.as_deref().map(str::to_owned),
            offset: row.offset,
            length: row.length,
        })
    }
}

/// When a line's record was captured, to the millisecond if the line says so.
#[must_use]
pub fn time_of(row: &cdx::Capture<'_>) -> Option<Timestamp> {
    let exact = row.extra("date").and_then(|value| date(value.as_str()));
    exact.or_else(|| row.timestamp.map(|at| urlkey::time::parse_14_clamped(&at.to_string())))
}

pub(crate) fn date(text: &str) -> Option<Timestamp> {
    urlkey::time::parse_warc_date(text).ok().map(|date| date.timestamp)
}
