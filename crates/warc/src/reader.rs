//! Reads WARC and ARC records one after another, from any source of bytes.
//!
//! Never seeks, so a pipe works as well as a file. Strict unless [`Options::lenient`] is set: a strict reader stops at
//! damage, a lenient one reports it, finds the next member or record, and goes on.

use std::io::{self, BufRead, Read};

use crate::error::Error;
use crate::fault::{Fault, FaultKind, Severity};
use crate::framing;
use crate::http::HttpHead;
use crate::limits::Limits;
use crate::lines::head_end;
use crate::member::{Compression, Members, scan};
use crate::record::{Head, RecordType, Version, arc, parse};
use crate::verify::Verifier;

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
    /// Bytes it takes: of its member, or in a plain file its header and block.
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
    shared_member_told: bool,
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
            shared_member_told: false,
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
        self.faults_untold = 0;
        std::mem::take(&mut self.faults)
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

    /// The record whose head has been read.
    pub(crate) fn record(&mut self) -> Record<'_, R> {
        Record { reader: self }
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

    /// Finishes the current record and reads the head of the next: false at the end of the file.
    fn advance(&mut self) -> Result<bool, Error> {
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
            if self.take_head_bytes(offset, head_end)? {
                let message = "the file or member ends within the header of this record";
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
        if !plain && self.records_in_member == 2 && !self.shared_member_told {
            self.shared_member_told = true;
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

    /// Moves the head's bytes into `self.head`; `end` tells where it ends. True if the file or member ended first.
    fn take_head_bytes(&mut self, offset: u64, end: fn(&[u8]) -> Option<usize>) -> Result<bool, Error> {
        let limit = self.options.limits.head_bytes;
        let mut wanted = 4 << 10;
        let mut truncated = false;
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
                truncated = true;
                break unread.len();
            }
            wanted *= 2;
        };
        self.head.refill(self.members.unread().get(..length).unwrap_or_default());
        self.members.consume(length);
        Ok(truncated)
    }

    fn no_record(&self, offset: u64) -> Error {
        let shown = self.head.raw();
        let shown = String::from_utf8_lossy(shown.get(..60).unwrap_or(shown)).into_owned();
        let kind = if offset == 0 { FaultKind::UnknownFormat } else { FaultKind::Garbage };
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
        let Ok(wanted) = usize::try_from(said.saturating_add(8)) else { return Ok(said) };
        let unread = self.members.peek(wanted)?;
        let ended = unread.len() < wanted;
        match framing::believable_length(unread, said as usize, ended) {
            Some(length) => {
                let message = format!("the block has {length} bytes, its header says {said}");
                self.report(Fault::new(offset, FaultKind::WrongLength, message))?;
                Ok(length as u64)
            }
            None => Ok(said),
        }
    }

    /// Skips what is left of the current record, compares its digests, and steps over the line breaks behind it.
    fn finish_record(&mut self) -> Result<(), Error> {
        let Some(current) = &self.current else { return Ok(()) };
        let offset = current.offset;
        while self.fill_block()? > 0 {
            let count = self.block_unread().len();
            self.consume_block(count);
        }
        let Some(current) = self.current.take() else { return Ok(()) };
        if let Some(verifier) = current.verifier {
            let mut found = Vec::new();
            verifier.finish(offset, &mut |fault| found.push(fault));
            for fault in found {
                self.report(fault)?;
            }
        }
        let result = self.step_over_trailer(offset, current.cut);
        if self.members.compression() == Compression::None {
            self.last_extent = Some(Extent { offset, length: current.length });
            return result;
        }
        // A member's end and checksum are known once it has been read to its end.
        let end = self.members.fill().map(<[u8]>::is_empty);
        self.last_extent = Some(Extent { offset, length: self.members.position() - offset });
        if matches!(end, Ok(true)) {
            self.in_member = false;
        }
        result.and(end.map(drop))
    }

    fn step_over_trailer(&mut self, offset: u64, cut: bool) -> Result<(), Error> {
        let is_arc = self.head.version().is_arc();
        let unread = self.members.peek(framing::TRAILER_PEEK)?;
        let trailer = framing::trailer(unread, is_arc);
        self.members.consume(trailer.length);
        if trailer.stray {
            let message = "the block is followed by bytes that are no line breaks, so its length is wrong";
            return Err(Fault::new(offset, FaultKind::WrongLength, message).into());
        }
        if !trailer.standard && !cut && self.head.version() != Version::WarcUnknown {
            let message = "the record does not end in two line breaks of CR LF";
            self.report(Fault::new(offset, FaultKind::Trailer, message))?;
        }
        Ok(())
    }

    /// Keeps a fault, or stops at it.
    fn report(&mut self, fault: Fault) -> Result<(), Error> {
        if !self.options.lenient && fault.kind.severity() == Severity::Damage {
            return Err(fault.into());
        }
        if self.faults.len() < self.options.limits.faults_per_record {
            self.faults.push(fault);
        } else {
            self.faults_untold += 1;
        }
        Ok(())
    }

    /// Goes on after damage: notes the fault and looks for the next record.
    fn recover(&mut self, fault: Fault) -> Result<(), Error> {
        self.current = None;
        let member_is_bad =
            matches!(fault.kind, FaultKind::BadMember | FaultKind::TruncatedMember | FaultKind::Limit);
        let within_member =
            self.in_member && self.members.compression() != Compression::None && !member_is_bad;
        self.report(fault)?;
        if within_member && self.recover_within_member()? {
            return Ok(());
        }
        let from = self.members.position();
        self.in_member = false;
        self.members.step_over()?;
        let to = self.members.resync()?.unwrap_or_else(|| self.members.position());
        if to > from {
            let message = format!("{} bytes belong to no record that can be read", to - from);
            self.report(Fault::new(from, FaultKind::Garbage, message))?;
        }
        Ok(())
    }

    /// Looks for a further record in what is left of a member: whole-file gzip holds many.
    fn recover_within_member(&mut self) -> Result<bool, Error> {
        loop {
            let unread = match self.members.peek(scan::LOOK_AHEAD) {
                Ok([]) => return Ok(false),
                Ok(unread) => unread,
                Err(Error::Fault(fault)) => {
                    self.report(fault)?;
                    return Ok(false);
                }
                Err(error) => return Err(error),
            };
            if let Some(place) = scan::next_plain_start(unread) {
                self.members.consume(place);
                return Ok(true);
            }
            let count = unread.len();
            self.members.consume(count);
        }
    }

    /// Makes bytes of the block available: how many; 0 at its end.
    fn fill_block(&mut self) -> Result<usize, Error> {
        let Some(current) = &self.current else { return Ok(0) };
        if current.left == 0 {
            return Ok(0);
        }
        let (offset, left) = (current.offset, current.left);
        let available = match self.members.fill() {
            Ok(unread) => unread.len(),
            Err(Error::Fault(fault)) if self.options.lenient => {
                self.cut_block();
                self.members.abandon();
                self.report(fault)?;
                let message = format!("the block ends {left} bytes early");
                self.report(Fault::new(offset, FaultKind::TruncatedBlock, message))?;
                return Ok(0);
            }
            Err(error) => return Err(error),
        };
        if available == 0 {
            self.cut_block();
            let message = format!("the block ends {left} bytes early");
            self.report(Fault::new(offset, FaultKind::TruncatedBlock, message))?;
        }
        Ok(usize::try_from(left).unwrap_or(usize::MAX).min(available))
    }

    /// The block ended before its length did: its digests mean nothing any more.
    fn cut_block(&mut self) {
        if let Some(current) = &mut self.current {
            current.left = 0;
            current.verifier = None;
            current.cut = true;
        }
    }

    fn block_unread(&self) -> &[u8] {
        let left = self.current.as_ref().map_or(0, |current| current.left);
        let unread = self.members.unread();
        usize::try_from(left).ok().and_then(|left| unread.get(..left)).unwrap_or(unread)
    }

    fn consume_block(&mut self, count: usize) {
        let Some(current) = &mut self.current else { return };
        if let Some(verifier) = &mut current.verifier {
            verifier.update(self.members.unread().get(..count).unwrap_or_default());
        }
        current.left -= count as u64;
        current.length += count as u64;
        self.members.consume(count);
    }
}

