//! A payload in the form that is wanted, checked to its end.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Mutex, PoisonError};

use warc::{Coding, Dechunk, HttpHead};

use super::body::Body;

/// How a payload is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// As the server sent it, chunk framing and content coding included.
    Sent,
    /// Without chunk framing.
    Unchunked,
    /// Without chunk framing and content coding. A coding that is not known stays.
    #[default]
    Decoded,
}

/// A payload that is being read. Where it is not what was captured, the read that comes to its end says so, with
/// [`io::ErrorKind::InvalidData`].
pub struct Payload {
    reader: Box<dyn Read + Send>,
    body: Shared,
    length: Option<u64>,
    is_over: bool,
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payload").finish_non_exhaustive()
    }
}

impl Payload {
    /// Reads a body. The head is that of the capture, which may have sent these bytes with other codings than the record that holds
    /// them. How they are framed only that record knows: programs whose digests leave the framing out take a document in chunks and one
    /// of a known length for the same. Where digests have it in them, as ours do, both heads say the same.
    pub(super) fn new(body: Body, http: Option<&HttpHead>, form: Form, limit: u64) -> io::Result<Payload> {
        let length = body.length();
        let is_chunked = body.http().is_some_and(HttpHead::is_chunked);
        let body = Shared(Arc::new(Mutex::new(body)));
        let sent = io::BufReader::with_capacity(64 << 10, body.clone());
        let is_dechunked = form != Form::Sent && is_chunked;
        let entity: Box<dyn BufRead + Send> =
            if is_dechunked { Box::new(Dechunk::new(sent)) } else { Box::new(sent) };
        let codings = match form {
            Form::Decoded => http.and_then(|http| http.text("content-encoding")),
            Form::Sent | Form::Unchunked => None,
        };
        let codings = codings.and_then(|value| Coding::list(&value)).unwrap_or_default();
        let length = length.filter(|_| !is_dechunked && codings.is_empty());
        Ok(Payload { reader: warc::decoder(entity, &codings, limit)?, body, length, is_over: false })
    }

    /// How many bytes it has from its start, by the header of its record; `None` where chunk framing or a coding is removed, so that only
    /// reading tells.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.length
    }
}

impl Read for Payload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if count == 0 && !buffer.is_empty() && !self.is_over {
            // A coding may end before the record does, and the digest is of all of it.
            io::copy(&mut self.body, &mut io::sink())?;
            self.is_over = true;
        }
        Ok(count)
    }
}

/// The record under all the layers, which the topmost has to read to its end.
#[derive(Debug, Clone)]
struct Shared(Arc<Mutex<Body>>);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Nobody else has it while somebody reads.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer)
    }
}
