//! Captures in a range of keys, streamed.

use std::fmt;

use cdx::Capture;
use urlkey::KeyRange;

use crate::merging::Merged;
use crate::snapshot::Live;
use crate::{Error, Snapshot};

/// Captures in the order of their keys, then times; of equal ones in the order in which they were published.
///
/// Owns what it needs, and ends behind the first error.
pub struct Captures {
    rows: State,
}

enum State {
    /// What could not even be begun.
    Failed(Error),
    Running(Box<Merged>),
    Over,
}

impl Snapshot {
    /// All captures whose keys lie in a range, as [`urlkey::key_range`] makes them. An empty end is no end.
    #[must_use]
    pub fn range(&self, range: &KeyRange) -> Captures {
        let end = Some(range.end.as_bytes()).filter(|end| !end.is_empty());
        Captures::new(self.segments(), range.start.as_bytes(), end)
    }

    /// All captures of one key.
    #[must_use]
    pub fn versions(&self, key: &str) -> Captures {
        let start = key_column(key);
        let mut end = start.clone();
        // The space behind the key becomes what sorts right behind it.
        end.pop();
        end.push(b'!');
        let holds = |live: &&Live| live.segment.may_hold(&start).unwrap_or(true);
        let segments: Vec<Live> = self.segments().iter().filter(holds).cloned().collect();
        Captures::new(&segments, &start, Some(&end))
    }
}

impl Captures {
    fn new(segments: &[Live], start: &[u8], end: Option<&[u8]>) -> Captures {
        let rows = match Merged::new(segments, start, end) {
            Ok(merged) => State::Running(Box::new(merged)),
            Err(error) => State::Failed(error),
        };
        Captures { rows }
    }
}

impl Iterator for Captures {
    type Item = Result<Capture<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match std::mem::replace(&mut self.rows, State::Over) {
            State::Over => return None,
            State::Failed(error) => return Some(Err(error)),
            State::Running(mut merged) => {
                let next = next_capture(&mut merged);
                if let Ok(Some(_)) = next {
                    self.rows = State::Running(merged);
                }
                next
            }
        };
        next.transpose()
    }
}

fn next_capture(merged: &mut Merged) -> Result<Option<Capture<'static>>, Error> {
    if !merged.advance()? {
        return Ok(None);
    }
    let Some((row, segment)) = merged.row() else { return Ok(None) };
    segment.parse(&row, || merged.offset()).map(|capture| Some(capture.into_owned()))
}

impl fmt::Debug for Captures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Captures").finish_non_exhaustive()
    }
}

/// A key as lines have it, with the space behind it.
pub(crate) fn key_column(key: &str) -> Vec<u8> {
    let mut line = Vec::with_capacity(key.len() + 8);
    Capture { key: Some(key.into()), ..Capture::default() }.write_cdxj(&mut line);
    let end = memchr::memchr(b' ', &line).map_or(line.len(), |space| space + 1);
    line.truncate(end);
    line
}
