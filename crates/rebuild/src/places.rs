//! Where a file's bytes may be had: in the store, or in another replica.

use std::io::{self, Read};
use std::sync::Arc;

use archive::Error;
use archive::Stop;
use archive::job_files::JobFile;
use store::Store;
use store::replica::Replica;
use warc::{Algorithm, Hasher};

/// The bytes of a file.
pub(crate) type Source = Box<dyn Read + Send>;

/// The store, and the other replicas.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) store: &'a Store,
    pub(crate) replicas: &'a [Arc<dyn Replica>],
    pub(crate) stop: &'a Stop,
}

impl Places<'_> {
    /// From the store.
    pub(crate) fn here(&self, name: &str, offset: u64) -> Result<Source, Error> {
        Ok(Box::new(self.store.read(name, offset)?))
    }

    /// From each other replica that has it, and their numbers, counted from 1.
    pub(crate) fn elsewhere(&self, kept: &JobFile) -> impl Iterator<Item = (usize, Source)> {
        let full = self.replicas.iter().enumerate().filter(|(_, replica)| replica.is_full());
        let opened =
            full.filter_map(|(number, replica)| Some((number + 1, replica.open(&kept.name, 0).ok()?)));
        // Where nothing says what it should be, no copy can be told from a bad one.
        opened.take_while(|_| kept.sha256.is_some())
    }

    /// What is read through this is hashed, and told.
    pub(crate) fn hashing<'t, R: Read>(&'t self, source: R, tell: &'t dyn Fn(u64)) -> Hashing<'t, R> {
        Hashing { source, hasher: Hasher::new(Algorithm::Sha256), tell, stop: self.stop }
    }
}

/// What is read, on its way.
pub(crate) struct Hashing<'a, R> {
    source: R,
    hasher: Hasher,
    tell: &'a dyn Fn(u64),
    stop: &'a Stop,
}

impl<R: Read> Hashing<'_, R> {
    /// Reads what is left: SHA-256 in lower-case hex of all of it.
    pub(crate) fn finish(mut self) -> io::Result<String> {
        let mut buffer = vec![0; 256 << 10];
        loop {
            match self.read(&mut buffer) {
                Ok(0) => return Ok(self.hasher.finish().hex()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                count => {
                    count?;
                }
            }
        }
    }
}

impl<R: Read> Read for Hashing<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stop.check().map_err(io::Error::other)?;
        let count = self.source.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        (self.tell)(count as u64);
        Ok(count)
    }
}
