//! Writes what is readable of a damaged file to a new one, and says what was lost.
//!
//! Whole records are kept as they are, header and block. Of a record that breaks off, what is there is kept, with its true length and
//! `WARC-Truncated: unspecified`, and without the digests that no longer fit. A record whose compressed member has a wrong checksum
//! is kept with its digests and marked. ARC becomes WARC.

use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;
use warc::{Draft, Fault, FaultKind, Limits, Name, Options, Reader, Record, Severity, Writer};

use super::conversion::Conversion;

/// A block up to this size is held in memory until its length is known; a longer one goes to a temporary file.
const SPOOL_BYTES: usize = 4 << 20;
/// Faults that are listed; further ones are counted.
const FAULTS_KEPT: usize = 10_000;
/// The field that marks a record whose bytes nothing vouches for.
const SALVAGED: &str = "X-Varve-Salvaged";
const BAD_MEMBER: &str = "checksum of the compressed member was wrong";
const BAD_DIGEST: &str = "digest of the header was wrong";

/// Which records are worth keeping, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Salvaging {
    /// Leave out records that break off or whose checksum is wrong.
    pub whole_only: bool,
    /// Take out digests that do not agree with their record, and mark it: so it can be read later without being refused.
    pub drop_digests: bool,
}

/// What became of a damaged file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// Records written.
    pub records: u64,
    /// Of these, records whose block breaks off.
    pub partial: u64,
    /// Of these, whole records in a member whose checksum is wrong.
    pub damaged: u64,
    /// Records that were left out: their header breaks off or lacks what every record needs, or only whole ones are wanted.
    pub dropped: u64,
    /// Bytes of the damaged file that belong to no record.
    pub lost_bytes: u64,
    /// How many faults there are; more than are listed if there are very many.
    pub fault_count: u64,
    /// Faults that are more than advice.
    pub faults: Vec<Fault>,
}

/// Reads a damaged file of this name, and writes its records to a new one.
///
/// # Errors
/// When the source itself cannot be read, or the new file cannot be written.
pub fn salvage<R: Read, W: Write>(
    source: R,
    (name, out): (&str, &Path),
    writer: &mut Writer<W>,
    how: Salvaging,
) -> Result<Salvaged, warc::Error> {
    let options = Options { lenient: true, verify: true, limits: Limits::default() };
    let mut reader = Reader::new(source, options)?;
    let mut salvaged = Salvaged::default();
    let mut conversion = Conversion::of(name, out);
    while let Some(record) = reader.next_record()? {
        salvaged.take(record, &mut conversion, writer, how)?;
    }
    salvaged.tell(reader.take_faults());
    Ok(salvaged)
}

impl Salvaged {
    fn take<R: Read, W: Write>(
        &mut self,
        mut record: Record<'_, R>,
        conversion: &mut Conversion,
        writer: &mut Writer<W>,
        how: Salvaging,
    ) -> Result<(), warc::Error> {
        let head = record.head().clone();
        let offset = record.offset();
        let said = record.left();
        let mut block = SpooledTempFile::new_in(SPOOL_BYTES, conversion.room());
        let length = io::copy(&mut record, &mut block).map_err(aside)?;
        block.seek(SeekFrom::Start(0)).map_err(aside)?;
        let (_, faults) = record.finish_with_faults()?;
        // Faults of what lies before the record come with it too.
        let has = |kind: FaultKind| faults.iter().any(|fault| fault.kind == kind && fault.offset == offset);
        let partial = length < said || has(FaultKind::WrongLength);
        let damaged = !partial && has(FaultKind::BadMember);
        let headless = has(FaultKind::TruncatedHead);
        let disagrees = how.drop_digests && (has(FaultKind::BlockDigest) || has(FaultKind::PayloadDigest));
        self.tell(faults);
        let (draft, unwritable) = Draft::like(&head).sanitized();
        let needed = [Name::RecordType, Name::RecordId, Name::Date];
        let is_arc = head.version().is_arc();
        let nameless = !is_arc && needed.into_iter().any(|name| draft.get(name).is_none());
        let place = conversion.place(&head, offset);
        if headless || nameless || how.whole_only && (partial || damaged) {
            self.dropped += 1;
            return Ok(());
        }
        self.records += 1;
        self.partial += u64::from(partial);
        self.damaged += u64::from(damaged);
        if is_arc {
            let mark = |draft: Draft| {
                let (draft, unwritable) = draft.sanitized();
                self.tell_unwritable(offset, &unwritable);
                marked(draft, partial, damaged)
            };
            conversion.write(&head, place, mark, length, &mut block, writer)?;
            return Ok(());
        }
        self.tell_unwritable(offset, &unwritable);
        let mut draft = marked(draft, partial, damaged);
        if partial || disagrees {
            draft.remove(Name::BlockDigest);
            draft.remove(Name::PayloadDigest);
        }
        if disagrees && !damaged {
            draft = draft.with_named(SALVAGED, BAD_DIGEST);
        }
        writer.write_from(&draft, length, &mut block)?;
        Ok(())
    }

    fn tell(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            self.lost_bytes += fault.lost_bytes;
            if fault.kind.severity() != Severity::Advice {
                self.push(fault);
            }
        }
    }

    fn tell_unwritable(&mut self, offset: u64, names: &[String]) {
        for name in names {
            let message = format!("the field `{name}` cannot be written and is left out");
            self.push(Fault::new(offset, FaultKind::InvalidField, message));
        }
    }

    fn push(&mut self, fault: Fault) {
        self.fault_count += 1;
        if self.faults.len() < FAULTS_KEPT {
            self.faults.push(fault);
        }
    }
}

/// A block could not be read, or not be set aside.
fn aside(error: io::Error) -> warc::Error {
    error.downcast::<warc::Error>().unwrap_or_else(warc::Error::Write)
}

/// The header with what must be known about its block.
fn marked(mut draft: Draft, partial: bool, damaged: bool) -> Draft {
    if partial {
        draft = draft.with(Name::Truncated, "unspecified");
    }
    if damaged {
        draft = draft.with_named(SALVAGED, BAD_MEMBER);
    }
    draft
}
