//! The document of a version: from the cache, or else from the archive.

use std::fmt;
use std::io::{self, Read};

use archive::{Archive, Form, Found};

use crate::bodies::{Bodies, digest_of};
use crate::error::Error;
use crate::version::Version;

/// A document that is being read, without chunk framing and codings. Reading waits for the disk.
pub struct Payload(Box<dyn Read + Send>);

impl Read for Payload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Payload")
    }
}

/// Opens a document, if it is what it was; it is read once for that.
pub(crate) fn open(archive: &Archive, bodies: &Bodies, version: &Version) -> Result<Option<Payload>, Error> {
    if let Some(body) = bodies.open(&version.digest) {
        return Ok(Some(Payload(body)));
    }
    let snapshot = archive.snapshot()?;
    let by_digest = match &version.payload {
        Some(payload) => snapshot.by_digest(payload).map_err(archive::Error::from)?,
        None => None,
    };
    // One that cannot be read may lie elsewhere, too.
    let found = by_digest.and_then(|row| archive.found(&row, &snapshot).ok().flatten());
    if let Some(payload) = found.and_then(|found| sound(&found, version)) {
        return Ok(Some(payload));
    }
    let found = archive.get(&version.url, Some(version.at))?;
    Ok(found.and_then(|found| sound(&found, version)))
}

/// The payload of a capture, if it is this version's. One whose coding cannot be taken off was compared as it was sent.
fn sound(found: &Found, version: &Version) -> Option<Payload> {
    [Form::Decoded, Form::Unchunked].into_iter().find_map(|form| {
        let digest = digest_of(found.payload(form).ok()?).ok()?;
        (digest == version.digest)
            .then(|| found.payload(form).ok().map(|payload| Payload(Box::new(payload))))?
    })
}
