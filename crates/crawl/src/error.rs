//! Why a crawl cannot begin or go on.

use std::io;
use std::path::PathBuf;

/// What can be wrong with a job or its folder. What is wrong with a server is no error but an outcome.
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
    /// There is no such job.
    #[error("there is no job `{name}` in this archive")]
    NoSuchJob {
        /// The name that was asked for.
        name: String,
    },
    /// The job is part of the archive.
    #[error("job `{name}` is committed: all of it is in the archive")]
    Committed {
        /// Its name.
        name: String,
    },
    /// Another process runs the job.
    #[error("job `{name}` is being run by another process")]
    JobBusy {
        /// Its name.
        name: String,
    },
    /// Another crawl fetches from the domain.
    #[error("another crawl is fetching from `{domain}` just now")]
    DomainBusy {
        /// The registrable domain, or host.
        domain: String,
    },
    /// The job is at a point where that cannot be done.
    #[error("job `{name}` is {state}: {wish}")]
    WrongState {
        /// Its name.
        name: String,
        /// Where it is.
        state: String,
        /// What cannot be done, and what can.
        wish: &'static str,
    },
    /// A file of the job is not what it should be.
    #[error("`{}` is damaged: {what}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The disk is full, and the operator has not waited for room.
    #[error("the disk is full; make room and resume the job: nothing that was told to be fetched is lost")]
    DiskFull,
    /// There is nothing to begin with.
    #[error("there is nothing to fetch: no start URL is given, or none is in scope")]
    NoSeeds,
    /// A thread of the crawl is gone.
    #[error("a part of the crawl has failed: {0}")]
    Broken(&'static str),
    /// The threads cannot be started.
    #[error("cannot start the threads that fetch")]
    Threads(#[source] io::Error),
    /// Nothing is known of how a job stands, or it cannot be written down.
    #[error(transparent)]
    Job(#[from] job::Error),
    /// The archive will not take it.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The index cannot be read.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// The frontier cannot be used.
    #[error(transparent)]
    Frontier(#[from] frontier::Error),
    /// The scope makes no sense.
    #[error(transparent)]
    Scope(#[from] scope::Error),
    /// A filter cannot do its work.
    #[error(transparent)]
    Filter(#[from] filter::Error),
    /// The fetcher cannot be made.
    #[error(transparent)]
    Fetch(#[from] fetch::Error),
}

impl Error {
    /// Whether this process had no file descriptor left. The job can be resumed when some are free.
    #[must_use]
    pub fn is_out_of_descriptors(&self) -> bool {
        fetch::lacks_descriptors(self)
    }

    /// An error of the file system at a path.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { path, source }
    }
}
