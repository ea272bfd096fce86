//! Reads an object from some byte on, in pieces that grow: whoever wants one record gets little more than that, whoever wants all of
//! it waits for few answers. Two pieces are in memory at most: the one that is read and the one that comes next.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore as _};
use tokio::task::JoinHandle;

use super::asking::Asking;
use crate::error::Error;

/// The first piece, where it is not known how much is wanted.
pub(super) const FIRST_BYTES: u64 = 64 << 10;
/// Each piece is so many times as long as the one before, up to that of a part.
const GROWTH: u64 = 4;

/// An object that is being read.
#[derive(Debug)]
pub(super) struct Reader {
    asking: Arc<Asking>,
    path: Path,
    /// Where the next piece begins.
    position: u64,
    /// How long the object is.
    length: u64,
    piece: Bytes,
    piece_bytes: u64,
    coming: Option<JoinHandle<object_store::Result<(Bytes, u64)>>>,
}

impl Reader {
    /// Asks for the first piece, so that what is missing is told at once. There is nothing to read behind the end.
    pub(super) fn open(
        asking: &Arc<Asking>,
        path: Path,
        offset: u64,
        piece_bytes: u64,
    ) -> Result<Reader, Error> {
        let range = offset..offset.saturating_add(piece_bytes.max(1));
        let first = asking.ask(&path, || piece(asking, &path, range.clone()));
        let (piece, length) = match first {
            Ok(found) => found,
            Err(error @ (Error::Missing(_) | Error::Denied { .. } | Error::Unreachable { .. })) => {
                return Err(error);
            }
            // Servers refuse a range that begins behind the end.
            Err(error) => {
                let facts = asking.ask(&path, || head(asking, &path))?;
                if facts > offset {
                    return Err(error);
                }
                (Bytes::new(), facts)
            }
        };
        let position = offset.saturating_add(piece.len() as u64);
        Ok(Reader { asking: Arc::clone(asking), path, position, length, piece, piece_bytes, coming: None })
    }

    /// Takes the next piece, and asks for the one behind it.
    fn refill(&mut self) -> Result<(), Error> {
        let arrived = match self.coming.take() {
            Some(coming) => self.asking.wait(coming).unwrap_or_else(|lost| {
                Err(object_store::Error::Generic { store: "S3", source: Box::new(lost) })
            }),
            None => {
                let range = self.next_range();
                self.asking.wait(self.asking.tried(|| piece(&self.asking, &self.path, range.clone())))
            }
        };
        let (piece, length) = arrived.map_err(|error| self.asking.error(&self.path, error))?;
        if length != self.length {
            // Another object has taken its place meanwhile: half of each is neither.
            return Err(Error::Source(self.asking.place(&self.path)));
        }
        self.position += piece.len() as u64;
        self.piece = piece;
        self.ask_ahead();
        Ok(())
    }

    fn ask_ahead(&mut self) {
        if self.position >= self.length {
            return;
        }
        let (asking, path, range) = (Arc::clone(&self.asking), self.path.clone(), self.next_range());
        let coming = async move { asking.tried(|| piece(&asking, &path, range.clone())).await };
        self.coming = Some(self.asking.runtime().spawn(coming));
    }

    fn next_range(&mut self) -> std::ops::Range<u64> {
        self.piece_bytes =
            (self.piece_bytes.saturating_mul(GROWTH)).min(self.asking.limits.part_bytes as u64);
        self.position..self.position.saturating_add(self.piece_bytes.max(1)).min(self.length)
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() && self.position < self.length {
            self.refill().map_err(io::Error::other)?;
        }
        let count = self.piece.len().min(buffer.len());
        self.piece.copy_to_slice(buffer.get_mut(..count).unwrap_or_default());
        Ok(count)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(coming) = &self.coming {
            coming.abort();
        }
    }
}

/// The error that made reading fail: ours, where it was one.
pub(super) fn unwrapped(place: &str, error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(ours) => ours,
        Err(error) => Error::read(std::path::Path::new(place))(error),
    }
}

/// How long an object is.
pub(super) async fn head(asking: &Asking, path: &Path) -> object_store::Result<u64> {
    let options = GetOptions { head: true, ..GetOptions::default() };
    Ok(asking.client.get_opts(path, options).await?.meta.size)
}

/// A piece of an object, and how long all of it is. Less than the server promised is a failure.
async fn piece(
    asking: &Asking,
    path: &Path,
    range: std::ops::Range<u64>,
) -> object_store::Result<(Bytes, u64)> {
    let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
    let found = asking.client.get_opts(path, options).await?;
    let (length, promised) = (found.meta.size, found.range.end.saturating_sub(found.range.start));
    let bytes = found.bytes().await?;
    if bytes.len() as u64 != promised {
        let source = format!("{} bytes came of {promised}", bytes.len()).into();
        return Err(object_store::Error::Generic { store: "S3", source });
    }
    Ok((bytes, length))
}
