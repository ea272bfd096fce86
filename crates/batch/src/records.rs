//! The records of a file, read as far as they can be, with what is wrong with them.

use std::io::{BufRead, Read};

use warc::{Coding, Dechunk, Fault, FaultKind, Limits, Options, Reader, Record, Severity};

use crate::reading::Reading;
use crate::task::{Done, Failure};

/// What is wrong with the records of a file.
#[derive(Debug, Default)]
pub(crate) struct Damage {
    count: u64,
    first: Option<String>,
}

impl Damage {
    pub(crate) fn add(&mut self, fault: &Fault) {
        self.count += 1;
        self.first.get_or_insert_with(|| fault.to_string());
    }

    /// What to say of the file.
    pub(crate) fn done(self) -> Done {
        match (self.first, self.count) {
            (None, _) => Done::Sound,
            (Some(first), 1) => Done::Damaged(first),
            (Some(first), 2) => Done::Damaged(format!("{first}; 1 further fault")),
            (Some(first), count) => Done::Damaged(format!("{first}; {} further faults", count - 1)),
        }
    }
}

/// Hands the records of a file to `each`, one after another. Damage is stepped over, and told at the end.
pub(crate) fn each(
    file: &mut Reading,
    mut each: impl FnMut(Record<'_, &mut Reading>) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let mut damage = Damage::default();
    let is_damage = |fault: &Fault| fault.kind.severity() == Severity::Damage;
    let nature = walk(file, false, &mut each, &mut |fault| {
        if is_damage(fault) {
            damage.add(fault);
        }
    })?;
    Ok(if nature == Nature::Other { Done::Other } else { damage.done() })
}

/// What a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// A WARC or ARC file, sound or not.
    Archive,
    /// Neither its name nor what is in it says that it should be one.
    Other,
}

/// The same with all that is wrong, digests included where that is wanted.
pub(crate) fn walk(
    file: &mut Reading,
    verify: bool,
    each: &mut dyn FnMut(Record<'_, &mut Reading>) -> Result<(), Failure>,
    wrong: &mut dyn FnMut(&Fault),
) -> Result<Nature, Failure> {
    let is_named = is_archive_name(&file.file().name);
    let (mut has_records, mut first) = (false, None);
    let mut count = |record: Record<'_, &mut Reading>| {
        has_records = true;
        each(record)
    };
    walk_records(file, verify, &mut count, &mut |fault| {
        first.get_or_insert(fault.kind);
        wrong(fault);
    })?;
    let is_other = !is_named && !has_records && first.is_none_or(|kind| kind == FaultKind::UnknownFormat);
    Ok(if is_other { Nature::Other } else { Nature::Archive })
}

/// Whether a name is one of an archive file: `a.warc.gz`, `a.arc`, `a.warc.wet.gz`.
fn is_archive_name(name: &str) -> bool {
    let endings = name.rsplit('/').next().unwrap_or_default().split('.').skip(1);
    endings.map(str::to_ascii_lowercase).any(|ending| matches!(ending.as_str(), "warc" | "arc"))
}

fn walk_records(
    file: &mut Reading,
    verify: bool,
    each: &mut dyn FnMut(Record<'_, &mut Reading>) -> Result<(), Failure>,
    wrong: &mut dyn FnMut(&Fault),
) -> Result<(), Failure> {
    let options = Options { lenient: true, verify, limits: Limits::default() };
    let mut reader = match Reader::new(file, options) {
        Ok(reader) => reader,
        Err(warc::Error::Fault(fault)) => {
            wrong(&fault);
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    loop {
        match reader.next_record() {
            Ok(Some(record)) => each(record)?,
            Ok(None) => break,
            Err(warc::Error::Fault(fault)) => {
                wrong(&fault);
                break;
            }
            Err(error) => return Err(error.into()),
        }
        // Whatever is left of it: faults show at its end.
        match reader.record().finish_with_faults() {
            Ok((_, faults)) => faults.iter().for_each(&mut *wrong),
            Err(warc::Error::Fault(fault)) => wrong(&fault),
            Err(error) => return Err(error.into()),
        }
    }
    reader.take_faults().iter().for_each(wrong);
    Ok(())
}

/// The payload of a record, without HTTP head, transfer chunks and content codings. `None` where these are broken at once: who reads it
/// takes it as far as it goes.
pub(crate) fn payload<'a, R: Read + Send>(
    record: &'a mut Record<'_, R>,
) -> Option<Box<dyn Read + Send + 'a>> {
    let http = record.http().ok()?;
    let is_chunked = http.is_some_and(warc::HttpHead::is_chunked);
    let coding = http.and_then(|http| http.text("content-encoding").map(std::borrow::Cow::into_owned));
    // A coding that we do not know stays: half a decoding helps nobody.
    let codings = coding.and_then(|value| Coding::list(&value)).unwrap_or_default();
    let body: Box<dyn BufRead + Send + 'a> =
        if is_chunked { Box::new(Dechunk::new(record)) } else { Box::new(record) };
    warc::decoder(body, &codings, Limits::default().payload_bytes).ok()
}

/// Whether a record is one of those that hold what somebody asked for: an answer, or a thing fetched without one.
pub(crate) fn is_capture(head: &warc::Head) -> bool {
    use warc::RecordType::{Resource, Response, Revisit};
    matches!(head.record_type(), Response | Resource | Revisit) && head.target_uri().is_some()
}

/// Reads what is left of a block: how much that was, whatever its header says.
pub(crate) fn length<R: Read>(record: &mut Record<'_, R>) -> Result<u64, Failure> {
    let mut bytes = 0;
    loop {
        let count = record.fill_buf()?.len();
        if count == 0 {
            return Ok(bytes);
        }
        record.consume(count);
        bytes += count as u64;
    }
}
