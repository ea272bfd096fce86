//! Collections: several indexes over one store, each with its own captures.
//!
//! What is harvested lies in [`WEB`], whose index is that of the archive. Others are made by whoever imports into them, or feeds
//! them over the CDX server's protocol; they lie in `collections/<name>/index/`.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use index::{Index, Snapshot};
use store::Store;

use crate::archive::Archive;
use crate::collection_list::CollectionList;
use crate::error::Error;
use crate::job::make_folders;

/// The collection that is always there.
pub const WEB: &str = "web";

/// One collection. A clone is cheap and is the same.
#[derive(Debug, Clone)]
pub struct Collection {
    name: String,
    index: Index,
    committed: CollectionList,
    store: Store,
}

/// Indexes of collections that are open already, for all clones of an archive.
#[derive(Debug, Clone, Default)]
pub(crate) struct Opened(Arc<Mutex<HashMap<String, Index>>>);

impl Opened {
    fn get(&self, name: &str) -> Option<Index> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The one that is kept: of two that were opened at the same time, the first.
    fn keep(&self, name: &str, index: Index) -> Index {
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        opened.entry(name.to_owned()).or_insert(index).clone()
    }
}

impl Collection {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its captures.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Its captures as of now.
    ///
    /// # Errors
    /// When the index cannot be read, or is lost.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        self.committed.checked_snapshot(&self.name, &self.store, || self.index.snapshot())
    }
}

impl Archive {
    /// The collection of this name; `None` where there is none.
    ///
    /// # Errors
    /// When its index cannot be read, or is lost.
    pub fn collection(&self, name: &str) -> Result<Option<Collection>, Error> {
        if name == WEB {
            return Ok(Some(self.with_index(WEB, self.index.clone())));
        }
        if !store::is_name(name) {
            return Ok(None);
        }
        if let Some(index) = self.opened.get(name) {
            return Ok(Some(self.with_index(name, index)));
        }
        let folder = self.collections_folder().join(name);
        if !folder.is_dir() {
            return Ok(None);
        }
        let index = Index::open(&folder.join("index"))?;
        let snapshot = self.committed.checked_snapshot(name, &self.store, || index.snapshot())?;
        if !snapshot.commits().is_empty() {
            // A process that was killed right after its commit has not recorded that.
            self.committed.add(name);
        }
        let index = self.opened.keep(name, index);
        Ok(Some(self.with_index(name, index)))
    }

    fn with_index(&self, name: &str, index: Index) -> Collection {
        let (committed, store) = (self.committed.clone(), self.store.clone());
        Collection { name: name.to_owned(), index, committed, store }
    }

    /// Makes a collection; one that is there already is opened.
    ///
    /// # Errors
    /// When the name is none, or the folder cannot be made.
    pub fn create_collection(&self, name: &str) -> Result<Collection, Error> {
        if !store::is_name(name) {
            return Err(store::Error::Name(name.chars().take(200).collect()).into());
        }
        if name != WEB {
            make_folders(&self.collections_folder().join(name))?;
        }
        self.collection(name)?.ok_or_else(|| Error::NoCollection(name.to_owned()))
    }

    /// The names of all collections, the archive's own first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn collections(&self) -> Result<Vec<String>, Error> {
        let folder = self.collections_folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![WEB.to_owned()]),
            Err(error) => return Err(Error::read(&folder)(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::read(&folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if store::is_name(&name) && name != WEB && entry.path().is_dir() {
                names.push(name);
            }
        }
        names.sort();
        names.insert(0, WEB.to_owned());
        Ok(names)
    }

    fn collections_folder(&self) -> PathBuf {
        self.folder().join("collections")
    }
}
