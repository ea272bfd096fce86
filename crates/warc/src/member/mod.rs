//! Members: the separately compressed pieces that an archive file is made of.
//!
//! A gzip member or zstd frame usually holds one record, which is what makes random access possible. A plain file
//! counts as one long member. [`Members`] hands out the decompressed bytes of one member after another from a source
//! that cannot seek, and knows where in the source each member began.

mod buffer;
mod gzip;
mod libdeflate;
pub(crate) mod scan;
mod zstd_frame;

use std::io::Read;

use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use crate::reader::Extent;
use crate::window::Window;

use gzip::Gzip;
use scan::LOOK_AHEAD;
use zstd_frame::Zstd;

pub(crate) use libdeflate::{Deflater, Inflated, Inflater, crc32};

/// Bytes of the source kept at hand. Members that fit are inflated in one go.
const WINDOW_BYTES: usize = 2 << 20;
/// With fewer bytes than this at hand the window is filled again before a member begins.
const LOW_WATER_BYTES: usize = 256 << 10;
/// Bytes a member may unfold to and still be inflated in one go.
const WHOLE_BYTES: usize = 4 << 20;
/// Bytes decompressed at a time from members that are larger.
const STEP_BYTES: usize = 256 << 10;
/// The same for a reader of one record, of which a server has many at once.
const RECORD_STEP_BYTES: usize = 64 << 10;
/// Bytes a member may unfold to and still be inflated in one go by a reader of one record.
const RECORD_WHOLE_BYTES: usize = 1 << 20;

/// How an archive file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// Gzip, by the standard one member per record.
    Gzip,
    /// Zstandard, one frame per record, after a dictionary frame if there is one.
    Zstd,
}

impl Compression {
    /// Tells the compression from the first bytes of a file.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Compression {
        match bytes {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// The usual ending of a file name, dot included; empty for plain files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        }
    }
}

/// Decompressed bytes of the current member that have not been consumed.
#[derive(Debug)]
struct Unfolded {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// No more bytes of this member follow.
    ended: bool,
    /// Bytes of this member decompressed so far.
    total: u64,
    /// Bytes decompressed at a time.
    step: usize,
    /// For one record: memory is set aside when it is known how much, and not kept for others.
    is_sparing: bool,
}

impl Unfolded {
    /// With all the room that a member may need which is inflated in one go.
    fn roomy(compression: Compression) -> Unfolded {
        let bytes = if compression == Compression::None { Vec::new() } else { buffer::take(WHOLE_BYTES) };
        Unfolded { bytes, start: 0, end: 0, ended: false, total: 0, step: STEP_BYTES, is_sparing: false }
    }

    fn sparing() -> Unfolded {
        let (bytes, step) = (Vec::new(), RECORD_STEP_BYTES);
        Unfolded { bytes, start: 0, end: 0, ended: false, total: 0, step, is_sparing: true }
    }

    fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the next stretch is decompressed to.
    fn space(&mut self) -> &mut [u8] {
        let end = WHOLE_BYTES.min(self.end + self.step);
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
        }
        self.bytes.get_mut(self.end..end).unwrap_or_default()
    }

    fn reset(&mut self) {
        (self.start, self.end, self.ended, self.total) = (0, 0, false, 0);
    }
}

#[derive(Debug)]
enum Codec {
    Plain,
    Gzip(Box<Gzip>),
    Zstd(Box<Zstd>),
}

/// Its memory serves the next reader of this thread, unless it was for one record only.
impl<R> Drop for Members<R> {
    fn drop(&mut self) {
        if !self.out.is_sparing {
            buffer::give_back(self.window.take_bytes());
            buffer::give_back(std::mem::take(&mut self.out.bytes));
        }
    }
}

/// One member after another.
#[derive(Debug)]
pub(crate) struct Members<R> {
    window: Window<R>,
    out: Unfolded,
    codec: Codec,
    limits: Limits,
    /// Offset at which the current member began.
    began: u64,
}

impl<R: Read> Members<R> {
    /// Looks at the first bytes to tell the compression. `offset` is where the source's first byte stands in the file.
    pub(crate) fn new(source: R, offset: u64, limits: Limits) -> Result<Members<R>, Error> {
        let mut window = Window::new(source, offset, buffer::take(WINDOW_BYTES), WINDOW_BYTES);
        let start = window.fill_to(LOOK_AHEAD).map_err(|source| Error::Read { offset, source })?;
        let mut compression = Compression::detect(start);
        if compression == Compression::None && !start.is_empty() && !scan::starts_record(start) {
            // Bytes that do not belong there may stand in front of an archive that is sound.
            let start = window.fill_to(WINDOW_BYTES).map_err(|source| Error::Read { offset, source })?;
            compression = scan::first_compression(start);
        }
        Members::with_window(window, Unfolded::roomy(compression), compression, &[], limits)
    }