/// A record that is being read. Its block is read through [`Read`] and [`BufRead`].
#[derive(Debug)]
pub struct Record<'a, R> {
    reader: &'a mut Reader<R>,
}

impl<R: Read> Record<'_, R> {
    /// The header.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.reader.head
    }

    /// Offset of the record in the file, or of the member that holds it.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.reader.current.as_ref().map_or(0, |current| current.offset)
    }

    /// Length of the block, as far as it has not been read.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.reader.current.as_ref().map_or(0, |current| current.left)
    }

    /// The head of the HTTP message in the block, if there is one. Reading goes on behind it: with the body.
    ///
    /// To be asked before anything of the block is read.
    pub fn http(&mut self) -> Result<Option<&HttpHead>, Error> {
        let limit = self.reader.options.limits.http_head_bytes;
        let holds_http = self.reader.head.holds_http();
        let Some(current) = &mut self.reader.current else { return Ok(None) };
        if current.http == HttpState::NotLooked {
            current.http = HttpState::Absent;
            let left = usize::try_from(current.left).unwrap_or(usize::MAX);
            if holds_http && let Some(length) = self.reader.find_http(left.min(limit), left <= limit)? {
                self.reader.consume_block(length);
                if let Some(current) = &mut self.reader.current {
                    current.http = HttpState::Found;
                }
            }
        }
        let found = self.reader.current.as_ref().is_some_and(|current| current.http == HttpState::Found);
        Ok(found.then_some(&self.reader.http))
    }

    /// The HTTP head, if [`Record::http`] has found one.
    #[must_use]
    pub fn http_head(&self) -> Option<&HttpHead> {
        let current = self.reader.current.as_ref()?;
        (current.http == HttpState::Found).then_some(&self.reader.http)
    }

    /// Reads to the end of the record: where it lies in the file. Its digests have been compared then.
    pub fn finish(self) -> Result<Extent, Error> {
        let offset = self.offset();
        self.reader.finish_current()?;
        Ok(self.reader.last_extent.unwrap_or(Extent { offset, length: 0 }))
    }

    /// Reads to the end of the record, and gives what was found wrong with it.
    pub fn finish_with_faults(self) -> Result<(Extent, Vec<Fault>), Error> {
        let Record { reader } = self;
        let extent = Record { reader: &mut *reader }.finish()?;
        Ok((extent, reader.take_faults()))
    }
}

impl<R: Read> Reader<R> {
    /// Parses the HTTP head in the next `limit` bytes of the block: its length.
    fn find_http(&mut self, limit: usize, is_all: bool) -> Result<Option<usize>, Error> {
        let mut wanted = limit.min(16 << 10);
        loop {
            let unread = match self.members.peek(wanted) {
                Ok(unread) => unread,
                // Damage behind the head is met, and told, when the body is read.
                Err(Error::Fault(_)) => self.members.unread(),
                Err(error) => return Err(error),
            };
            let short = unread.len() < wanted;
            let unread = unread.get(..limit).unwrap_or(unread);
            let ended = (is_all && unread.len() == limit) || short;
            if let Some(length) = self.http.refill(unread, ended) {
                return Ok(Some(length));
            }
            if ended || wanted >= limit || !HttpHead::may_start(unread) {
                return Ok(None);
            }
            wanted = limit.min(wanted * 4);
        }
    }
}

impl<R: Read> BufRead for Record<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_block()?;
        Ok(self.reader.block_unread())
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume_block(count.min(self.reader.block_unread().len()));
    }
}

impl<R: Read> Read for Record<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let count = bytes.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
