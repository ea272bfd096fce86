//! From one record to the next: members, blank lines, heads, lengths.

use std::io::Read;

use super::{Current, HttpState, Reader};
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::framing;
use crate::lines::{ends_in_blank_line, warc_head_end};
use crate::member::Compression;
use crate::record::{RecordType, arc, parse};
use crate::verify::Verifier;

/// Blocks up to this length are looked at whole before their length is believed, in lenient reading of plain files.
const BELIEVED_BYTES_MAX: usize = 1 << 20;

impl<R: Read> Reader<R> {
    /// Finishes the current record and reads the head of the next: false at the end of the file.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.finish_record()?;
        loop {
            if !self.in_member && !self.begin_member()? {
                return self.end_file();
            }
            self.skip_blank_lines()?;
            if !self.members.fill()?.is_empty() {
                break;
            }
            self.in_member = false;
            if self.members.compression() == Compression::None {
                return self.end_file();
            }
        }
        self.read_head()?;
        Ok(true)
    }

    /// An empty file is a sound one; a file of nothing but blank lines or padding is none at all.
    fn end_file(&mut self) -> Result<bool, Error> {
        let length = self.members.position();
        if self.records == 0 && length > 0 && self.from_start && self.faults.is_empty() {
            self.records = 1;
            let message = format!("the file has {length} bytes and holds no record");
            self.report(Fault::new(0, FaultKind::UnknownFormat, message))?;
        }
        Ok(false)
    }

    fn begin_member(&mut self) -> Result<bool, Error> {
        let zeros_at = self.members.position();
        let zeros = self.members.skip_zeros()?;
        if zeros > 0 {
            let message = format!("{zeros} zero bytes where a record could stand");
            self.report(Fault::new(zeros_at, FaultKind::ZeroPadding, message))?;
        }
        match self.members.begin()? {
            Some(offset) => {
                self.member_offset = offset;
                self.records_in_member = 0;
                self.in_member = true;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Line breaks before a record are harmless, and old ARC files are full of them.
    fn skip_blank_lines(&mut self) -> Result<(), Error> {
        loop {
            let unread = self.members.fill()?;
            let blank = unread.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if blank == 0 {
                break;
            }
            self.members.consume(blank);
        }
        if self.members.compression() == Compression::None && self.members.unread().first() == Some(&0) {
            self.in_member = false;
            self.begin_member()?;
        }
        Ok(())
    }

    fn read_head(&mut self) -> Result<(), Error> {
        let plain = self.members.compression() == Compression::None;
        let offset = if plain { self.members.position() } else { self.member_offset };
        let start = self.members.peek(8)?;
        let is_warc = start.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/"));
        let mut found = Vec::new();
        if is_warc {
            self.take_head_bytes(offset, warc_head_end)?;
            if !ends_in_blank_line(self.head.raw()) {
                let message = "the header of this record breaks off";
                found.push(Fault::new(offset, FaultKind::TruncatedHead, message));
            }
            let limits = &self.options.limits;
            parse::parse_head(&mut self.head, offset, limits, &mut |fault| found.push(fault));
        } else {
            self.take_head_bytes(offset, |bytes| memchr::memchr(b'\n', bytes).map(|end| end + 1))?;
            if !arc::parse_line(&mut self.head, offset, &mut |fault| found.push(fault)) {
                return Err(self.no_record(offset));
            }
        }
        for fault in found {
            self.report(fault)?;
        }
        self.records_in_member += 1;
        self.records += 1;
        if !plain && self.records_in_member == 2 {
            let message = "this member holds more than one record, so they cannot be read one by one";
            self.report(Fault::new(offset, FaultKind::SharedMember, message))?;
        }
        let length = self.block_length(offset)?;
        let verify = self.options.verify && !self.head.version().is_arc();
        let verifier = verify.then(|| Verifier::new(&self.head, self.options.limits.http_head_bytes));
        let length_so_far = self.head.raw().len() as u64;
        self.current = Some(Current {
            offset,
            left: length,
            length: length_so_far,
            http: HttpState::NotLooked,
            verifier,
            cut: false,
        });
        Ok(())
    }

    /// Moves the head's bytes into `self.head`; `end` tells where it ends, unless the file or member ends first.
    fn take_head_bytes(&mut self, offset: u64, end: fn(&[u8]) -> Option<usize>) -> Result<(), Error> {
        let limit = self.options.limits.head_bytes;
        let mut wanted = limit.min(4 << 10);
        let length = loop {
            let unread = self.members.peek(wanted)?;
            if let Some(length) = end(unread) {
                break length;
            }
            if unread.len() >= limit {
                let message = format!("the header does not end within {limit} bytes");
                return Err(Fault::new(offset, FaultKind::Limit, message).into());
            }
            if unread.len() < wanted {
                break unread.len();
            }
            wanted = limit.min(wanted * 2);
        };
        self.head.refill(self.members.unread().get(..length).unwrap_or_default());
        self.members.consume(length);
        Ok(())
    }

    fn no_record(&self, offset: u64) -> Error {
        let shown = self.head.raw();
        let shown = String::from_utf8_lossy(shown.get(..60).unwrap_or(shown)).into_owned();
        let kind =
            if self.records == 0 && self.from_start { FaultKind::UnknownFormat } else { FaultKind::Garbage };
        Fault::new(offset, kind, format!("no WARC or ARC record starts here, but `{}`", shown.trim_end()))
            .into()
    }

    /// Length of the block, as the head has it or, where that cannot be right, as the bytes show it.
    fn block_length(&mut self, offset: u64) -> Result<u64, Error> {
        let Some(said) = self.head.content_length() else {
            let message = "the length of the block is missing or no number, and is taken to be nothing";
            self.report(Fault::new(offset, FaultKind::ContentLength, message))?;
            if *self.head.record_type() == RecordType::ArcHeader {
                let unread = self.members.peek(4 << 10)?;
                return Ok(framing::version_block_length(unread) as u64);
            }
            return Ok(0);
        };
        if !self.options.lenient || self.members.compression() != Compression::None {
            return Ok(said);
        }
        // Longer blocks cannot be looked at whole; then what follows them tells whether their length is right.
        let Some(length) = usize::try_from(said).ok().filter(|length| *length < BELIEVED_BYTES_MAX) else {
            return Ok(said);
        };
        let wanted = length + framing::TRAILER_PEEK;
        let unread = self.members.peek(wanted)?;
        let ended = unread.len() < wanted;
        match framing::believable_length(unread, length, ended) {
            Some(length) => {
                let message = format!("the block has {length} bytes, its header says {said}");
                self.report(Fault::new(offset, FaultKind::WrongLength, message))?;
                Ok(length as u64)
            }
            None => Ok(said),
        }
    }
}