    /// As [`Members::new`] for a source that starts somewhere inside a file whose nature is known.
    pub(crate) fn inside(
        source: R,
        offset: u64,
        compression: Compression,
        dictionary: &[u8],
        limits: Limits,
    ) -> Result<Members<R>, Error> {
        let window = Window::new(source, offset, buffer::take(WINDOW_BYTES), WINDOW_BYTES);
        Members::with_window(window, Unfolded::roomy(compression), compression, dictionary, limits)
    }

    /// As [`Members::inside`] for one member or record that takes about so many bytes; 0 if that is not known.
    pub(crate) fn one(
        source: R,
        extent: Extent,
        compression: Compression,
        dictionary: &[u8],
        limits: Limits,
    ) -> Result<Members<R>, Error> {
        let mut window = Window::new(source, extent.offset, Vec::new(), WINDOW_BYTES);
        // What stands behind it is not read, and a longer one step by step.
        let most = if extent.length == 0 { RECORD_STEP_BYTES as u64 } else { extent.length };
        window.expect_end(extent.offset.saturating_add(most));
        Members::with_window(window, Unfolded::sparing(), compression, dictionary, limits)
    }

    fn with_window(
        window: Window<R>,
        out: Unfolded,
        compression: Compression,
        dictionary: &[u8],
        limits: Limits,
    ) -> Result<Members<R>, Error> {
        let began = window.offset();
        let codec = match compression {
            Compression::None => Codec::Plain,
            Compression::Gzip => Codec::Gzip(Box::new(Gzip::new())),
            Compression::Zstd => Codec::Zstd(Box::new(Zstd::new(dictionary, &limits, began)?)),
        };
        Ok(Members { window, out, codec, limits, began })
    }

    pub(crate) fn compression(&self) -> Compression {
        match self.codec {
            Codec::Plain => Compression::None,
            Codec::Gzip(_) => Compression::Gzip,
            Codec::Zstd(_) => Compression::Zstd,
        }
    }

    /// The dictionary that the file began with, for readers of its other parts.
    pub(crate) fn dictionary(&self) -> &[u8] {
        match &self.codec {
            Codec::Zstd(zstd) => zstd.dictionary(),
            _ => &[],
        }
    }

    /// Offset of the first byte of the source that belongs to no member begun so far. In a plain file: of the
    /// first byte not consumed.
    pub(crate) fn position(&self) -> u64 {
        self.window.offset()
    }

    /// Says that reading will stop at the first member behind `offset`.
    pub(crate) fn expect_end(&mut self, offset: u64) {
        self.window.expect_end(offset);
    }

