//! From a question ("all of this host") to the range of keys that answers it.

use std::str::FromStr;

use crate::{Error, surt, unsurt};

/// How much around a URL is meant. The words are those of CDX servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Match {
    /// This URL.
    Exact,
    /// Every URL that begins like it.
    Prefix,
    /// Every URL of its host.
    Host,
    /// Every URL of its host and of the hosts below it.
    Domain,
}

impl FromStr for Match {
    type Err = Error;

    fn from_str(name: &str) -> Result<Match, Error> {
        match name {
            "exact" => Ok(Match::Exact),
            "prefix" => Ok(Match::Prefix),
            "host" => Ok(Match::Host),
            "domain" => Ok(Match::Domain),
            _ => Err(Error::UnknownMatch { name: crate::error::excerpt(name) }),
        }
    }
}

/// Keys from `start` on and before `end`. With the blank and time that follow a key on an index line they still hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key that may belong.
    pub start: String,
    /// The first key that cannot belong any more.
    pub end: String,
}

/// The range of index keys for a URL.
///
/// ```
/// use urlkey::{Match, key_range};
/// let range = key_range("http://example.com/a.html", Match::Domain)?;
/// assert_eq!((range.start.as_str(), range.end.as_str()), ("com,example)/", "com,example-"));
/// # Ok::<(), urlkey::Error>(())
/// ```
///
/// # Errors
/// As [`surt`](crate::surt()).
pub fn key_range(url: &str, matching: Match) -> Result<KeyRange, Error> {
    let key = surt(url)?;
    let host = key.split_once(")/").map_or(key.as_str(), |(host, _)| host);
    let (start, end) = match matching {
        Match::Exact => (key.clone(), format!("{key}!")),
        Match::Prefix => prefix(url, key),
        Match::Host => (format!("{host})/"), format!("{host}*")),
        // Under a top level such as `com` there is no page of its own.
        Match::Domain if !host.contains(',') => (format!("{host},"), format!("{host}-")),
        Match::Domain => (format!("{host})/"), format!("{host}-")),
    };
    Ok(KeyRange { start, end })
}

/// As [`key_range`] for indexes whose keys are canonical URLs in reading order: `example.com/a.html`.
///
/// # Errors
/// [`Error::DomainNeedsSurt`] for [`Match::Domain`]; else as [`surt`](crate::surt()).
pub fn plain_range(url: &str, matching: Match) -> Result<KeyRange, Error> {
    let key = unsurt(&surt(url)?);
    let (start, end) = match matching {
        Match::Exact => (key.clone(), format!("{key}!")),
        Match::Prefix => prefix(url, key),
        Match::Host => {
            let host = crate::split(url)?.authority.into_owned();
            (format!("{host}/"), format!("{host}0"))
        }
        Match::Domain => return Err(Error::DomainNeedsSurt),
    };
    Ok(KeyRange { start, end })
}

/// A slash or question mark at the end was dropped from the key, but here it says where the prefix ends.
fn prefix(url: &str, key: String) -> (String, String) {
    let mut start = key;
    for mark in ['/', '?'] {
        if url.ends_with(mark) && !start.ends_with(mark) {
            start.push(mark);
        }
    }
    let end = next_text(&start);
    (start, end)
}

/// The shortest text that sorts after everything beginning with this one.
fn next_text(text: &str) -> String {
    let mut next = text.to_owned();
    while let Some(last) = next.pop() {
        let successor = u32::from(last) + 1;
        // Between the two halves of Unicode lie numbers that are no characters.
        let successor = if successor == 0xd800 { 0xe000 } else { successor };
        if let Some(successor) = char::from_u32(successor) {
            next.push(successor);
            break;
        }
    }
    next
}
