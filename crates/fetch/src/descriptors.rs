//! File descriptors: which errors say that none is left, and how many connections leave to files.
//!
//! The system gives out the lowest number that is free. A connection whose number is near the limit would take one of the last, which the
//! archive, its index and its databases need; it is closed again.

use std::error::Error;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use rustix::process::{Resource, getrlimit};

/// Descriptors that connections leave to files: an eighth of all, and this many at most.
const RESERVED_MAX: u64 = 64;

/// Whether an error says that this process, or the system, has no file descriptor left. The numbers are the same on every Unix.
#[must_use]
pub fn is_out_of_descriptors(error: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    matches!(error.raw_os_error(), Some(ENFILE | EMFILE))
}

/// Whether an error, or one of its causes, is that no file descriptor was left.
#[must_use]
pub fn lacks_descriptors(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.downcast_ref::<io::Error>().is_some_and(is_out_of_descriptors) {
            return true;
        }
        next = error.source();
    }
    false
}

/// Whether there is a file descriptor for another connection.
#[must_use]
pub fn has_descriptors() -> bool {
    match File::open("/dev/null") {
        Ok(file) => !is_reserved(&file),
        Err(error) => !is_out_of_descriptors(&error),
    }
}

/// Whether this is one of the last descriptors.
pub(crate) fn is_reserved(opened: &impl AsRawFd) -> bool {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let number = u64::try_from(opened.as_raw_fd()).unwrap_or_default();
    number >= limit - (limit / 8).min(RESERVED_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] io::Error);

    #[test]
    fn a_lack_of_descriptors_is_found_among_the_causes() {
        for (number, expected) in [(23, true), (24, true), (28, false)] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(is_out_of_descriptors(&error), expected);
            assert_eq!(lacks_descriptors(&Outer(error)), expected);
        }
    }

    #[test]
    fn low_numbers_are_not_reserved() {
        assert!(has_descriptors());
    }
}
