//! Hints: what to do about an error, carried with it and printed last.
//!
//! ```text
//! open(path).hint("`varve warc ls -` reads standard input")?
//! ```

use std::error::Error;
use std::fmt;

use crate::usage::Misuse;

/// An error with the way out attached. It reads exactly like the error inside.
#[derive(Debug)]
pub(crate) struct Hinted {
    error: anyhow::Error,
    hint: String,
}

impl Hinted {
    /// The error that the hint belongs to.
    pub(crate) fn inner(&self) -> &anyhow::Error {
        &self.error
    }
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Hinted {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// Adds `.hint("…")` beside anyhow's `.context("…")`. Several hints may be added; they are printed in that order.
pub(crate) trait WithHint<T> {
    /// Says what the user can do about it.
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> WithHint<T> for Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| with_hint(error.into(), hint))
    }
}

/// The same for an error that is in no result yet.
pub(crate) fn with_hint(error: anyhow::Error, hint: impl Into<String>) -> anyhow::Error {
    Hinted { error, hint: hint.into() }.into()
}

/// All hints in an error, in the order in which they were added.
pub(crate) fn hints(error: &anyhow::Error) -> Vec<&str> {
    // Asking anyhow looks through any context on top, so this finds the last hint; the earlier ones are inside it.
    let Some(hinted) = error.downcast_ref::<Hinted>() else {
        return match error.downcast_ref::<Misuse>() {
            Some(misuse) => hints(misuse.inner()),
            None => explained(error).map(settings::Error::hints).unwrap_or_default(),
        };
    };
    let mut found = hints(&hinted.error);
    found.push(&hinted.hint);
    found
}

/// What a service says about an error.
pub(crate) fn explained(error: &anyhow::Error) -> Option<&settings::Error> {
    let planned = || error.downcast_ref::<plan::Error>()?.explained();
    let served = || error.downcast_ref::<supervisor::Error>()?.explained();
    error.downcast_ref().or_else(planned).or_else(served)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context as _, anyhow};

    #[test]
    fn hints_are_found_below_context_and_below_each_other() {
        let error = Err::<(), _>(anyhow!("root"))
            .hint("first")
            .hint("second")
            .context("middle")
            .hint("third")
            .unwrap_err();
        assert_eq!(hints(&error), ["first", "second", "third"]);
    }

    #[test]
    fn a_hint_changes_nothing_in_the_message() {
        let error = Err::<(), _>(anyhow!("root")).context("top").hint("way out").unwrap_err();
        let texts: Vec<String> = error.chain().map(ToString::to_string).collect();
        assert_eq!(texts, ["top", "root"]);
    }

    #[test]
    fn hints_of_a_service_come_before_those_of_the_program() {
        let error = settings::Error::new("root").with_hint("first");
        let error = Err::<(), _>(error).context("top").hint("second").unwrap_err();
        assert_eq!(hints(&error), ["first", "second"]);
    }
}
