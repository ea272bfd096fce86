//! Writes records, one member each.
//!
//! The same inputs give the same bytes. What [`Writer::sync`] has returned for is on the disk; after a failed write or
//! sync nobody knows what is, so the writer refuses everything until the file is opened again and its tail cut off at
//! [`Writer::durable`] (or at what [`sound_part`](crate::sound_part) says).

use std::io::{self, Read, Write};

use super::draft::Draft;
use super::encode::{Encoding, MemberEncoder};
use crate::error::Error;
use crate::reader::Extent;

/// A place to write that can be told to bring everything to the disk.
pub trait Durable: Write {
    /// Returns once all that was written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Durable for std::fs::File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl Durable for Vec<u8> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes one file. Rotation is the caller's: [`Writer::position`] tells how long the file is.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    encoder: MemberEncoder,
    position: u64,
    durable: u64,
    poisoned: bool,
}

impl<W: Write> Writer<W> {
    /// Begins an empty file.
    pub fn new(sink: W, encoding: &Encoding) -> Result<Writer<W>, Error> {
        Writer::resume(sink, encoding, 0)
    }

    /// Goes on with a file that is sound and durable up to `position`, where `sink` stands.
    pub fn resume(mut sink: W, encoding: &Encoding, position: u64) -> Result<Writer<W>, Error> {
        let encoder = MemberEncoder::new(encoding).map_err(Error::Write)?;
        // A file that was cut off before its first record has lost its dictionary too.
        let head = if position == 0 { encoding.file_head() } else { Vec::new() };
        sink.write_all(&head).map_err(Error::Write)?;
        let written = position + head.len() as u64;
        Ok(Writer { sink, encoder, position: written, durable: position, poisoned: false })
    }

    /// Where the next record will stand: the length of the file so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Up to where the file is known to be on the disk.
    pub fn durable(&self) -> u64 {
        self.durable
    }

    /// Writes a record with this block; where it lies.
    pub fn write(&mut self, draft: &Draft, block: &[u8]) -> Result<Extent, Error> {
        self.write_from(draft, block.len() as u64, block)
    }

    /// Writes a record whose block of `length` bytes comes from a source; where it lies.
    pub fn write_from(&mut self, draft: &Draft, length: u64, block: impl Read) -> Result<Extent, Error> {
        if self.poisoned {
            return Err(Error::Poisoned);
        }
        let head = draft.to_bytes(length)?;
        let offset = self.position;
        // Until the whole member is out, the file is not sound.
        self.poisoned = true;
        let written = self.write_member(&head, length, block)?;
        self.poisoned = false;
        self.position += written;
        Ok(Extent { offset, length: written })
    }

    fn write_member(&mut self, head: &[u8], length: u64, mut block: impl Read) -> Result<u64, Error> {
        let (encoder, sink) = (&mut self.encoder, &mut self.sink);
        encoder.begin(head.len() as u64 + length + 4).map_err(Error::Write)?;
        let mut written = encoder.push(head, sink).map_err(Error::Write)?;
        let mut buffer = vec![0; 64 << 10];
        let mut found = 0;
        while found < length {
            let room = usize::try_from(length - found).unwrap_or(usize::MAX).min(buffer.len());
            let space = buffer.get_mut(..room).unwrap_or_default();
            let count = match block.read(space) {
                Ok(0) => return Err(Error::BlockLength { expected: length, found }),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(Error::Read { offset: found, source }),
            };
            found += count as u64;
            written += encoder.push(space.get(..count).unwrap_or_default(), sink).map_err(Error::Write)?;
        }
        written += encoder.push(b"\r\n\r\n", sink).map_err(Error::Write)?;
        written += encoder.end(sink).map_err(Error::Write)?;
        Ok(written)
    }

    /// Hands everything on to the sink, which is not to say to the disk.
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.poisoned {
            return Err(Error::Poisoned);
        }
        self.sink.flush().inspect_err(|_| self.poisoned = true).map_err(Error::Write)
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> W {
        self.sink
    }
}

impl<W: Durable> Writer<W> {
    /// Brings everything written to the disk: how much of the file is durable.
    pub fn sync(&mut self) -> Result<u64, Error> {
        self.flush()?;
        self.sink.sync().inspect_err(|_| self.poisoned = true).map_err(Error::Write)?;
        self.durable = self.position;
        Ok(self.durable)
    }
}
