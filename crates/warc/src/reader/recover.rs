//! Going on after damage.

use std::io::Read;

use super::Reader;
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::member::{Compression, scan};

impl<R: Read> Reader<R> {
    /// Goes on after damage: notes the fault and looks for the next record.
    pub(super) fn recover(&mut self, fault: Fault) -> Result<(), Error> {
        self.current = None;
        let (kind, offset) = (fault.kind, fault.offset);
        let compressed = self.members.compression() != Compression::None;
        let member_is_bad =
            matches!(kind, FaultKind::BadMember | FaultKind::TruncatedMember | FaultKind::Limit);
        self.report(fault)?;
        if compressed && self.in_member && !member_is_bad && self.recover_within_member()? {
            return Ok(());
        }
        // A line that is no record's, or a member that gave no record, is lost from where it began.
        let from = match kind {
            FaultKind::Garbage | FaultKind::UnknownFormat if !compressed => offset,
            _ if compressed && self.in_member && self.records_in_member == 0 => self.member_offset,
            _ => self.members.position(),
        };
        self.in_member = false;
        self.members.step_over(offset)?;
        self.resync_from(from)
    }

    /// Looks for the next start, and tells what was stepped over since `from`.
    pub(super) fn resync_from(&mut self, from: u64) -> Result<(), Error> {
        let to = self.members.resync()?.unwrap_or_else(|| self.members.position());
        if to > from {
            let lost = to - from;
            let message = format!("{lost} bytes belong to no record that can be read");
            self.report(Fault::new(from, FaultKind::Garbage, message).losing(lost))?;
        }
        Ok(())
    }

    /// Looks for a further record in what is left of a member: whole-file gzip holds many.
    fn recover_within_member(&mut self) -> Result<bool, Error> {
        let mut lost = 0;
        let found = loop {
            let unread = match self.members.peek(scan::LOOK_AHEAD) {
                Ok([]) => break false,
                Ok(unread) => unread,
                Err(Error::Fault(fault)) => {
                    self.report(fault)?;
                    break false;
                }
                Err(error) => return Err(error),
            };
            if let Some(place) = scan::next_plain_start(unread) {
                self.members.consume(place);
                lost += place;
                break true;
            }
            // The last line may go on, and be a record's first; unless it is longer than any such line.
            let whole_lines = memchr::memrchr(b'\n', unread).map_or(0, |end| end + 1);
            let is_last = unread.len() < scan::LOOK_AHEAD;
            let count = if is_last || whole_lines == 0 { unread.len() } else { whole_lines };
            self.members.consume(count);
            lost += count;
        };
        if lost > 0 && self.records_in_member > 0 {
            let message = format!("{lost} bytes inside this member belong to no record that can be read");
            self.report(Fault::new(self.member_offset, FaultKind::Garbage, message).losing(lost as u64))?;
        }
        Ok(found)
    }
}
