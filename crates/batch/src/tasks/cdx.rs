//! The CDXJ lines of each file, by the same code as the archive's own and those of `varve cdx make`.

use std::io::Write;

use describe::{Indexer, Options};
use warc::{Fault, FaultKind, Severity};

use crate::reading::Reading;
use crate::records::{Damage, walk};
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
        // The walk has what is wrong with a record only behind it, and both come in here.
        let (mut damage, mut unfit) = (Damage::default(), Damage::default());
        walk(
            file,
            false,
            &mut |record| {
                let offset = record.offset();
                match indexer.push(record, &mut |capture| line(&capture, &mut lines)) {
                    Ok(()) => {}
                    Err(describe::Error::Record(warc::Error::Fault(fault))) => unfit.add(&fault),
                    Err(describe::Error::NotHttp { line, .. }) => {
                        let message = format!("no HTTP/1 message, but `{line}`");
                        unfit.add(&Fault::new(offset, FaultKind::UnknownValue, message));
                    }
                    Err(error) => return Err(error.into()),
                }
                result.write_all(&lines)?;
                lines.clear();
                Ok(())
            },
            &mut |fault| {
                // Lines of records in one member all point at one place: an index that leads nowhere is no good one.
                if fault.kind.severity() == Severity::Damage || fault.kind == FaultKind::SharedMember {
                    damage.add(fault);
                }
            },
        )?;
        indexer.finish(&mut |capture| line(&capture, &mut lines));
        result.write_all(&lines)?;
        damage.join(unfit);
        Ok(damage.done())
    }
}

fn line(capture: &::cdx::Capture<'_>, lines: &mut Vec<u8>) {
    // Of a record whose header broke off nobody can say what it is; a line for it would be noise.
    if capture.key.is_some() {
        capture.write_cdxj(lines);
        lines.push(b'\n');
    }
}
