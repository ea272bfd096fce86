//! Why it is not known how a job stands.

use std::io;
use std::path::PathBuf;

/// What can be wrong with a job's folder, or with whoever runs the job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of the job cannot be read or written.
    #[error("cannot use `{}`", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of the job is not what it should be.
    #[error("`{}` is damaged: {what}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Nobody answers at the job's socket.
    #[error("no process runs job `{name}`")]
    NotRunning {
        /// Its name.
        name: String,
    },
    /// The process that runs the job answered something that is not understood, or refused.
    #[error("the process that runs the job answered: {0}")]
    Refused(String),
}

impl Error {
    /// An error of the file system at a path.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { path, source }
    }
}
