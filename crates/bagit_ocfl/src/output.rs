//! Writes the files of a package to a sink, with their digests.

use std::io::{self, Read, Write as _};

use crate::digest::{Algorithm, Digest, Hasher};
use crate::error::Error;
use crate::tree::Sink;

/// Streams a file into the sink: how long it was, and its digest.
pub(crate) fn stream<S: Sink>(
    sink: &mut S,
    path: &str,
    mut content: impl Read,
    algorithm: Algorithm,
) -> Result<(u64, Digest), Error> {
    let mut file = sink.create(path).map_err(Error::write(path))?;
    let mut hasher = Hasher::new(algorithm);
    let mut bytes = 0;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(Error::Content { path: path.to_owned(), source }),
        };
        let piece = buffer.get(..count).unwrap_or_default();
        hasher.update(piece);
        file.write_all(piece).map_err(Error::write(path))?;
        bytes += count as u64;
    }
    sink.finish(file).map_err(Error::write(path))?;
    Ok((bytes, hasher.finish()))
}

/// Writes a small file that is all there.
pub(crate) fn whole<S: Sink>(sink: &mut S, path: &str, bytes: &[u8]) -> Result<(), Error> {
    let mut file = sink.create(path).map_err(Error::write(path))?;
    file.write_all(bytes).map_err(Error::write(path))?;
    sink.finish(file).map_err(Error::write(path))
}
