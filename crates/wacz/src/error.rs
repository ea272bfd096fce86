//! What can go wrong with a package.

use std::io;

/// Why a package could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source failed.
    #[error("cannot read the package")]
    Read(#[source] io::Error),
    /// The sink failed.
    #[error("cannot write the package")]
    Write(#[source] io::Error),
    /// It has no end of a ZIP file.
    #[error("this is no ZIP file, or its end is missing")]
    NotZip,
    /// The ZIP file contradicts itself.
    #[error("at byte {at}: {what}")]
    Damaged {
        /// Where.
        at: u64,
        /// In which way.
        what: &'static str,
    },
    /// More of something than is taken.
    #[error("{what}: {found}, and no more than {limit} are taken")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// How much would be taken.
        limit: u64,
    },
    /// A name that leads somewhere else, or nowhere.
    #[error("the entry `{name}` {why}")]
    Name {
        /// As far as it can be shown.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two entries of one name: whoever reads may get either.
    #[error("there are two entries `{0}`")]
    Duplicate(String),
    /// An entry that points to a file elsewhere.
    #[error("the entry `{0}` is a symbolic link")]
    Symlink(String),
    /// An entry that cannot be read without a password.
    #[error("the entry `{0}` is encrypted")]
    Encrypted(String),
    /// An entry is packed by something else than deflate.
    #[error("the entry `{name}` is packed by method {method}, which WACZ does not have")]
    Method {
        /// The entry.
        name: String,
        /// The number of the method.
        method: u16,
    },
    /// Two entries share bytes, as those do that are made to unfold without end.
    #[error("the entry `{0}` lies over another")]
    Overlap(String),
    /// An entry that unfolds to far more than anything honest does.
    #[error("the entry `{name}` has {packed} bytes and says that it unfolds to {bytes}")]
    Bomb {
        /// The entry.
        name: String,
        /// Bytes that are there.
        packed: u64,
        /// Bytes that it would become.
        bytes: u64,
    },
    /// There is no such entry.
    #[error("there is no entry `{0}`")]
    Missing(String),
    /// What an entry holds is not what the directory says.
    #[error("the entry `{name}` {what}")]
    Content {
        /// The entry.
        name: String,
        /// How it differs.
        what: &'static str,
    },
    /// Only what is stored as it is can be read from the middle.
    #[error("the entry `{0}` is packed, and cannot be read from the middle")]
    NotStored(String),
    /// A package in a package in a package …
    #[error("packages lie in packages deeper than is looked at")]
    TooDeep,
    /// Something that should be JSON.
    #[error("{place} is not the JSON that is expected: {what}")]
    Json {
        /// The entry, and perhaps the line.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// A line of an index.
    #[error("{entry}: {source}")]
    Index {
        /// The index.
        entry: String,
        /// What is wrong with it.
        source: cdx::Error,
    },
    /// The package was not written in its order.
    #[error("{0}")]
    Order(&'static str),
}

impl Error {
    /// For readers, which can only say [`io::Error`].
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Error::Read(error) => error,
            other => io::Error::new(io::ErrorKind::InvalidData, other),
        }
    }

    /// The error that a reader of an entry gave, as what it was before.
    pub(crate) fn from_io(error: io::Error) -> Error {
        error.downcast::<Error>().unwrap_or_else(Error::Read)
    }

    /// Whether the package is to blame, and not the disk or network that it comes from.
    #[must_use]
    pub fn is_of_package(&self) -> bool {
        match self {
            Error::Read(_) | Error::Write(_) | Error::Order(_) => false,
            Error::Index { source, .. } => !matches!(source, cdx::Error::Read(_)),
            _ => true,
        }
    }
}
