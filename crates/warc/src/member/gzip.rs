//! Gzip members: in one go when they are small, as most are; step by step when they are not.

use std::io::Read;

use flate2::{Decompress, FlushDecompress, Status};

use super::libdeflate::{Inflated, Inflater};
use super::{RECORD_WHOLE_BYTES, STEP_BYTES, Unfolded, WINDOW_BYTES, scan};
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::window::Window;

/// So much of a member is looked at to tell damage from length. Most members are shorter; of a longer one that is
/// damaged further on, only the next start is not known beforehand.
const DAMAGE_BYTES: usize = 256 << 10;

#[derive(Debug)]
pub(super) struct Gzip {
    /// `None` when its memory could not be had: then every member goes step by step.
    inflater: Option<Inflater>,
    stream: Decompress,
    /// Where the next member begins, when the current one is known to be damaged.
    bound: Option<u64>,
}

impl Gzip {
    pub(super) fn new() -> Gzip {
        Gzip { inflater: Inflater::new(), stream: Decompress::new_gzip(15), bound: None }
    }

    /// Begins the member at the window's start and, if it is small, inflates it whole. Always true.
    pub(super) fn begin<R: Read>(
        &mut self,
        window: &mut Window<R>,
        out: &mut Unfolded,
    ) -> Result<bool, Error> {
        let offset = window.offset();
        self.bound = None;
        if !matches!(window.unread(), [0x1f, 0x8b, ..]) {
            let message = "no gzip member begins here";
            return Err(Fault::new(offset, FaultKind::Garbage, message).into());
        }
        let mut result = self.inflate_whole(window, out);
        if result == Inflated::Bad && !out.is_sparing && !window.ended() && !window.full() {
            window.fill_to(WINDOW_BYTES).map_err(|source| Error::Read { offset, source })?;
            result = self.inflate_whole(window, out);
        }
        match result {
            Inflated::Whole(taken, written) => {
                window.consume(taken);
                (out.start, out.end, out.ended, out.total) = (0, written, true, written as u64);
            }
            Inflated::NoSpace => self.reset(),
            Inflated::Bad => {
                let start = window.unread().get(..DAMAGE_BYTES).unwrap_or(window.unread());
                if self.damaged_within(start) {
                    let next = scan::next_gzip_start(window.unread().get(1..).unwrap_or_default());
                    self.bound = next.map(|place| offset + 1 + place as u64);
                }
                self.reset();
            }
        }
        Ok(true)
    }

    fn inflate_whole<R: Read>(&mut self, window: &Window<R>, out: &mut Unfolded) -> Inflated {
        if out.is_sparing && !make_room(window, out) {
            return Inflated::NoSpace;
        }
        match &mut self.inflater {
            Some(inflater) => inflater.gzip(window.unread(), &mut out.bytes),
            None => Inflated::NoSpace,
        }
    }

    fn reset(&mut self) {
        // `Decompress::reset` cannot keep the gzip framing, so a new one is made; this is the rare path.
        self.stream = Decompress::new_gzip(15);
    }

    /// Whether the member is damaged in the bytes at hand, rather than longer than they are.
    fn damaged_within(&mut self, input: &[u8]) -> bool {
        self.reset();
        let mut scratch = vec![0; STEP_BYTES];
        loop {
            let taken = usize::try_from(self.stream.total_in()).unwrap_or(usize::MAX);
            let rest = input.get(taken..).unwrap_or_default();
            match self.stream.decompress(rest, &mut scratch, FlushDecompress::None) {
                Err(_) => return true,
                Ok(Status::StreamEnd) => return false,
                Ok(_) if self.stream.total_in() as usize >= input.len() => return false,
                Ok(_) => {}
            }
        }
    }

    /// Inflates a further stretch into `out`.
    pub(super) fn step<R: Read>(
        &mut self,
        window: &mut Window<R>,
        out: &mut Unfolded,
        began: u64,
    ) -> Result<(), Error> {
        let before = out.end;
        while out.end == before && !out.ended {
            let offset = window.offset();
            window.fill_to(out.step / 2).map_err(|source| Error::Read { offset, source })?;
            let input = match self.bound {
                Some(bound) => {
                    let left = usize::try_from(bound.saturating_sub(offset)).unwrap_or(usize::MAX);
                    window.unread().get(..left).unwrap_or(window.unread())
                }
                None => window.unread(),
            };
            if input.is_empty() {
                return Err(if self.bound.is_some() { bad(began) } else { truncated(began) });
            }
            let (before_in, before_out) = (self.stream.total_in(), self.stream.total_out());
            let space = out.space();
            let status = self.stream.decompress(input, space, FlushDecompress::None);
            let taken = (self.stream.total_in() - before_in) as usize;
            out.end += (self.stream.total_out() - before_out) as usize;
            let stuck = taken == 0 && out.end == before;
            window.consume(taken);
            match status {
                Ok(Status::StreamEnd) => out.ended = true,
                Ok(_) if !stuck => {}
                Ok(_) if window.ended() && self.bound.is_none() => return Err(truncated(began)),
                // What came out before the damage is still good to have: the error waits for the next step.
                Err(_) if out.end > before => {}
                Ok(_) | Err(_) => return Err(bad(began)),
            }
        }
        Ok(())
    }
}

/// Makes room for what the member at the window's start unfolds to, which its last four bytes tell; false if they are not at hand, or
/// tell of too much. Where the expected length is wrong, so is this, and the member goes step by step.
fn make_room<R: Read>(window: &Window<R>, out: &mut Unfolded) -> bool {
    let member = window.unread().get(..window.expected());
    let Some(length) = member.and_then(<[u8]>::last_chunk).map(|last| u32::from_le_bytes(*last) as usize)
    else {
        return false;
    };
    if length > RECORD_WHOLE_BYTES {
        return false;
    }
    if length > out.bytes.len() {
        out.bytes.resize(length, 0);
    }
    true
}

fn bad(began: u64) -> Error {
    let message = "the gzip member cannot be decompressed, or its checksum is wrong";
    Fault::new(began, FaultKind::BadMember, message).into()
}

fn truncated(began: u64) -> Error {
    Fault::new(began, FaultKind::TruncatedMember, "the file ends within this gzip member").into()
}
