//! The log of a job, page by page: the lines that hold what is looked for, from a line on or the last ones.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};

use archive::Archive;
use job::log::Line;
use serde::Serialize;

use super::files;
use crate::error::Error;
use crate::limits::Limits;

/// What is wanted of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which file.
    pub file: String,
    /// The number of the first line, from 1 on; `None` is the end of the log.
    pub from: Option<u64>,
    /// So many lines.
    pub limit: usize,
    /// Only lines with this in them, upper case or lower.
    pub filter: String,
}

/// Some lines of a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// Of which job.
    pub job: String,
    /// Which file.
    pub file: String,
    /// The lines.
    pub lines: Vec<Entry>,
    /// The number of the line to go on with; `None` at the end.
    pub next: Option<u64>,
    /// Whether the log is longer than what is looked through at once.
    pub is_cut: bool,
}

/// A line, and what it says if it is one of `crawl.log`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Entry {
    /// Its number, from 1 on.
    pub number: u64,
    /// The line as it stands there.
    pub text: String,
    /// What it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit: Option<Visit>,
}

/// A URL that was dealt with.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Visit {
    /// When, as RFC 3339 has it.
    pub at: String,
    /// The HTTP status, or a negative number where there was none.
    pub status: i32,
    /// Bytes of the body.
    pub bytes: u64,
    /// What was asked for.
    pub url: String,
    /// The page that led there.
    pub via: Option<String>,
    /// The media type that was found.
    pub mime: String,
    /// How long it took, in milliseconds.
    pub took_ms: Option<u64>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

/// Reads some lines.
pub(super) fn read(archive: &Archive, job: &str, wanted: &Wanted, limits: &Limits) -> Result<Page, Error> {
    let found = files::open(archive, job, &wanted.file)?;
    let page = page(found, wanted, limits)
        .map_err(|source| Error::Unreadable { what: wanted.file.clone(), source })?;
    Ok(Page { job: job.to_owned(), file: wanted.file.clone(), ..page })
}

fn page(found: impl Read, wanted: &Wanted, limits: &Limits) -> std::io::Result<Page> {
    let limit = wanted.limit.clamp(1, limits.log_lines);
    let filter = wanted.filter.to_lowercase();
    let mut reader = BufReader::with_capacity(256 << 10, found.take(limits.log_bytes));
    let (mut lines, mut bytes): (VecDeque<Entry>, Vec<u8>) = (VecDeque::new(), Vec::new());
    let (mut number, mut read) = (0_u64, 0_u64);
    let mut next = None;
    loop {
        bytes.clear();
        let count = reader.read_until(b'\n', &mut bytes)?;
        if count == 0 {
            break;
        }
        (number, read) = (number + 1, read + count as u64);
        if wanted.from.is_some_and(|from| number < from) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        if !filter.is_empty() && !text.to_lowercase().contains(&filter) {
            continue;
        }
        if lines.len() >= limit {
            if wanted.from.is_some() {
                next = Some(number);
                break;
            }
            lines.pop_front();
        }
        lines.push_back(Entry { number, text: text.to_owned(), visit: None });
    }
    let lines = lines.into_iter().map(|entry| Entry { visit: visit(&entry.text), ..entry }).collect();
    Ok(Page { lines, next, is_cut: next.is_none() && read >= limits.log_bytes, ..Page::default() })
}

fn visit(text: &str) -> Option<Visit> {
    let line = Line::parse(text)?;
    Some(Visit {
        at: line.at.to_string(),
        status: line.status,
        bytes: line.bytes,
        url: line.url.into_owned(),
        via: line.via.map(Into::into),
        mime: line.mime.into_owned(),
        took_ms: line.fetch.and_then(|(_, took)| u64::try_from(took.as_millis()).ok()),
        notes: line.notes.into_iter().map(Into::into).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "one\ntwo\nThree\nfour\nfive\n";

    #[track_caller]
    fn check(from: Option<u64>, limit: usize, filter: &str, expected: &[u64], next: Option<u64>) {
        let wanted = Wanted { file: String::new(), from, limit, filter: filter.to_owned() };
        let page = page(LOG.as_bytes(), &wanted, &Limits::default()).unwrap();
        let numbers: Vec<u64> = page.lines.iter().map(|entry| entry.number).collect();
        assert_eq!((numbers.as_slice(), page.next), (expected, next), "{wanted:?}");
    }

    #[test]
    fn lines_come_page_by_page() {
        check(Some(1), 2, "", &[1, 2], Some(3));
        check(Some(3), 2, "", &[3, 4], Some(5));
        check(Some(5), 2, "", &[5], None);
        check(Some(9), 2, "", &[], None);
        check(Some(1), 0, "", &[1], Some(2));
    }

    #[test]
    fn the_end_can_be_asked_for() {
        check(None, 2, "", &[4, 5], None);
        check(None, 2, "t", &[2, 3], None);
    }

    #[test]
    fn a_filter_takes_no_notice_of_case() {
        check(Some(1), 10, "t", &[2, 3], None);
        check(Some(1), 1, "f", &[4], Some(5));
    }

    #[test]
    fn a_long_log_is_cut_and_says_so() {
        let limits = Limits { log_bytes: 8, ..Limits::default() };
        let wanted = Wanted { file: String::new(), from: Some(1), limit: 10, filter: String::new() };
        let page = page(LOG.as_bytes(), &wanted, &limits).unwrap();
        assert_eq!((page.lines.len(), page.is_cut), (2, true));
    }
}
