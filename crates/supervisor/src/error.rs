//! Why a service could not do its work.

use std::error::Error as StdError;

/// Why a service could not do its work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The settings are wrong, or something failed that a person can do something about.
    #[error(transparent)]
    Settings(#[from] settings::Error),
    /// The harvest cannot be planned.
    #[error(transparent)]
    Plan(#[from] plan::Error),
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The store or a replica cannot be used.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The vault cannot do it.
    #[error(transparent)]
    Vault(#[from] vault::Error),
    /// The catalogue of files cannot be used.
    #[error(transparent)]
    Catalogue(#[from] catalogue::Error),
    /// The crawl cannot be started or resumed.
    #[error(transparent)]
    Crawl(#[from] crawl::Error),
    /// The folder of a job cannot be used.
    #[error(transparent)]
    Job(#[from] job::Error),
}

impl Error {
    /// Hints and blame, where there are some.
    #[must_use]
    pub fn explained(&self) -> Option<&settings::Error> {
        match self {
            Error::Settings(error) => Some(error),
            Error::Plan(error) => error.explained(),
            _ => None,
        }
    }

    /// What the archive says, if it is to blame.
    #[must_use]
    pub fn archive(&self) -> Option<&archive::Error> {
        match self {
            Error::Archive(error) => Some(error),
            _ => None,
        }
    }
}

/// A result with this crate's error.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Whether the only problem is that another process does the same work at this moment.
#[must_use]
pub fn is_busy(error: &(dyn StdError + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let inner = match error.downcast_ref::<Error>() {
            Some(Error::Settings(error)) => error.cause(),
            Some(Error::Vault(vault::Error::Busy(_))) => return true,
            _ => error.downcast_ref::<settings::Error>().and_then(settings::Error::cause),
        };
        let is_busy_itself = matches!(error.downcast_ref::<vault::Error>(), Some(vault::Error::Busy(_)));
        if is_busy_itself || inner.is_some_and(|inner| is_busy(inner)) {
            return true;
        }
        next = error.source();
    }
    false
}
