//! What can go wrong when files are brought in or out.

/// Why an import or export failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive, or a file, could not be read or written.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// A package could not be read or written.
    #[error(transparent)]
    Package(#[from] wacz::Error),
}

impl From<warc::Error> for Error {
    fn from(error: warc::Error) -> Error {
        Error::Archive(error.into())
    }
}

impl From<cdx::Error> for Error {
    fn from(error: cdx::Error) -> Error {
        Error::Archive(error.into())
    }
}
