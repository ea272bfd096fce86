//! What ends a run as a whole. What is wrong with one file never does.

use std::io;

/// Why a run ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The merged result cannot be written.
    #[error("cannot write the result")]
    Write(#[source] io::Error),
    /// A regular expression that is none.
    #[error("`{pattern}` is no regular expression")]
    Pattern {
        /// What it should have been.
        pattern: String,
        /// What is wrong with it.
        source: Box<regex::Error>,
    },
    /// A module that cannot be used at all.
    #[error("batch module `{module}`: {why}")]
    Module {
        /// Its name.
        module: String,
        /// What is wrong with it.
        why: String,
    },
}
