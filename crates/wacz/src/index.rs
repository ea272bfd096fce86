//! The captures that an index inside a package lists.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;

use crate::error::Error;
use crate::limits::Limits;

/// Reads the lines of an index, packed or not.
pub struct IndexReader<'a> {
    lines: cdx::Reader<Box<dyn BufRead + 'a>>,
    name: String,
}

impl fmt::Debug for IndexReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexReader").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> IndexReader<'a> {
    /// Of an entry of this name and length, packed by gzip if its name says so.
    pub(crate) fn new(source: impl Read + 'a, name: &str, bytes: u64, limits: &Limits) -> IndexReader<'a> {
        let source: Box<dyn BufRead + 'a> = if name.ends_with(".gz") {
            // What it unfolds to is bounded as it is for the package itself.
            let most = limits.harmless_bytes.max(bytes.saturating_mul(limits.ratio));
            Box::new(BufReader::new(MultiGzDecoder::new(source).take(most)))
        } else {
            Box::new(BufReader::new(source))
        };
        IndexReader { lines: cdx::Reader::new(source), name: name.to_owned() }
    }

    /// The next capture; `None` behind the last.
    ///
    /// # Errors
    /// When a line cannot be understood: the next call goes on behind it; or when the entry cannot be read.
    pub fn next_capture(&mut self) -> Option<Result<cdx::Capture<'_>, Error>> {
        let IndexReader { lines, name } = self;
        let found = lines.next_capture()?;
        Some(found.map_err(|source| Error::Index { entry: name.clone(), source }))
    }

    /// Number of the line that was read last, counted from 1.
    #[must_use]
    pub fn line_number(&self) -> u64 {
        self.lines.line_number()
    }
}
