//! What the database says, or panics at, as an error of ours.

use std::error::Error as _;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use fjall::LsmError;

use crate::error::Error;

/// Calls the database. Its panics become errors: it asserts what it expects of its files.
///
/// Nothing is written to the database after a panic; it may still be read, where it answers with an error if need be.
pub(super) fn guarded<T>(call: impl FnOnce() -> fjall::Result<T>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(translated(&error)),
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().copied();
            let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let said = said.unwrap_or("it did not say why");
            Err(Error::Damaged { what: format!("the database gave up: {said}") })
        }
    }
}

fn translated(error: &fjall::Error) -> Error {
    match error {
        // Where, the caller knows.
        fjall::Error::Locked => Error::InUse { folder: PathBuf::new() },
        fjall::Error::Poisoned => Error::Poisoned,
        other => match io_error(other) {
            Some(error) => of_io(error),
            None => Error::Damaged { what: in_words(other) },
        },
    }
}

/// What the database found; it only says it in code.
fn in_words(error: &fjall::Error) -> String {
    let what = match error {
        fjall::Error::Storage(LsmError::ChecksumMismatch { .. } | LsmError::Decompress(_)) => {
            "a block of a table is not what was written"
        }
        fjall::Error::Storage(LsmError::Unrecoverable) | fjall::Error::Unrecoverable => {
            "tables are missing or cut short"
        }
        fjall::Error::Storage(_) => "a table does not have the form that it should",
        fjall::Error::JournalRecovery(_) => "the journal is not what was written",
        fjall::Error::InvalidVersion(_) => "it does not say of which version the database is",
        other => return format!("the database says: {other}"),
    };
    what.to_owned()
}

/// The error of the operating system that is behind an error of the database.
fn io_error(error: &fjall::Error) -> Option<&io::Error> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref() {
            return Some(error);
        }
        cause = error.source();
    }
    None
}

pub(super) fn of_io(error: &io::Error) -> Error {
    let copy = match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    };
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full(copy),
        // The files say that there is more than there is.
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            Error::Damaged { what: error.to_string() }
        }
        // A file that must be there is not.
        io::ErrorKind::NotFound => Error::Damaged { what: "a file of the database is missing".to_owned() },
        _ => Error::Disk(copy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_database_is_an_error() {
        let error = guarded::<()>(|| panic!("lost my key")).unwrap_err();
        assert_eq!(error.to_string(), "the frontier is damaged: the database gave up: lost my key");
    }

    #[test]
    fn a_full_disk_is_said() {
        let full = || Err(fjall::Error::Io(io::Error::from(io::ErrorKind::StorageFull)));
        assert!(matches!(guarded::<()>(full), Err(Error::Full(_))));
    }
}
