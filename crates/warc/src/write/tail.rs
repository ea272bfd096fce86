//! Tells how much of a file is sound, so that a partly written tail can be cut off exactly.

use std::io::Read;

use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::reader::{Options, Reader};

/// The sound part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoundPart {
    /// Bytes from the start that hold whole records only.
    pub length: u64,
    /// Records in them.
    pub records: u64,
    /// What is wrong behind them, if anything is there.
    pub fault: Option<Fault>,
}

/// Reads a file to the end of its last whole record. Cutting the file to [`SoundPart::length`] makes it sound.
///
/// A record counts as whole when its block is complete and the line breaks behind it are there, as our writer
/// leaves them; a file from elsewhere that ends without them is told as not sound to its end.
pub fn sound_part<R: Read>(source: R, options: Options) -> Result<SoundPart, Error> {
    let mut reader = Reader::new(source, Options { lenient: false, ..options })?;
    let mut part = SoundPart { length: 0, records: 0, fault: None };
    let mut records = 0;
    loop {
        let step = reader.next_record().and_then(|record| record.map(|record| record.finish()).transpose());
        let offset = match step {
            Ok(Some(extent)) => extent.offset,
            Ok(None) => {
                // Nothing but blank lines followed the last record in its member.
                if records > part.records {
                    (part.length, part.records) = (reader.position(), records);
                }
                // Zero bytes at the end do no harm to what stands before them, but they are not sound either.
                part.fault =
                    reader.take_faults().into_iter().find(|fault| fault.kind == FaultKind::ZeroPadding);
                return Ok(part);
            }
            Err(Error::Fault(fault)) => {
                part.fault = Some(fault);
                return Ok(part);
            }
            Err(error) => return Err(error),
        };
        if let Some(fault) = reader.take_faults().into_iter().find(|fault| fault.kind == FaultKind::Trailer) {
            part.fault = Some(fault);
            return Ok(part);
        }
        records += 1;
        // A member that holds more records can only be cut off or kept whole.
        if reader.position() > offset {
            (part.length, part.records) = (reader.position(), records);
        }
    }
}
