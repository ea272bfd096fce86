//! Brings a file into a bucket: small ones in one request, others in parts, a few of them under way at once. It gets its name when all
//! of it has arrived and is what it should be.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path;
use object_store::{ObjectStore as _, PutOptions};
use tokio::task::JoinSet;

use super::super::{Found, differ};
use super::asking::Asking;
use super::reader::head;
use crate::digest::{self, Pace};
use crate::error::Error;
use crate::store::Sealed;

/// Parts that are under way at once.
const UNDER_WAY_MAX: usize = 3;
/// So long it is waited for those that are under way when it is given up.
const ENDING: Duration = Duration::from_secs(5);
/// A server takes no more parts of one object.
/// <https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html>
const PARTS_MAX: u64 = 10_000;

/// Brings a file to this path, over whatever is there.
pub(super) fn put(
    asking: &Arc<Asking>,
    path: &Path,
    file: &Sealed,
    source: &mut dyn Read,
    pace: Pace<'_>,
) -> Result<(), Error> {
    let mut upload = Upload::new(asking, path, file);
    let sent = upload.send(source, pace).and_then(|()| upload.complete());
    if sent.is_err() {
        upload.abort();
    }
    sent
}

/// A file on its way.
struct Upload<'a> {
    asking: &'a Arc<Asking>,
    path: &'a Path,
    file: &'a Sealed,
    part_bytes: usize,
    /// How much was read.
    sent: u64,
    /// What was read and not yet sent.
    part: Vec<u8>,
    /// The name of an upload in parts, once there is one.
    id: Option<String>,
    under_way: JoinSet<object_store::Result<(usize, PartId)>>,
    begun: usize,
    parts: Vec<(usize, PartId)>,
}

impl<'a> Upload<'a> {
    fn new(asking: &'a Arc<Asking>, path: &'a Path, file: &'a Sealed) -> Upload<'a> {
        let least = usize::try_from(file.bytes.div_ceil(PARTS_MAX)).unwrap_or(usize::MAX);
        Upload {
            asking,
            path,
            file,
            part_bytes: asking.limits.part_bytes.max(least).max(1),
            sent: 0,
            part: Vec::new(),
            id: None,
            under_way: JoinSet::new(),
            begun: 0,
            parts: Vec::new(),
        }
    }

    /// Reads the source to its end and sends all parts but the last.
    fn send(&mut self, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        let file = self.file;
        let mut sending = Sending { source, upload: self, fault: None };
        let digested = digest::of(&mut sending, pace);
        if let Some(fault) = sending.fault {
            return Err(fault);
        }
        let (sha256, bytes) = digested.map_err(|cut| cut.or(Error::copy(&file.name)))?;
        if differ(file, &Found { sha256, bytes: Some(bytes) }) {
            return Err(Error::Source(file.name.clone()));
        }
        Ok(())
    }

    /// Takes more of the file; what fills a part is sent.
    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            if self.part.len() >= self.part_bytes {
                self.send_part()?;
            }
            if self.part.capacity() == 0 {
                let room = self.file.bytes.min(self.part_bytes as u64);
                self.part.reserve_exact(usize::try_from(room).unwrap_or_default());
            }
            let room = self.part_bytes - self.part.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.part.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    /// Sends what was gathered as the next part. Waits where enough are under way.
    fn send_part(&mut self) -> Result<(), Error> {
        let id = match &self.id {
            Some(id) => id.clone(),
            None => {
                let create = || self.asking.client.create_multipart(self.path);
                let id = self.asking.ask(self.path, create)?;
                self.id.insert(id).clone()
            }
        };
        while self.under_way.len() >= UNDER_WAY_MAX {
            self.arrived()?;
        }
        let part = Bytes::from(std::mem::take(&mut self.part));
        let (asking, path, number) = (Arc::clone(self.asking), self.path.clone(), self.begun);
        self.begun += 1;
        let sending = async move {
            let put = || asking.client.put_part(&path, &id, number, part.clone().into());
            asking.tried(put).await.map(|part| (number, part))
        };
        self.under_way.spawn_on(sending, self.asking.runtime().handle());
        Ok(())
    }

    /// Waits until one more part has arrived; `false` when none is under way.
    fn arrived(&mut self) -> Result<bool, Error> {
        match self.asking.wait(self.under_way.join_next()) {
            None => return Ok(false),
            Some(Ok(Ok(part))) => self.parts.push(part),
            Some(Ok(Err(error))) => return Err(self.asking.error(self.path, error)),
            Some(Err(lost)) => {
                return Err(Error::Answer { place: self.asking.place(self.path), source: Box::new(lost) });
            }
        }
        Ok(true)
    }

    /// Gives it its name.
    fn complete(&mut self) -> Result<(), Error> {
        let Some(id) = self.id.clone() else {
            let all = Bytes::from(std::mem::take(&mut self.part));
            let put = || self.asking.client.put_opts(self.path, all.clone().into(), PutOptions::default());
            return self.asking.ask(self.path, put).map(|_| ());
        };
        self.send_part()?;
        while self.arrived()? {}
        self.parts.sort_by_key(|(number, _)| *number);
        let parts: Vec<PartId> = self.parts.iter().map(|(_, part)| part.clone()).collect();
        let complete = || self.asking.client.complete_multipart(self.path, &id, parts.clone());
        let Err(error) = self.asking.ask(self.path, complete) else { return Ok(()) };
        // It may be complete, and only the answer was lost: then the upload is not known any more when it is asked again.
        match self.asking.ask(self.path, || head(self.asking, self.path)) {
            Ok(length) if length == self.sent => Ok(()),
            _ => Err(error),
        }
    }

    /// Has the server throw away the parts that arrived. Where that fails, too, a rule of the bucket has to do it.
    fn abort(&mut self) {
        let Some(id) = self.id.take() else { return };
        let under_way = &mut self.under_way;
        self.asking.wait(async {
            // A part that arrives behind the end of its upload may lie there for ever.
            let arriving = async { while under_way.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(ENDING, arriving).await;
            under_way.shutdown().await;
        });
        let _ = self.asking.ask(self.path, || self.asking.client.abort_multipart(self.path, &id));
    }
}

/// Sends what is read.
struct Sending<'a, 'b> {
    source: &'a mut dyn Read,
    upload: &'a mut Upload<'b>,
    /// That it cannot be sent is another fault than that it cannot be read.
    fault: Option<Error>,
}

impl Read for Sending<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let bytes = buffer.get(..count).unwrap_or_default();
        let sent = self.upload.sent.saturating_add(count as u64);
        // A length that was written down may be wrong where the checksum is right; but it must fit.
        let taken = if sent <= PARTS_MAX.saturating_mul(self.upload.part_bytes as u64) {
            self.upload.sent = sent;
            self.upload.take(bytes)
        } else {
            Err(Error::Source(self.upload.file.name.clone()))
        };
        taken.map(|()| count).map_err(|fault| {
            self.fault = Some(fault);
            io::ErrorKind::Other.into()
        })
    }
}
