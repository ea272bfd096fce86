//! The block of the current record: handing out its bytes, and making sure of its end.

use std::io::Read;

use super::{Extent, Reader};
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::framing;
use crate::http::HttpHead;
use crate::member::Compression;
use crate::record::Version;

impl<R: Read> Reader<R> {
    /// Makes bytes of the block available: how many; 0 at its end.
    pub(super) fn fill_block(&mut self) -> Result<usize, Error> {
        let Some(current) = &self.current else { return Ok(0) };
        if current.left == 0 {
            return Ok(0);
        }
        let (offset, left) = (current.offset, current.left);
        let available = match self.members.fill() {
            Ok(unread) => unread.len(),
            Err(Error::Fault(fault)) if self.options.lenient => {
                self.cut_block();
                self.report(fault)?;
                let from = self.members.position();
                self.resync_from(from)?;
                let message = format!("the block ends {left} bytes early");
                self.report(Fault::new(offset, FaultKind::TruncatedBlock, message))?;
                return Ok(0);
            }
            Err(error) => return Err(error),
        };
        if available == 0 {
            // A strict reader stays here: whoever passes over the error meets it again at the record's end.
            let message = format!("the block ends {left} bytes early");
            self.report(Fault::new(offset, FaultKind::TruncatedBlock, message))?;
            self.cut_block();
        }
        Ok(usize::try_from(left).unwrap_or(usize::MAX).min(available))
    }

    /// The block ended before its length did: its digests mean nothing any more.
    pub(super) fn cut_block(&mut self) {
        if let Some(current) = &mut self.current {
            current.left = 0;
            current.verifier = None;
            current.cut = true;
        }
    }

    pub(super) fn block_unread(&self) -> &[u8] {
        let left = self.current.as_ref().map_or(0, |current| current.left);
        let unread = self.members.unread();
        usize::try_from(left).ok().and_then(|left| unread.get(..left)).unwrap_or(unread)
    }

    pub(super) fn consume_block(&mut self, count: usize) {
        let Some(current) = &mut self.current else { return };
        if let Some(verifier) = &mut current.verifier {
            verifier.update(self.members.unread().get(..count).unwrap_or_default());
        }
        current.left -= count as u64;
        current.length += count as u64;
        self.members.consume(count);
    }

    /// Parses the HTTP head in the next `limit` bytes of the block: its length.
    pub(super) fn find_http(&mut self, limit: usize, is_all: bool) -> Result<Option<usize>, Error> {
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

    /// Skips what is left of the current record, compares its digests, and steps over the line breaks behind it.
    pub(super) fn finish_record(&mut self) -> Result<(), Error> {
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
        // Of a member that goes on with further records the length is not known yet.
        let length = if self.members.is_known_whole() { self.members.position() - offset } else { 0 };
        self.last_extent = Some(Extent { offset, length });
        if matches!(end, Ok(true)) {
            self.in_member = false;
        }
        result.and(end.map(drop))
    }

    pub(super) fn step_over_trailer(&mut self, offset: u64, cut: bool) -> Result<(), Error> {
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
}
