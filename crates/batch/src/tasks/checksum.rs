//! SHA-256 of each file as it is now, as `sha256sum` prints it and `sha256sum -c` reads it.

use std::io::Write;

use crate::reading::Reading;
use crate::task::{Done, Failure, Task};

/// SHA-256 of each file, read anew.
#[derive(Debug, Clone, Copy, Default)]
pub struct Checksum;

impl Task for Checksum {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let sha256 = file.finish()?.to_owned();
        writeln!(result, "{sha256}  {}", file.file().name)?;
        Ok(Done::Sound)
    }
}
