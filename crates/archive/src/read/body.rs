//! One record of a sealed file: its head, and a block that is checked while it is read.

use std::io::{self, Read};

use store::{Opened, Store};
use warc::{Compression, Extent, Head, HttpHead, Nature, Options, Reader};

use crate::error::Error;

/// A record that has been opened. Reading gives what stands behind the HTTP head, if it has one; at the end the digests of the
/// record's header must agree with what was read, or that is an error.
pub(super) struct Body {
    reader: Reader<Opened>,
    head: Head,
    http: Option<HttpHead>,
    is_over: bool,
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("head", &self.head).finish_non_exhaustive()
    }
}

impl Body {
    /// Opens the record of this file that begins at this byte, and has so many as far as is known.
    pub(super) fn open(
        store: &Store,
        file: &str,
        offset: u64,
        length: Option<u64>,
    ) -> Result<Option<Body>, Error> {
        let options = Options { verify: true, ..Options::default() };
        let nature = nature(store, file, &options)?;
        let extent = Extent { offset, length: length.unwrap_or(0) };
        let mut reader = Reader::one(store.read(file, offset)?, extent, &nature, options)?;
        let Some(mut record) = reader.next_record()? else { return Ok(None) };
        let http = record.http()?.cloned();
        let head = record.head().clone();
        Ok(Some(Body { reader, head, http, is_over: false }))
    }

    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    pub(super) fn http(&self) -> Option<&HttpHead> {
        self.http.as_ref()
    }

    /// Bytes behind the HTTP head, by the record's header.
    pub(super) fn length(&self) -> Option<u64> {
        let head = self.http.as_ref().map_or(0, |http| http.raw().len());
        self.head.content_length()?.checked_sub(head as u64)
    }
}

/// How this file is to be read from the middle.
pub(crate) fn nature(store: &Store, file: &str, options: &Options) -> Result<Nature, Error> {
    if file.ends_with(".gz") {
        return Ok(Nature { compression: Compression::Gzip, dictionary: Vec::new() });
    }
    Ok(Nature::of(store.read(file, 0)?, options.limits)?)
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over || buffer.is_empty() {
            return Ok(0);
        }
        let count = self.reader.record().read(buffer)?;
        if count == 0 {
            self.is_over = true;
            self.reader.record().finish()?;
        }
        Ok(count)
    }
}
