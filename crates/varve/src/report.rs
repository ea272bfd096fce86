//! How a failure is told: what went wrong, why, and the way out.

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
    let hints = hints(error);
    if !hints.is_empty() {
        talk.blank();
    }
    for hint in hints {
        talk.hint(hint);
    }
}
