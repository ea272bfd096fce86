//! What can go wrong while something is shown.

/// Why nothing could be shown. What is missing or may not be seen is no error: there is a page for that.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive said no.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The index said no.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// What was captured cannot be rewritten.
    #[error(transparent)]
    Rewrite(#[from] rewrite::Error),
    /// A payload cannot be read, or is not what was captured.
    #[error("the payload cannot be read: {0}")]
    Payload(#[from] std::io::Error),
    /// A part of the program has failed in a way that was not foreseen.
    #[error("a thread has panicked, which is a fault of the program")]
    Panicked,
}
