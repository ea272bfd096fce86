//! Checksums of what is read, at whatever pace is wanted.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use warc::{Algorithm, Hasher};

use crate::error::Error;

/// Bytes that are read in one go.
const PIECE_BYTES: usize = 256 << 10;

/// Is told how many bytes were read since it was last told, and may wait, or say that it is enough.
pub type Pace<'a> = &'a mut (dyn FnMut(u64) -> ControlFlow<()> + Send);

/// Why reading did not come to its end.
#[derive(Debug)]
pub(crate) enum Cut {
    /// The source failed.
    Failed(io::Error),
    /// The pace said that it is enough.
    Stopped,
}

/// As fast as it goes.
pub(crate) fn no_hurry(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// SHA-256 and length of a file, from its start.
pub(crate) fn of_file(mut file: &File) -> io::Result<(String, u64)> {
    of(&mut file, &mut no_hurry).map_err(|cut| match cut {
        Cut::Failed(error) => error,
        Cut::Stopped => io::ErrorKind::Interrupted.into(),
    })
}

/// SHA-256 in lower-case hex, and length, of what can be read.
pub(crate) fn of(source: &mut dyn Read, pace: Pace<'_>) -> Result<(String, u64), Cut> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut buffer = vec![0; PIECE_BYTES];
    let mut bytes = 0;
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finish().hex(), bytes)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.map_err(Cut::Failed)?,
        };
        hasher.update(buffer.get(..count).unwrap_or_default());
        bytes += count as u64;
        if pace(count as u64).is_break() {
            return Err(Cut::Stopped);
        }
    }
}

impl Cut {
    /// As an error of ours, where the source's is turned into one.
    pub(crate) fn or(self, failed: impl FnOnce(io::Error) -> Error) -> Error {
        match self {
            Cut::Failed(error) => failed(error),
            Cut::Stopped => Error::Stopped,
        }
    }
}
