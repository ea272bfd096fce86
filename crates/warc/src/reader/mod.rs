//! Reads WARC and ARC records one after another, from any source of bytes.
//!
//! Never seeks, so a pipe works as well as a file. Strict unless [`Options::lenient`] is set: a strict reader stops at
//! damage, a lenient one reports it, finds the next member or record, and goes on.

mod advance;
mod block;
mod record;
mod recover;

use std::io::Read;

use crate::error::Error;
use crate::fault::{Fault, FaultKind, Severity};
use crate::http::HttpHead;
use crate::limits::Limits;
use crate::member::{Compression, Members};
use crate::record::Head;
use crate::verify::Verifier;

pub use record::Record;

/// How to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Go on after damage.
    pub lenient: bool,
    /// Compare block and payload digests with the bytes; what disagrees is a fault.
    pub verify: bool,
    /// Bounds on what is taken from the source.
    pub limits: Limits,
}

/// What must be known of a file to read it from the middle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nature {
    /// How it is compressed.
    pub compression: Compression,
    /// The zstd dictionary that it begins with; empty if there is none.
    pub dictionary: Vec<u8>,
}

impl Nature {
    /// Of the file that starts with these bytes.
    pub fn of(source: impl Read, limits: Limits) -> Result<Nature, Error> {
        let mut members = Members::new(source, 0, limits)?;
        let compression = members.compression();
        if compression == Compression::Zstd {
            members.begin()?;
        }
        Ok(Nature { compression, dictionary: members.dictionary().to_vec() })
    }
}

/// Where a record lies in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Offset of its first byte, or of the member that holds it.
    pub offset: u64,
    /// Bytes it takes: of its member, or in a plain file its header and block. 0 where a large member holds further
    /// records, and its length is not known yet.
    pub length: u64,
}

/// Hands out the records of one file.
///
/// ```
/// use warc::{Options, Reader};
///
/// let file = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nvarve\r\n\r\n";
/// let mut reader = Reader::new(&file[..], Options::default())?;
/// while let Some(mut record) = reader.next_record()? {
///     assert_eq!(record.head().record_type().name(), "resource");
///     let mut block = String::new();
///     std::io::Read::read_to_string(&mut record, &mut block)?;
///     assert_eq!(block, "varve");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    members: Members<R>,
    options: Options,
    head: Head,
    http: HttpHead,
    current: Option<Current>,
    /// A member has been begun and may hold further records.
    in_member: bool,
    member_offset: u64,
    records_in_member: u64,
    records: u64,
    faults: Vec<Fault>,
    faults_untold: u64,
    last_extent: Option<Extent>,
    /// The source was the whole file, not a part of one.
    from_start: bool,
}

/// The record that is being read.
#[derive(Debug)]
struct Current {
    offset: u64,
    /// Bytes of the block not yet consumed.
    left: u64,
    /// Bytes of the header and block so far, for plain files.
    length: u64,
    http: HttpState,
    verifier: Option<Verifier>,
    /// The block ended before its length did.
    cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HttpState {
    NotLooked,
    Found,
    Absent,
}

impl<R: Read> Reader<R> {
    /// Reads a file from its start; format and compression show in its first bytes.
    pub fn new(source: R, options: Options) -> Result<Reader<R>, Error> {
        let members = Members::new(source, 0, options.limits)?;
        Ok(Reader::over(members, options, true))
    }

    /// Reads on from `offset` of a file of this nature; a record or member begins there, and `source` stands there.
    pub fn at(source: R, offset: u64, nature: &Nature, options: Options) -> Result<Reader<R>, Error> {
        let members =
            Members::inside(source, offset, nature.compression, &nature.dictionary, options.limits)?;
        Ok(Reader::over(members, options, false))
    }

