//! Why a record cannot be described.

use std::io;

/// What can be wrong with a record, or with what is wanted of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] warc::Error),
    /// A record whose HTTP head should be one and is not.
    #[error("the record at byte {offset} holds no HTTP/1 message, but `{line}`")]
    NotHttp {
        /// Where in its file the record begins.
        offset: u64,
        /// First line of the head.
        line: String,
    },
    /// Options that contradict each other.
    #[error("a minimal index has no HTTP heads, so method and body of requests cannot be part of its keys")]
    MinimalWithPost,
}

impl Error {
    /// What stopped reading a block. It is read through `std::io`, which wraps the cause.
    pub(crate) fn block(offset: u64) -> impl FnOnce(io::Error) -> Error {
        move |error| {
            Error::Record(match error.downcast::<warc::Error>() {
                Ok(error) => error,
                Err(source) => warc::Error::Read { offset, source },
            })
        }
    }
}

/// The first few characters of a text from outside, so that an error stays small.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
