//! What can go wrong while a package is checked or written.

use std::io;

/// Why a package could not be checked to the end, or not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tree failed: a disk or network, not the package.
    #[error("cannot read `{path}`")]
    Read {
        /// The file or folder.
        path: String,
        /// What the tree said.
        source: io::Error,
    },
    /// The sink failed.
    #[error("cannot write `{path}`")]
    Write {
        /// The file.
        path: String,
        /// What the sink said.
        source: io::Error,
    },
    /// What is to be packed could not be read.
    #[error("cannot read what is to become `{path}`")]
    Content {
        /// The file that it would become.
        path: String,
        /// What its source said.
        source: io::Error,
    },
    /// More of something than is taken. [`check`](crate::bagit::check) tells it in the report.
    #[error("{what}: more than {limit}, which is as much as is taken")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How much would be taken.
        limit: u64,
    },
    /// A path that must not be written.
    #[error("the path `{path}` {why}")]
    Path {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A bag has a folder with files, and a folder without them is not written.
    #[error("a bag without files cannot be written")]
    Empty,
    /// A value that a package cannot hold.
    #[error("`{name}` {why}")]
    Field {
        /// Which.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl Error {
    pub(crate) fn read(path: &str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Write { path: path.to_owned(), source }
    }
}
