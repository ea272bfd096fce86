//! Why something failed, and what a person can do about it. All services explain their failures with this type.

use std::error::Error as StdError;
use std::fmt;

/// A failure that a person reads: a message or the error below it, hints, and whether the command line is to blame.
#[derive(Debug)]
pub struct Error {
    /// What failed; nothing if the cause says it.
    message: Option<String>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
    hints: Vec<String>,
    is_usage: bool,
}

impl Error {
    /// A failure with nothing below it.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: Some(message.into()), cause: None, hints: Vec::new(), is_usage: false }
    }

    /// Any other error, which this one then reads as.
    #[must_use]
    pub fn of(cause: impl StdError + Send + Sync + 'static) -> Error {
        Error { message: None, cause: Some(Box::new(cause)), hints: Vec::new(), is_usage: false }
    }

    /// A message above any other error.
    #[must_use]
    pub fn above(message: impl Into<String>, cause: impl StdError + Send + Sync + 'static) -> Error {
        Error { message: Some(message.into()), ..Error::of(cause) }
    }

    /// Adds a hint; hints are printed in the order of their addition.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Error {
        self.hints.push(hint.into());
        self
    }

    /// Says that the command line or the request is wrong, and not the world.
    #[must_use]
    pub fn as_usage(mut self) -> Error {
        self.is_usage = true;
        self
    }

    /// Whether the command line or the request is wrong.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        self.is_usage || self.inner().is_some_and(Error::is_usage)
    }

    /// All hints, the innermost first.
    #[must_use]
    pub fn hints(&self) -> Vec<&str> {
        let mut hints = self.inner().map(Error::hints).unwrap_or_default();
        hints.extend(self.hints.iter().map(String::as_str));
        hints
    }

    /// The error below this one.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    fn inner(&self) -> Option<&Error> {
        self.cause.as_ref()?.downcast_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.message, &self.cause) {
            (Some(message), _) => f.write_str(message),
            (None, Some(cause)) => cause.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let cause = self.cause.as_deref()?;
        // Without a message of its own this error reads as its cause, which would otherwise be printed twice.
        if self.message.is_some() { Some(cause) } else { cause.source() }
    }
}

/// Adds a message, a hint or the blame to any error.
pub trait Explain<T> {
    /// Says what failed, above the error.
    ///
    /// # Errors
    /// The same error, with the message above it.
    fn context(self, message: impl Into<String>) -> Result<T, Error>;

    /// The same, with a message that is only made for an error.
    ///
    /// # Errors
    /// The same error, with the message above it.
    fn with_context<M: Into<String>>(self, message: impl FnOnce() -> M) -> Result<T, Error>;

    /// Says what a person can do about it.
    ///
    /// # Errors
    /// The same error, with the hint.
    fn hint(self, hint: impl Into<String>) -> Result<T, Error>;
}

impl<T, E: StdError + Send + Sync + 'static> Explain<T> for Result<T, E> {
    fn context(self, message: impl Into<String>) -> Result<T, Error> {
        self.with_context(|| message)
    }

    fn with_context<M: Into<String>>(self, message: impl FnOnce() -> M) -> Result<T, Error> {
        self.map_err(|error| Error::above(message(), error))
    }

    fn hint(self, hint: impl Into<String>) -> Result<T, Error> {
        self.map_err(|error| with_hint(error, hint))
    }
}

/// An error with a hint.
#[must_use]
pub fn with_hint(error: impl StdError + Send + Sync + 'static, hint: impl Into<String>) -> Error {
    Error::of(error).with_hint(hint)
}

/// Blames the command line or the request for an error.
#[must_use]
pub fn wrong(error: impl StdError + Send + Sync + 'static) -> Error {
    Error::of(error).as_usage()
}

/// An error and its causes on one line.
#[must_use]
pub fn in_full(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// Makes an [`Error`] of a format string, as `format!` makes a text.
#[macro_export]
macro_rules! failure {
    ($($part:tt)*) => { $crate::Error::new(format!($($part)*)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(error: &dyn StdError) -> Vec<String> {
        let mut texts = vec![error.to_string()];
        let mut next = error.source();
        while let Some(cause) = next {
            texts.push(cause.to_string());
            next = cause.source();
        }
        texts
    }

    #[test]
    fn hints_and_blame_are_found_below_messages_and_change_none_of_them() {
        let root = Err::<(), _>(failure!("root")).hint("first");
        assert!(!root.as_ref().unwrap_err().is_usage());
        let error = Err::<(), _>(wrong(root.unwrap_err())).context("top").hint("second").unwrap_err();
        assert!(error.is_usage());
        assert_eq!(error.hints(), ["first", "second"]);
        assert_eq!(chain(&error), ["top", "root"]);
        assert_eq!(in_full(&error), "top: root");
    }
}
