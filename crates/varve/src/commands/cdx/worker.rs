//! What the workers of `varve cdx make` do: from the records of a section to lines.

use std::io::Read as _;

use cdx::{Capture, Extra, Format, Value};
use cdx_indexer::{Indexer, Options};
use warc::parallel::{Emit, Section, Source as _};
use warc::{Algorithm, Fault, FaultKind, Hasher};

use super::what::What;
use crate::reading::{ArchiveFile, Counted};

/// Bytes of lines that a worker collects before it hands them on.
const BATCH_BYTES: usize = 64 << 10;
/// Faults likewise: a file of nothing else must not fill the memory.
const BATCH_FAULTS: usize = 1000;

/// Some lines, and what was wrong with the records in them.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) lines: Vec<u8>,
    pub(super) faults: Vec<Fault>,
    /// A record could not be indexed.
    pub(super) has_lost: bool,
}

/// All that a worker needs to know.
pub(super) struct Job {
    pub(super) what: What,
    pub(super) options: Options,
    pub(super) format: Format,
    pub(super) is_lenient: bool,
}

impl Job {
    /// Turns the records of a section into lines.
    pub(super) fn index(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
    ) -> Result<(), warc::Error> {
        let mut batch = Batch::default();
        let result = self.index_until_error(file, section, emit, &mut batch);
        batch.faults.extend(section.reader().take_faults());
        emit.send(batch)?;
        result
    }

    fn index_until_error(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
        batch: &mut Batch,
    ) -> Result<(), warc::Error> {
        let other = |error: &dyn std::fmt::Display| warc::Error::Read {
            offset: 0,
            source: std::io::Error::other(error.to_string()),
        };
        let filename = self.what.filename(&file.name).map_err(|error| other(&error))?;
        let mut indexer = Indexer::new(&filename, self.options.clone()).map_err(|error| other(&error))?;
        let mut captures: Vec<Capture<'static>> = Vec::new();
        while let Some(record) = section.next_record()? {
            let offset = record.offset();
            let pushed = indexer.push(record, &mut |capture| captures.push(capture));
            match pushed.map_err(|error| cause(error, offset)) {
                Ok(()) => {}
                Err(warc::Error::Fault(fault)) if self.is_lenient => {
                    batch.faults.push(fault);
                    batch.has_lost = true;
                }
                Err(error) => return Err(error),
            }
            let faults = section.reader().take_faults();
            let is_cut = faults.iter().any(|fault| fault.kind == FaultKind::TruncatedHead);
            batch.faults.extend(faults);
            // Of a record whose header broke off nobody can say what it is; a line for it would be noise.
            captures.retain(|capture| !(is_cut && capture.key.is_none()));
            self.write(file, &mut captures, &mut batch.lines)?;
            if batch.lines.len() >= BATCH_BYTES || batch.faults.len() >= BATCH_FAULTS {
                emit.send(std::mem::take(batch))?;
            }
        }
        indexer.finish(&mut |capture| captures.push(capture));
        self.write(file, &mut captures, &mut batch.lines)
    }

    fn write(
        &self,
        file: &ArchiveFile,
        captures: &mut Vec<Capture<'static>>,
        lines: &mut Vec<u8>,
    ) -> Result<(), warc::Error> {
        for mut capture in captures.drain(..) {
            if self.what.digest_records {
                let digest = digest_record(file, &capture)?;
                capture.extra.push(Extra::new("recordDigest", Value::Text(digest.into())));
            }
            self.format.write(&capture, lines);
            lines.push(b'\n');
        }
        Ok(())
    }
}

/// What stopped the indexer, as the file's fault where it is one.
fn cause(error: cdx_indexer::Error, offset: u64) -> warc::Error {
    match error {
        cdx_indexer::Error::Record(error) => error,
        cdx_indexer::Error::NotHttp { line, .. } => {
            Fault::new(offset, FaultKind::UnknownValue, format!("no HTTP/1 message, but `{line}`")).into()
        }
        other => warc::Error::Read { offset, source: std::io::Error::other(other) },
    }
}

/// SHA-256 of a record as it lies in its file.
fn digest_record(file: &ArchiveFile, capture: &Capture<'_>) -> Result<String, warc::Error> {
    let offset = capture.offset.unwrap_or_default();
    let failed = |source| warc::Error::Read { offset, source };
    let mut record = file.open_at(offset).map_err(failed)?.take(capture.length.unwrap_or_default());
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut buffer = vec![0; 16 << 10];
    loop {
        match record.read(&mut buffer).map_err(failed)? {
            0 => return Ok(format!("sha256:{}", hasher.finish().hex())),
            count => hasher.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}
