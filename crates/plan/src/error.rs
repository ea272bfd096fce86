//! Why no plan can be made.

/// Why no plan can be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The settings, the request, or a file that they name is wrong.
    #[error(transparent)]
    Settings(#[from] settings::Error),
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The scope makes no sense.
    #[error(transparent)]
    Scope(#[from] scope::Error),
    /// A filter makes no sense.
    #[error(transparent)]
    Filter(#[from] filter::Error),
    /// The job cannot be made or read.
    #[error(transparent)]
    Crawl(#[from] crawl::Error),
    /// The folder of the job cannot be read.
    #[error(transparent)]
    Job(#[from] job::Error),
}

impl Error {
    /// Hints and blame, where there are some.
    #[must_use]
    pub fn explained(&self) -> Option<&settings::Error> {
        match self {
            Error::Settings(error) => Some(error),
            _ => None,
        }
    }
}

/// A result with this crate's error.
pub(crate) type Result<T> = std::result::Result<T, Error>;
