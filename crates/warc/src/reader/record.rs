//! One record, as a reader hands it out.

use std::io::{self, BufRead, Read};

use super::{Extent, HttpState, Reader};
use crate::error::Error;
use crate::fault::Fault;
use crate::http::HttpHead;
use crate::record::Head;

/// A record that is being read. Its block is read through [`Read`] and [`BufRead`].
#[derive(Debug)]
pub struct Record<'a, R> {
    reader: &'a mut Reader<R>,
}

impl<'a, R: Read> Record<'a, R> {
    pub(super) fn of(reader: &'a mut Reader<R>) -> Record<'a, R> {
        Record { reader }
    }

    /// The header.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.reader.head
    }

    /// Offset of the record in the file, or of the member that holds it.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.reader.current.as_ref().map_or(0, |current| current.offset)
    }

    /// Length of the block, as far as it has not been read.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.reader.current.as_ref().map_or(0, |current| current.left)
    }

    /// The head of the HTTP message in the block, if there is one. Reading goes on behind it: with the body.
    ///
    /// To be asked before anything of the block is read.
    pub fn http(&mut self) -> Result<Option<&HttpHead>, Error> {
        let limit = self.reader.options.limits.http_head_bytes;
        let holds_http = self.reader.head.holds_http();
        let Some(current) = &mut self.reader.current else { return Ok(None) };
        if current.http == HttpState::NotLooked {
            current.http = HttpState::Absent;
            let left = usize::try_from(current.left).unwrap_or(usize::MAX);
            if holds_http && let Some(length) = self.reader.find_http(left.min(limit), left <= limit)? {
                self.reader.consume_block(length);
                if let Some(current) = &mut self.reader.current {
                    current.http = HttpState::Found;
                }
            }
        }
        let found = self.reader.current.as_ref().is_some_and(|current| current.http == HttpState::Found);
        Ok(found.then_some(&self.reader.http))
    }

    /// The HTTP head, if [`Record::http`] has found one.
    #[must_use]
    pub fn http_head(&self) -> Option<&HttpHead> {
        let current = self.reader.current.as_ref()?;
        (current.http == HttpState::Found).then_some(&self.reader.http)
    }

    /// Reads to the end of the record: where it lies in the file. Its digests have been compared then.
    pub fn finish(self) -> Result<Extent, Error> {
        let offset = self.offset();
        self.reader.finish_current()?;
        Ok(self.reader.last_extent.unwrap_or(Extent { offset, length: 0 }))
    }

    /// Reads to the end of the record, and gives what was found wrong with it.
    pub fn finish_with_faults(self) -> Result<(Extent, Vec<Fault>), Error> {
        let Record { reader } = self;
        let extent = Record { reader: &mut *reader }.finish()?;
        Ok((extent, reader.take_faults()))
    }
}

impl<R: Read> BufRead for Record<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_block()?;
        Ok(self.reader.block_unread())
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume_block(count.min(self.reader.block_unread().len()));
    }
}

impl<R: Read> Read for Record<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let count = bytes.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
