//! A sliding window over a source of bytes that cannot seek.

use std::io::{self, Read};

/// A window that begins with nothing becomes at least and, unless more is wanted at once, at most so large.
const GROWTH_BYTES: (usize, usize) = (4 << 10, 64 << 10);

/// Unread bytes of a source, with the offset they came from. Grows when more is wanted at once than fits, up to its bound.
#[derive(Debug)]
pub(crate) struct Window<R> {
    source: R,
    bytes: Vec<u8>,
    bytes_max: usize,
    start: usize,
    end: usize,
    offset: u64,
    ended: bool,
    /// Up to here the window is filled as far as it goes; beyond, only as far as is asked for.
    eager_end: u64,
}

impl<R> Window<R> {
    /// Gives its memory away, to be used again; the window is of no use after that.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        (self.start, self.end) = (0, 0);
        std::mem::take(&mut self.bytes)
    }
}

impl<R: Read> Window<R> {
    /// A window as large as `bytes`, at first, over a source whose first byte stands at `offset` of the whole.
    pub(crate) fn new(source: R, offset: u64, bytes: Vec<u8>, bytes_max: usize) -> Window<R> {
        Window { source, bytes, bytes_max, start: 0, end: 0, offset, ended: false, eager_end: u64::MAX }
    }

    /// Says that hardly anything behind `offset` will be wanted, so that it need not be read.
    pub(crate) fn expect_end(&mut self, offset: u64) {
        self.eager_end = offset;
    }

    /// How many bytes from the first unread one on are expected to be wanted.
    pub(crate) fn expected(&self) -> usize {
        usize::try_from(self.eager_end.saturating_sub(self.offset)).unwrap_or(usize::MAX)
    }

    /// What has been read from the source and not been consumed.
    pub(crate) fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the first unread byte stands.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the source has no more bytes beyond the unread ones.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Whether no further byte fits before some are consumed.
    pub(crate) fn full(&self) -> bool {
        self.end - self.start >= self.bytes_max
    }

    /// Steps over the first `count` unread bytes.
    pub(crate) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start, "more consumed than was read");
        let count = count.min(self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }

    /// Reads until at least `wanted` bytes are unread, the source ends, or the window is full and may not grow.
    pub(crate) fn fill_to(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.end - self.start < wanted && !self.ended {
            self.refill(wanted)?;
        }
        Ok(self.unread())
    }

    fn refill(&mut self, wanted: usize) -> io::Result<()> {
        let wanted = wanted.min(self.bytes_max);
        if wanted > self.bytes.len() {
            let room = self.expected().clamp(GROWTH_BYTES.0, GROWTH_BYTES.1);
            self.bytes.resize(wanted.max(room).min(self.bytes_max), 0);
        }
        // What is left is moved to the front only if there is no room behind it. With `wanted` at most half the
        // capacity that happens once per half a window, not once per record, however small the records are.
        if self.start + wanted > self.bytes.len() {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < wanted && !self.ended {
            let missing = wanted - (self.end - self.start);
            let read_to = self.offset + (self.end - self.start) as u64;
            let eager = usize::try_from(self.eager_end.saturating_sub(read_to)).unwrap_or(usize::MAX);
            let most = self.end.saturating_add(eager.max(missing)).min(self.bytes.len());
            let free = self.bytes.get_mut(self.end..most).unwrap_or_default();
            match self.source.read(free) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count.min(free.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
