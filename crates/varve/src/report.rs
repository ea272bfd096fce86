//! How a failure is told: what went wrong, why, and the way out.

use std::error::Error;

use crate::hint::hints;
use crate::talk::Talk;

/// Prints the error, its causes and its hints to standard error.
pub(crate) fn failure(talk: &Talk, error: &anyhow::Error) {
    let mut causes = error.chain().map(ToString::to_string);
    talk.error(&causes.next().unwrap_or_default());
    let mut told = String::new();
    for cause in causes.filter(|cause| !cause.is_empty()) {
        // Some libraries repeat their cause in their own message; once is enough.
        if cause != told {
            talk.cause(&cause);
        }
        told = cause;
    }
    let mut hints = hints(error);
    hints.extend(error.chain().filter_map(|cause| {
        let served = || cause.downcast_ref::<supervisor::Error>()?.archive();
        way_out(archive_error(cause).or_else(served)?)
    }));
    if !hints.is_empty() {
        talk.blank();
    }
    for hint in hints {
        talk.way_out(hint);
    }
}

/// Prints the same as a warning, for a command that can do its work all the same.
pub(crate) fn warning(talk: &Talk, error: &anyhow::Error) {
    talk.warning(&format!("{error:#}"));
    hints(error).into_iter().for_each(|hint| talk.hint(hint));
}

/// The archive's error that a cause is or carries.
fn archive_error<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a archive::Error> {
    match cause.downcast_ref::<transfer::Error>() {
        Some(transfer::Error::Archive(error)) => Some(error),
        _ => cause.downcast_ref(),
    }
}

/// What helps wherever it is met.
fn way_out(error: &archive::Error) -> Option<&'static str> {
    match error {
        error if error.is_elsewhere() => Some(
            "bring the file back to where it was, or give its new place to `varve import`, which finds its captures again",
        ),
        archive::Error::Changed { .. } => {
            Some("nothing of that earlier import is in the archive; give its files to `varve import` again")
        }
        _ => None,
    }
}