    /// Steps over zero bytes where a member could begin; how many there were.
    pub(crate) fn skip_zeros(&mut self) -> Result<u64, Error> {
        let mut skipped = 0;
        loop {
            let unread = self.fill_window(1)?;
            let zeros = unread.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return Ok(skipped);
            }
            skipped += zeros as u64;
            self.window.consume(zeros);
        }
    }

    /// Begins the next member: where it stands, or `None` at the end of the source.
    ///
    /// What is left of the member before it is skipped only if [`Members::fill`] had come to its end.
    pub(crate) fn begin(&mut self) -> Result<Option<u64>, Error> {
        if !matches!(self.codec, Codec::Plain) {
            // A member that turns out to be longer than expected asks for the rest itself.
            let wanted = match self.window.expected() {
                0 => LOW_WATER_BYTES,
                expected if expected > LOW_WATER_BYTES => self.out.step.min(LOW_WATER_BYTES),
                expected => expected.max(LOOK_AHEAD),
            };
            self.fill_window(wanted)?;
        }
        loop {
            let offset = self.window.offset();
            if self.fill_window(1)?.is_empty() {
                return Ok(None);
            }
            self.began = offset;
            self.out.reset();
            let began = match &mut self.codec {
                Codec::Plain => true,
                Codec::Gzip(gzip) => gzip.begin(&mut self.window, &mut self.out)?,
                Codec::Zstd(zstd) => zstd.begin(&mut self.window, &self.limits)?,
            };
            if began {
                self.check_limit()?;
                return Ok(Some(offset));
            }
        }
    }

    /// Decompressed bytes of the current member that were not consumed; empty at its end.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Error> {
        if matches!(self.codec, Codec::Plain) {
            return self.fill_window(1);
        }
        if self.out.start >= self.out.end && !self.out.ended {
            (self.out.start, self.out.end) = (0, 0);
            self.step()?;
        }
        Ok(self.out.unread())
    }

    /// As [`Members::fill`], but `wanted` bytes; fewer if the member ends or the buffer does. Never more, so that nothing
    /// depends on how much the source happened to give.
    pub(crate) fn peek(&mut self, wanted: usize) -> Result<&[u8], Error> {
        if matches!(self.codec, Codec::Plain) {
            let unread = self.fill_window(wanted)?;
            return Ok(unread.get(..wanted).unwrap_or(unread));
        }
        let wanted = wanted.min(WHOLE_BYTES - STEP_BYTES);
        while self.out.unread().len() < wanted && !self.out.ended {
            self.out.bytes.copy_within(self.out.start..self.out.end, 0);
            (self.out.start, self.out.end) = (0, self.out.end - self.out.start);
            match self.step() {
                // What came before the damage is given first; the damage is met again when it has been consumed.
                Err(Error::Fault(_)) if !self.out.unread().is_empty() => break,
                result => result?,
            }
        }
        let unread = self.out.unread();
        Ok(unread.get(..wanted).unwrap_or(unread))
    }

    /// What [`Members::fill`] last gave, without asking for more.
    pub(crate) fn unread(&self) -> &[u8] {
        if matches!(self.codec, Codec::Plain) { self.window.unread() } else { self.out.unread() }
    }

    /// Steps over bytes that [`Members::fill`] gave.
    pub(crate) fn consume(&mut self, count: usize) {
        if matches!(self.codec, Codec::Plain) {
            self.window.consume(count);
        } else {
            self.out.start = (self.out.start + count).min(self.out.end);
        }
    }

    /// Whether the current member has been decompressed to its end, so that its length is known.
    pub(crate) fn is_known_whole(&self) -> bool {
        self.out.ended
    }

    /// Takes the current member to have ended: it is damaged, and the damage has been told.
    pub(crate) fn abandon(&mut self) {
        self.out.reset();
        self.out.ended = true;
    }

    /// Gives up the current member and looks for the next place where one plausibly begins: its offset, or `None`
    /// at the end of the source. The member is begun with [`Members::begin`] as usual.
    pub(crate) fn resync(&mut self) -> Result<Option<u64>, Error> {
        self.abandon();
        let compression = self.compression();
        loop {
            self.fill_window(WINDOW_BYTES)?;
            let dictionary = match &self.codec {
                Codec::Zstd(zstd) => zstd.dictionary(),
                _ => &[],
            };
            if let Some(place) = scan::next_start(self.window.unread(), compression, dictionary) {
                self.window.consume(place);
                return Ok(Some(self.window.offset()));
            }
            if self.window.ended() {
                self.window.consume(self.window.unread().len());
                return Ok(None);
            }
            // A start may straddle the window's end, so the last stretch is looked at again.
            let keep = scan::LOOK_AHEAD.min(self.window.unread().len());
            self.window.consume(self.window.unread().len() - keep);
        }
    }

    /// Steps over one byte if reading still stands at `offset`, so that [`Members::resync`] does not find it again.
    pub(crate) fn step_over(&mut self, offset: u64) -> Result<(), Error> {
        if !self.fill_window(1)?.is_empty() && self.window.offset() == offset {
            self.window.consume(1);
        }
        Ok(())
    }

    fn fill_window(&mut self, wanted: usize) -> Result<&[u8], Error> {
        let offset = self.window.offset();
        self.window.fill_to(wanted).map_err(|source| Error::Read { offset, source })
    }

    /// Decompresses a further stretch of the current member behind what is at hand.
    fn step(&mut self) -> Result<(), Error> {
        let before = self.out.end;
        match &mut self.codec {
            Codec::Plain => {}
            Codec::Gzip(gzip) => gzip.step(&mut self.window, &mut self.out, self.began)?,
            Codec::Zstd(zstd) => zstd.step(&mut self.window, &mut self.out, self.began)?,
        }
        self.out.total += (self.out.end - before) as u64;
        self.check_limit()
    }

    fn check_limit(&self) -> Result<(), Error> {
        if self.out.total <= self.limits.member_bytes {
            return Ok(());
        }
        let message = format!("the member unfolds to more than {} bytes", self.limits.member_bytes);
        Err(Fault::new(self.began, FaultKind::Limit, message).into())
    }
}
