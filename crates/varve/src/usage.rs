//! Wrong usage that shows only when the settings are known: a profile that is not there, a URL that cannot be fetched.
//!
//! What the command line alone gives away is clap's to refuse. Both end with the same exit code, so that a script can tell its own
//! mistakes from those of the world.

use std::error::Error;
use std::fmt;

use crate::hint::{Hinted, explained};

/// An error that the command line is to blame for. It reads exactly like the error inside.
#[derive(Debug)]
pub(crate) struct Misuse(anyhow::Error);

impl Misuse {
    /// The error itself.
    pub(crate) fn inner(&self) -> &anyhow::Error {
        &self.0
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Misuse {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Lays the blame on the command line.
pub(crate) fn wrong(error: impl Into<anyhow::Error>) -> anyhow::Error {
    Misuse(error.into()).into()
}

/// Whether the command line is to blame.
pub(crate) fn is_wrong(error: &anyhow::Error) -> bool {
    error.is::<Misuse>()
        || error.downcast_ref::<Hinted>().is_some_and(|hinted| is_wrong(hinted.inner()))
        || explained(error).is_some_and(settings::Error::is_usage)
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, anyhow};

    use super::*;
    use crate::hint::{WithHint as _, hints};

    #[test]
    fn blame_is_found_under_context_and_hints_and_hides_neither() {
        let error = Err::<(), _>(anyhow!("root")).hint("first").unwrap_err();
        assert!(!is_wrong(&error));
        let error = Err::<(), _>(wrong(error)).hint("second").context("top").hint("third").unwrap_err();
        assert!(is_wrong(&error));
        assert_eq!(hints(&error), ["first", "second", "third"]);
        let texts: Vec<String> = error.chain().map(ToString::to_string).collect();
        assert_eq!(texts, ["top", "root"]);
    }
}
