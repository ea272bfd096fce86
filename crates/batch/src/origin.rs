//! Where the files are read from: a store, a replica, or anything else that has them by name.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use store::replica::Replica;
use store::{Sealed, Store};

type Open = dyn Fn(&Sealed) -> io::Result<Box<dyn Read + Send>> + Send + Sync;

/// Gives the bytes of files. A clone is the same.
#[derive(Clone)]
pub struct Origin(Arc<Open>);

impl Origin {
    /// Anything that has files. What it gives should not wait for ever: reading that does is given up, and its thread lost.
    pub fn new(open: impl Fn(&Sealed) -> io::Result<Box<dyn Read + Send>> + Send + Sync + 'static) -> Origin {
        Origin(Arc::new(open))
    }

    /// The store of an archive.
    #[must_use]
    pub fn store(store: Store) -> Origin {
        Origin::new(move |file| match store.read(&file.name, 0) {
            Ok(opened) => Ok(Box::new(opened)),
            Err(error) => Err(io::Error::other(error)),
        })
    }

    /// A replica, so that the work is done beside its data.
    #[must_use]
    pub fn replica(replica: Arc<dyn Replica>) -> Origin {
        Origin::new(move |file| replica.open(&file.name, 0).map_err(io::Error::other))
    }

    pub(crate) fn open(&self, file: &Sealed) -> io::Result<Box<dyn Read + Send>> {
        (self.0)(file)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Origin")
    }
}