    /// As [`Reader::at`] for one record that lies there. Takes as much memory as that record needs, and little for a long one; for readers
    /// of whole files [`Reader::at`] is faster. A length that is wrong, or 0 because it is not known, does not change what is read.
    pub fn one(source: R, extent: Extent, nature: &Nature, options: Options) -> Result<Reader<R>, Error> {
        let members = Members::one(source, extent, nature.compression, &nature.dictionary, options.limits)?;
        Ok(Reader::over(members, options, false))
    }

    fn over(members: Members<R>, options: Options, from_start: bool) -> Reader<R> {
        Reader {
            members,
            options,
            head: Head::empty(),
            http: HttpHead::default(),
            current: None,
            in_member: false,
            member_offset: 0,
            records_in_member: 0,
            records: 0,
            faults: Vec::new(),
            faults_untold: 0,
            last_extent: None,
            from_start,
        }
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.members.compression()
    }

    /// What was found wrong since this was last asked. A strict reader lists only what did not stop it.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        let mut faults = std::mem::take(&mut self.faults);
        let untold = std::mem::take(&mut self.faults_untold);
        if let Some(last) = faults.last().filter(|_| untold > 0) {
            let message = match untold {
                1 => "1 further fault here is not listed by itself".to_owned(),
                _ => format!("{untold} further faults here are not listed one by one"),
            };
            faults.push(Fault::new(last.offset, FaultKind::Unlisted, message));
        }
        faults
    }

    /// The record after the current one, what is left of which is skipped; `None` at the end of the file.
    pub fn next_record(&mut self) -> Result<Option<Record<'_, R>>, Error> {
        Ok(if self.step()? { Some(self.record()) } else { None })
    }

    /// Reads the head of the next record: false at the end of the file.
    pub(crate) fn step(&mut self) -> Result<bool, Error> {
        loop {
            match self.advance() {
                Err(Error::Fault(fault)) if self.options.lenient => self.recover(fault)?,
                result => return result,
            }
        }
    }

    /// The record that [`Reader::next_record`] gave last, as far as it has not been read: for readers that cannot hold on to
    /// it. Behind the end, and before the first, there is nothing to read in it.
    pub fn record(&mut self) -> Record<'_, R> {
        Record::of(self)
    }

    /// Where the record before the current one lies, once it has been read to its end.
    pub fn last_extent(&self) -> Option<Extent> {
        self.last_extent
    }

    /// Reads the current record to its end, if there is one.
    pub(crate) fn finish_current(&mut self) -> Result<(), Error> {
        match self.finish_record() {
            Err(Error::Fault(fault)) if self.options.lenient => self.recover(fault),
            result => result,
        }
    }

    /// Says that reading will stop at the first record behind `offset`, so that little behind it is read ahead. What is read does not
    /// depend on whether that is true.
    pub(crate) fn expect_end(&mut self, offset: u64) {
        self.members.expect_end(offset);
    }

    /// Begins at the next place that plausibly is a member's or record's start; its offset. For sources that start
    /// somewhere inside a file.
    pub(crate) fn find_start(&mut self) -> Result<Option<u64>, Error> {
        self.members.resync()
    }

    /// Offset at which the next record or member would begin, once the current record has been finished.
    pub(crate) fn position(&self) -> u64 {
        if self.in_member && self.members.compression() != Compression::None {
            self.member_offset
        } else {
            self.members.position()
        }
    }

    /// Keeps a fault, or stops at it.
    fn report(&mut self, fault: Fault) -> Result<(), Error> {
        if !self.options.lenient && fault.kind.severity() == Severity::Damage {
            return Err(fault.into());
        }
        // What is lost is told even where much else is wrong; without end it is not, for there may be no end to it.
        let most = match fault.kind.severity() {
            Severity::Damage => self.options.limits.faults_per_record.saturating_mul(64),
            _ => self.options.limits.faults_per_record,
        };
        if self.faults.len() < most {
            self.faults.push(fault);
        } else {
            self.faults_untold += 1;
        }
        Ok(())
    }
}
