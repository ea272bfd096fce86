//! The CDXJ lines of each file, by the same code as the archive's own and those of `varve cdx make`.

use std::cell::RefCell;
use std::io::Write;

use ::cdx::Capture;
use cdx_indexer::{Indexer, Options};
use warc::{Fault, FaultKind, Severity};

use crate::reading::Reading;
use crate::records::{Damage, Nature, walk};
use crate::task::{Done, Failure, Task};

/// Lines as a replay tool wants them, but not sorted: they come in the order of the records.
#[derive(Debug, Clone, Default)]
pub struct Cdx {
    /// Which records, and which members of each.
    pub options: Options,
    /// Whether lines name files with their job in front, as in the archive; else by the last part of their names.
    pub with_job: bool,
}

impl Task for Cdx {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let name = file.file().name.clone();
        let filename = if self.with_job { &name } else { name.rsplit('/').next().unwrap_or(&name) };
        let mut indexer = Indexer::new(filename, self.options.clone())?;
        let mut lines = Vec::new();
        // What is wrong with a record is known only behind it, so its captures wait until then.
        let found = RefCell::new(Found::default());
        let nature = walk(
            file,
            false,
            &mut |record| {
                let mut found = found.borrow_mut();
                result.write_all(found.write(&mut lines))?;
                let offset = record.offset();
                match indexer.push(record, &mut |capture| found.captures.push(capture)) {
                    Ok(()) => {}
                    Err(cdx_indexer::Error::Record(warc::Error::Fault(fault))) => found.damage.add(&fault),
                    Err(cdx_indexer::Error::NotHttp { line, .. }) => {
                        let message = format!("no HTTP/1 message, but `{line}`");
                        found.damage.add(&Fault::new(offset, FaultKind::UnknownValue, message));
                    }
                    Err(error) => return Err(error.into()),
                }
                Ok(())
            },
            &mut |fault| found.borrow_mut().wrong(fault),
        )?;
        let mut found = found.into_inner();
        indexer.finish(&mut |capture| found.captures.push(capture));
        result.write_all(found.write(&mut lines))?;
        Ok(if nature == Nature::Other { Done::Other } else { found.damage.done() })
    }
}

/// Captures that wait, and what is wrong so far.
#[derive(Default)]
struct Found {
    captures: Vec<Capture<'static>>,
    damage: Damage,
}

impl Found {
    fn wrong(&mut self, fault: &Fault) {
        if fault.kind == FaultKind::TruncatedHead {
            // Of a record whose header broke off nobody can say what it is; a line for it would be noise.
            self.captures.retain(|capture| capture.key.is_some());
        }
        // Lines of records in one member all point at one place: an index that leads nowhere is no good one.
        if fault.kind.severity() == Severity::Damage || fault.kind == FaultKind::SharedMember {
            self.damage.add(fault);
        }
    }

    fn write<'a>(&mut self, lines: &'a mut Vec<u8>) -> &'a [u8] {
        lines.clear();
        for capture in self.captures.drain(..) {
            capture.write_cdxj(lines);
            lines.push(b'\n');
        }
        lines
    }
}
