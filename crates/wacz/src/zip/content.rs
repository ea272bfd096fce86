//! What an entry holds, unpacked and checked while it is read.

use std::fmt;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::fields::Fields;
use super::{Entry, Method, Span, Window, length, signature};
use crate::error::Error;

/// What an entry holds. Never more than its length says; at the end length and checksum must agree, or that is an error.
pub struct Content<R> {
    inner: Inner<R>,
    name: String,
    crc: Crc,
    expected: (u64, u32),
    read: u64,
    is_over: bool,
}

enum Inner<R> {
    Stored(Window<R>),
    Deflated(Box<DeflateDecoder<BufReader<Window<R>>>>),
}

impl<R> fmt::Debug for Content<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("name", &self.name).field("read", &self.read).finish_non_exhaustive()
    }
}

/// Opens an entry.
pub(crate) fn open<R: Read + Seek>(mut source: R, entry: &Entry) -> Result<Content<R>, Error> {
    let span = data(&mut source, entry)?;
    let window = Window::new(source, span).map_err(Error::Read)?;
    let inner = match entry.method {
        Method::Stored => Inner::Stored(window),
        Method::Deflated => {
            let packed = BufReader::with_capacity(32 << 10, window);
            Inner::Deflated(Box::new(DeflateDecoder::new(packed)))
        }
        Method::Other(method) => return Err(Error::Method { name: entry.name.clone(), method }),
    };
    let expected = (entry.bytes, entry.crc);
    Ok(Content { inner, name: entry.name.clone(), crc: Crc::new(), expected, read: 0, is_over: false })
}

/// Where in the source an entry lies that is stored as it is.
pub(crate) fn span<R: Read + Seek>(source: &mut R, entry: &Entry) -> Result<Span, Error> {
    match entry.method {
        Method::Stored => data(source, entry),
        _ => Err(Error::NotStored(entry.name.clone())),
    }
}

/// Where the bytes of an entry lie: behind its local header, which has a length of its own.
fn data<R: Read + Seek>(source: &mut R, entry: &Entry) -> Result<Span, Error> {
    let damaged = |what| Error::Content { name: entry.name.clone(), what };
    // That there is nothing more is not the disk's fault, but that of whoever wrote the lengths.
    let unread = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("breaks off in its own header"),
        _ => Error::Read(error),
    };
    source.seek(SeekFrom::Start(entry.header_at)).map_err(Error::Read)?;
    let mut header = [0; length::LOCAL as usize];
    source.read_exact(&mut header).map_err(unread)?;
    let mut fields = Fields(&header);
    if fields.u32() != Some(signature::LOCAL) {
        return Err(damaged("has no header where the directory says"));
    }
    fields.take(22);
    let (Some(name), Some(extra)) = (fields.u16(), fields.u16()) else {
        return Err(damaged("has no header where the directory says"));
    };
    let mut found = vec![0; usize::from(name)];
    source.read_exact(&mut found).map_err(unread)?;
    if found != entry.name.as_bytes() {
        return Err(damaged("has another name in its own header"));
    }
    let start = entry.header_at + length::LOCAL + u64::from(name) + u64::from(extra);
    Ok(Span { start, bytes: entry.packed_bytes })
}

impl<R: Read> Content<R> {
    fn fail(&self, what: &'static str) -> io::Error {
        Error::Content { name: self.name.clone(), what }.into_io()
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over || buffer.is_empty() {
            return Ok(0);
        }
        let count = match &mut self.inner {
            Inner::Stored(window) => window.read(buffer)?,
            Inner::Deflated(decoder) => decoder.read(buffer).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                    Error::Content { name: self.name.clone(), what: "cannot be unpacked" }.into_io()
                }
                _ => error,
            })?,
        };
        let (bytes, crc) = self.expected;
        if count == 0 {
            self.is_over = true;
            if self.read != bytes {
                return Err(self.fail("is shorter than the directory says"));
            }
            if self.crc.sum() != crc {
                return Err(self.fail("has another checksum than the directory says"));
            }
            return Ok(0);
        }
        self.read += count as u64;
        if self.read > bytes {
            return Err(self.fail("is longer than the directory says"));
        }
        self.crc.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
