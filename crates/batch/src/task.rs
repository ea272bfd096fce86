//! What is done with each file, and how the results become one.

use std::io::{self, Read, Write};

use store::Sealed;

use crate::failed::Why;
use crate::reading::Reading;

/// Something that is done with each file by itself. Several threads share it.
pub trait Task: Send + Sync {
    /// Works on one file: reads it, and writes its result.
    ///
    /// # Errors
    /// When there is no result. What was written by then is thrown away.
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure>;

    /// Whether it wants the bytes of files. Where it does not, nothing is read, and nothing compared.
    fn reads(&self) -> bool {
        true
    }

    /// What makes one of all results. Unless told otherwise they are put one behind another.
    fn merge(&self) -> Box<dyn Merge> {
        Box::new(Append)
    }
}

/// What became of a file that there is a result of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// All is well.
    Sound,
    /// Something is wrong with the file. The result stays, and the file is among those that failed.
    Damaged(String),
    /// It is no file of the kind that the task is about. Whatever was written is thrown away, and it is no failure.
    Other,
}

/// Why there is no result of a file, as prose.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure(error.to_string())
    }
}

impl From<warc::Error> for Failure {
    fn from(error: warc::Error) -> Failure {
        Failure(match &error {
            warc::Error::Read { source, .. } => format!("{error}: {source}"),
            _ => error.to_string(),
        })
    }
}

impl From<cdx_indexer::Error> for Failure {
    fn from(error: cdx_indexer::Error) -> Failure {
        match error {
            cdx_indexer::Error::Record(error) => error.into(),
            other => Failure(other.to_string()),
        }
    }
}

/// Makes one result of many. It is given them in the order of the files, whoever was ready first.
pub trait Merge {
    /// Takes the result of the next file. Something may be wrong with the file all the same.
    ///
    /// # Errors
    /// When `out` cannot be written; this ends the run.
    fn add(
        &mut self,
        file: &Sealed,
        failed: Option<&Why>,
        result: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// All are there, or no more will come.
    ///
    /// # Errors
    /// As [`Merge::add`].
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
}

/// One behind another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Append;

impl Merge for Append {
    fn add(
        &mut self,
        _: &Sealed,
        _: Option<&Why>,
        result: &mut dyn Read,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        io::copy(result, out).map(drop)
    }
}
