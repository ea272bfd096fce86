//! What can go wrong with looking after files.

use std::io;
use std::path::PathBuf;

/// Why it could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The catalogue could not be read or written.
    #[error(transparent)]
    Catalogue(#[from] catalogue::Error),
    /// A replica could not be read or written.
    #[error("replica `{replica}`")]
    Replica {
        /// Which.
        replica: String,
        /// What went wrong there.
        source: store::Error,
    },
    /// No replica would have the files themselves.
    #[error("no replica keeps files: at least one must")]
    NoFullReplica,
    /// Two replicas have one name.
    #[error("two replicas are called `{0}`")]
    Twice(String),
    /// A file that was handed in could not be read.
    #[error(transparent)]
    Deposit(store::Error),
    /// There is no such file.
    #[error("the vault knows no file `{0}`")]
    Unknown(String),
    /// No replica has a file as it should be.
    #[error("no replica has `{name}` as it should be: {}", .tried.iter().map(|(replica, why)| format!("{replica}: {why}")).collect::<Vec<_>>().join("; "))]
    NoSound {
        /// Which file.
        name: String,
        /// What each of them has.
        tried: Vec<(String, String)>,
    },
    /// No copy of a file has a checksum.
    #[error("no replica has a copy of `{name}` with SHA-256 {sha256}")]
    NoSuchCopy {
        /// Which file.
        name: String,
        /// Which checksum.
        sha256: String,
    },
    /// Something that wants a reason was asked without one.
    #[error("this wants a reason, which stays in the log")]
    NoReason,
    /// A replica that is to be given up is one of the places.
    #[error("replica `{0}` is in use")]
    InUse(String),
    /// Somebody else is at it.
    #[error("another process is {0} just now")]
    Busy(&'static str),
    /// A lock could not be taken.
    #[error("cannot lock {}", .path.display())]
    Lock {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such replica.
    #[error("there is no replica `{0}`")]
    NoReplica(String),
}

impl Error {
    pub(crate) fn at(replica: &str) -> impl FnOnce(store::Error) -> Error {
        let replica = replica.to_owned();
        move |source| Error::Replica { replica, source }
    }
}

/// An error with its causes, in one line.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
