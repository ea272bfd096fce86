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
}
