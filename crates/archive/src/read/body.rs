//! One record of a sealed file: its head, and a block that is checked while it is read.

use std::io::{self, Read};

use store::Store;
use warc::{Compression, Extent, Head, HttpHead, Nature, Options, Reader};

use super::places::{Places, Spot, digest_fault, words};
use crate::error::Error;

/// A record that has been opened. Reading gives what stands behind the HTTP head, if it has one.
///
/// A short one has been checked already. Of a long one the last bytes are only given when the digests of its header agree with all
/// that was read; else there is an error in their place, and in that of all that follows;
/// who asks for the record again gets it from elsewhere, if it is elsewhere.
pub(super) struct Body {
    head: Head,
    http: Option<HttpHead>,
    /// The start of the block, or all of it.
    held: Vec<u8>,
    given: usize,
    rest: Option<Rest>,
    failed: bool,
}

/// What of a long block has not been read.
struct Rest {
    reader: Reader<Box<dyn Read + Send>>,
    places: Places,
    place: usize,
    spot: Spot,
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("head", &self.head).finish_non_exhaustive()
    }
}

impl Body {
    /// Opens a record in one place; `None` where there is none.
    pub(super) fn open(
        places: &Places,
        place: usize,
        spot: &Spot,
        verify: bool,
    ) -> Result<Option<Body>, Error> {
        let options = Options { verify, ..Options::default() };
        let nature = places.nature(place, &spot.file, &options)?;
        let extent = Extent { offset: spot.offset, length: spot.length.unwrap_or(0) };
        let source = places.source(place, &spot.file, spot.offset)?;
        let mut reader = Reader::one(source, extent, &nature, options)?;
        let Some(mut record) = reader.next_record()? else { return Ok(None) };
        let http = record.http()?.cloned();
        let head = record.head().clone();
        let at_once = record.left().min(places.checked_bytes);
        let is_whole = record.left() == at_once;
        let mut held = Vec::with_capacity(usize::try_from(at_once).unwrap_or_default());
        (&mut record).take(at_once).read_to_end(&mut held).map_err(|error| failed(error, spot))?;
        let rest = if is_whole {
            record.finish()?;
            None
        } else {
            Some(Rest { reader, places: places.clone(), place, spot: spot.clone() })
        };
        Ok(Some(Body { head, http, held, given: 0, rest, failed: false }))
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

impl Rest {
    /// Reads on; and to the end of the record, where the block ends.
    fn read(&mut self, buffer: &mut [u8]) -> Result<(usize, bool), Error> {
        let read = self.reader.record().read(buffer).map_err(|error| failed(error, &self.spot))?;
        if self.reader.record().left() > 0 && read > 0 {
            return Ok((read, false));
        }
        match self.reader.record().finish().map_err(Error::from) {
            Ok(_) => {}
            Err(error)
                if digest_fault(&error)
                    .is_some_and(|fault| self.places.is_as_accepted(self.place, &self.spot, fault)) =>
            {
                self.places.tell(&self.spot, self.place, words(&error), Some(self.place));
            }
            Err(error) => return Err(error),
        }
        Ok((read, true))
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut held = self.held.get(self.given..).unwrap_or_default();
        if !held.is_empty() {
            let count = held.read(buffer)?;
            self.given += count;
            return Ok(count);
        }
        // The rest may take a slow client hours.
        (self.held, self.given) = (Vec::new(), 0);
        if self.failed {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the record could not be read to its end",
            ));
        }
        let Some(rest) = &mut self.rest else { return Ok(0) };
        match rest.read(buffer) {
            Ok((count, is_over)) => {
                if is_over {
                    self.rest = None;
                }
                Ok(count)
            }
            Err(error) => {
                rest.places.set_bad(rest.place, &rest.spot);
                rest.places.tell(&rest.spot, rest.place, words(&error), None);
                self.failed = true;
                self.rest = None;
                Err(match error {
                    Error::Record(error) => error.into(),
                    error => io::Error::new(io::ErrorKind::InvalidData, error),
                })
            }
        }
    }
}

/// The error that made reading a block fail.
fn failed(error: io::Error, spot: &Spot) -> Error {
    let offset = spot.offset;
    Error::Record(error.downcast().unwrap_or_else(|source| warc::Error::Read { offset, source }))
}

/// How a file of the store is packed, which a reader that begins in its middle needs to know.
///
/// # Errors
/// When the file cannot be read.
pub fn nature(store: &Store, file: &str, options: &Options) -> Result<Nature, Error> {
    if file.ends_with(".gz") {
        return Ok(Nature { compression: Compression::Gzip, dictionary: Vec::new() });
    }
    Ok(Nature::of(store.read(file, 0)?, options.limits)?)
}
