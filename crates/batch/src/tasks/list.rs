//! Which files there are, without reading them.

use std::io::Write;

use serde::Serialize;

use super::{Form, json_line, plain};
use crate::reading::Reading;
use crate::task::{Done, Failure, Task};

/// Name, length and checksum of each file, as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub struct List {
    /// How it is written.
    pub form: Form,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    bytes: u64,
    sha256: &'a str,
}

impl Task for List {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let file = file.file();
        match self.form {
            Form::Text => writeln!(result, "{}\t{}\t{}", plain(&file.name), file.bytes, file.sha256)?,
            Form::Json => {
                json_line(&Row { file: &file.name, bytes: file.bytes, sha256: &file.sha256 }, result)?
            }
        }
        Ok(Done::Sound)
    }

    fn reads(&self) -> bool {
        false
    }
}
