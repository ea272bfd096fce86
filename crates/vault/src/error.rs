//! What can go wrong with looking after files.

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
