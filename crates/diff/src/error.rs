//! What can go wrong: a patch that is none, a rule that is none, input beyond the limits.

use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// More than is allowed.
    #[error("{bytes} bytes are more than the {max} that are allowed")]
    TooLong {
        /// How much it is.
        bytes: u64,
        /// How much it may be.
        max: u64,
    },
    /// Not a patch at all.
    #[error("this is no patch: it does not begin with `VPCH`")]
    NoPatch,
    /// A patch from a later program.
    #[error("the patch is of version {0} of the format, and this program knows version 1")]
    PatchVersion(u8),
    /// A patch that ends too soon.
    #[error("the patch ends too soon")]
    PatchTruncated,
    /// A patch that makes no sense.
    #[error("the patch is damaged: {0} makes no sense")]
    PatchDamaged(&'static str),
    /// A patch for something else.
    #[error("the patch starts from a version of {expected} bytes, and this one has {found}")]
    OtherVersion {
        /// Bytes of the version that it starts from.
        expected: u64,
        /// Bytes of the one that was given.
        found: u64,
    },
    /// The patch led to something, but not to what it was made for.
    #[error("the patch is damaged or starts from another version: its SHA-256 is not that of the result")]
    WrongResult,
    /// Not JSON, or too deep.
    #[error("this is no JSON that can be compared")]
    Json(#[source] serde_json::Error),
    /// A rule that makes no sense.
    #[error("rule `{rule}`: {why}, at character {at}")]
    Rule {
        /// The rule as it is written.
        rule: String,
        /// Which character of it, from 1.
        at: usize,
        /// What is wrong there.
        why: String,
    },
    /// A rule without a text.
    #[error("the rule `{rule}` says nothing")]
    EmptyRule {
        /// The rule as it is written.
        rule: String,
    },
    /// A line that is no trigger.
    #[error(
        "`{trigger}` is no trigger such as `appears sold out`, `disappears sold out` or `number down 10 Price:`"
    )]
    Trigger {
        /// The line.
        trigger: String,
    },
    /// A trigger's line that is no number.
    #[error("`{text}` is no number")]
    NoNumber {
        /// What stands there.
        text: String,
    },
    /// A rule that took more steps than are allowed.
    #[error("rule `{rule}` takes more steps than are allowed on this page")]
    TooSlow {
        /// The rule as it is written.
        rule: String,
    },
    /// More rules than are allowed.
    #[error("{count} rules are more than the {max} that are allowed")]
    TooManyRules {
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// zstd failed at packing.
    #[error("cannot pack a patch")]
    Pack(#[source] io::Error),
    /// zstd failed at unpacking.
    #[error("the patch is damaged: it cannot be unpacked")]
    Unpack(#[source] io::Error),
}

/// What is wrong with the text of a rule, before it is known which rule that is.
#[derive(Debug)]
pub(crate) struct RuleFault {
    /// Which character of it, from 1.
    pub(crate) at: usize,
    /// What is wrong there.
    pub(crate) why: String,
}

impl RuleFault {
    pub(crate) fn new(at: usize, why: impl Into<String>) -> RuleFault {
        RuleFault { at, why: why.into() }
    }

    /// The same in a longer text, which has so many characters before.
    pub(crate) fn behind(self, chars: usize) -> RuleFault {
        RuleFault { at: self.at + chars, ..self }
    }
}

#[cfg(test)]
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(read: Result<T, RuleFault>, at: usize, why: &str) {
    let fault = read.unwrap_err();
    assert_eq!((fault.at, fault.why.as_str()), (at, why));
}
