//! Checks a file record by record, and makes the lines of its captures.

use std::collections::VecDeque;
use std::io::{Read, Write};

use cdx::{Capture, Extra, Value};
use cdx_indexer::{Indexer, Options};
use jiff::Timestamp;
use warc::{Fault, FaultKind, Head, Limits, Reader, RecordType, Severity, rules};

use crate::error::Error;

/// Faults of one file that are listed; further ones are counted.
pub const FAULTS_KEPT: usize = 1000;
/// Faults that are no damage, of which there may be one for each record, are listed up to here.
const VIOLATIONS_KEPT: usize = 20;
/// Requests that lie before their answer are check for this far back.
const BEFORE_MAX: usize = 4;
/// The field of an index line with the offset of a request that lies before its answer. A request behind its answer needs no field.
pub const REQUEST_OFFSET: &str = "request-offset";

/// The result of checking a file.
#[derive(Debug, Default)]
pub struct FileCheck {
    /// Its records.
    pub records: u64,
    /// Lines that were written.
    pub captures: u64,
    /// The faults of the file: damage first, and a bounded number of others.
    pub faults: Vec<Fault>,
    /// How many faults it has.
    pub fault_count: u64,
    violations: usize,
    /// Bytes are lost or changed, or records cannot be found by their place.
    pub is_damaged: bool,
}

/// Reads a file to its end, and writes an index line for each of its captures. The lines call it `filename`, of this job.
///
/// # Errors
/// When it cannot be read or a line cannot be written. Faults of the file are in the result.
pub fn check_file(
    source: impl Read,
    (filename, job): (&str, &str),
    lines: &mut impl Write,
) -> Result<FileCheck, Error> {
    let options = warc::Options { lenient: true, verify: true, limits: Limits::default() };
    let mut check = FileCheck::default();
    let mut indexer = Indexer::new(filename, Options { post_append: true, ..Options::default() })?;
    let mut before: VecDeque<Neighbour> = VecDeque::new();
    let mut rows: Vec<Capture<'static>> = Vec::new();
    let mut reader = match Reader::new(source, options) {
        Ok(reader) => reader,
        Err(warc::Error::Fault(fault)) => {
            check.tell(fault);
            return Ok(check);
        }
        Err(error) => return Err(error.into()),
    };
    loop {
        let record = match reader.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(warc::Error::Fault(fault)) => {
                check.tell(fault);
                break;
            }
            Err(error) => return Err(error.into()),
        };
        check.records += 1;
        let offset = record.offset();
        rules::faults(record.head(), offset).into_iter().for_each(|fault| check.tell(fault));
        let neighbour = Neighbour::of(record.head(), offset, &before);
        if before.len() == BEFORE_MAX {
            before.pop_front();
        }
        before.push_back(neighbour);
        match indexer.push(record, &mut |row| rows.push(row)).map_err(cause) {
            Ok(()) => {}
            Err(Error::Record(warc::Error::Fault(fault))) => check.tell(fault),
            Err(error) => return Err(error),
        }
        reader.take_faults().into_iter().for_each(|fault| check.tell(fault));
        check.write(&mut rows, &before, job, lines)?;
    }
    indexer.finish(&mut |row| rows.push(row));
    check.write(&mut rows, &before, job, lines)?;
    reader.take_faults().into_iter().for_each(|fault| check.tell(fault));
    if check.records == 0 && check.fault_count == 0 {
        let message = "the file is empty; an archive file holds at least one record";
        check.tell(Fault::new(0, FaultKind::UnknownFormat, message));
    }
    // What keeps it out comes first.
    check.faults.sort_by_key(|fault| !is_damage(fault));
    Ok(check)
}

impl FileCheck {
    fn tell(&mut self, fault: Fault) {
        if fault.kind.severity() == Severity::Advice {
            return;
        }
        self.fault_count += 1;
        let is_damage = is_damage(&fault);
        self.is_damaged |= is_damage;
        if !is_damage {
            self.violations += 1;
            if self.violations > VIOLATIONS_KEPT {
                return;
            }
        }
        if self.faults.len() < FAULTS_KEPT {
            self.faults.push(fault);
        }
    }

    fn write(
        &mut self,
        rows: &mut Vec<Capture<'static>>,
        before: &VecDeque<Neighbour>,
        job: &str,
        lines: &mut impl Write,
    ) -> Result<(), Error> {
        let mut line = Vec::new();
        for mut row in rows.drain(..) {
            // Without these nobody can ask for it.
            let is_findable = row.key.as_ref().is_some_and(|key| !key.is_empty()) && row.timestamp.is_some();
            if !is_findable {
                continue;
            }
            if let Some(own) = before.iter().find(|neighbour| Some(neighbour.offset) == row.offset) {
                let mut add =
                    |name, value: String| row.extra.push(Extra::new(name, Value::Text(value.into())));
                // What a line of 14 digits cannot tell, and revisits refer to.
                if let Some(date) = own.date.filter(|date| date.subsec_nanosecond() != 0) {
                    add("date", urlkey::time::to_warc_date_precise(date));
                }
                if let Some(offset) = own.request {
                    add(REQUEST_OFFSET, offset.to_string());
                }
            }
            row.extra.push(Extra::new("commit", Value::Text(job.to_owned().into())));
            line.clear();
            row.write_cdxj(&mut line);
            if line.len() >= index::Limits::default().line_bytes {
                let message = "what is to be said of the record is longer than a line of the index may be";
                self.tell(Fault::new(row.offset.unwrap_or_default(), FaultKind::Unlisted, message));
                continue;
            }
            line.push(b'\n');
            lines.write_all(&line).map_err(Error::write("lines".as_ref()))?;
            self.captures += 1;
        }
        Ok(())
    }
}

/// Whether a fault keeps a file out: bytes are lost or in doubt, or share a member, so that only the first record in it can be found by
/// its place.
fn is_damage(fault: &Fault) -> bool {
    fault.kind.severity() == Severity::Damage || fault.kind == FaultKind::SharedMember
}

/// A record of which its neighbours may want to know.
#[derive(Debug)]
struct Neighbour {
    offset: u64,
    id: Option<String>,
    concurrent_to: Vec<String>,
    is_request: bool,
    date: Option<Timestamp>,
    /// Where the request of this record lies, if that is before it.
    request: Option<u64>,
}

impl Neighbour {
    fn of(head: &Head, offset: u64, before: &VecDeque<Neighbour>) -> Neighbour {
        let id = head.record_id().map(|id| id.into_owned());
        let concurrent_to: Vec<String> = head.concurrent_to().map(|id| id.into_owned()).collect();
        let is_request = *head.record_type() == RecordType::Request;
        let belongs = |other: &&Neighbour| {
            let is_named =
                |names: &[String], id: &Option<String>| id.as_ref().is_some_and(|id| names.contains(id));
            other.is_request && (is_named(&other.concurrent_to, &id) || is_named(&concurrent_to, &other.id))
        };
        let request = before.iter().rev().find(belongs).map(|other| other.offset).filter(|_| !is_request);
        Neighbour { offset, id, concurrent_to, is_request, date: head.date(), request }
    }
}

/// What stopped the indexer, as the file's fault where it is one.
fn cause(error: cdx_indexer::Error) -> Error {
    match error {
        cdx_indexer::Error::Record(error) => Error::Record(error),
        other => Error::Described(other),
    }
}
