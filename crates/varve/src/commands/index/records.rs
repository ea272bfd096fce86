//! From archive files to lines of an index: what the workers of `varve index add` do.

use cdx::{Capture, Format};
use cdx_indexer::{Indexer, Options};
use warc::parallel::{Emit, Section};
use warc::{Fault, FaultKind};

use crate::reading::{ArchiveFile, Counted, base_name};

/// Bytes of lines, and faults, that a worker collects before it hands them on.
const BATCH_BYTES: usize = 64 << 10;
const BATCH_FAULTS: usize = 1000;

/// Some lines, and what was wrong with the records in them.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) lines: Vec<u8>,
    pub(super) faults: Vec<Fault>,
}

/// Turns the records of a section into lines. A record that cannot be indexed is told and left out.
pub(super) fn index(
    file: &ArchiveFile,
    section: &mut Section<Counted>,
    emit: &mut Emit<'_, Batch>,
) -> Result<(), warc::Error> {
    let mut batch = Batch::default();
    // As `varve import` does it: what was posted is found again by what was sent.
    let options = Options { post_append: true, ..Options::default() };
    let mut indexer = Indexer::new(&base_name(&file.name), options).map_err(|error| cause(error, 0))?;
    let mut captures: Vec<Capture<'static>> = Vec::new();
    while let Some(record) = section.next_record()? {
        let offset = record.offset();
        match indexer
            .push(record, &mut |capture| captures.push(capture))
            .map_err(|error| cause(error, offset))
        {
            Ok(()) => {}
            Err(warc::Error::Fault(fault)) => batch.faults.push(fault),
            Err(error) => return Err(error),
        }
        batch.faults.extend(section.reader().take_faults());
        write(&mut captures, &mut batch.lines);
        if batch.lines.len() >= BATCH_BYTES || batch.faults.len() >= BATCH_FAULTS {
            emit.send(std::mem::take(&mut batch))?;
        }
    }
    indexer.finish(&mut |capture| captures.push(capture));
    write(&mut captures, &mut batch.lines);
    emit.send(batch)
}

/// Of a record that has no URL or no time nobody can ask for it.
fn write(captures: &mut Vec<Capture<'static>>, lines: &mut Vec<u8>) {
    for capture in captures.drain(..).filter(|capture| capture.key.is_some() && capture.timestamp.is_some()) {
        Format::Cdxj.write(&capture, lines);
        lines.push(b'\n');
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
