//! Replicas: places that each keep all files, or the checksums of all.

use std::fmt;

use crate::error::Error;

/// Where files are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// What it is called in the settings.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What a replica is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One or several folders.
    Folder,
    /// A bucket of an object store.
    Bucket,
    /// Checksums alone.
    Checksums,
}

impl Kind {
    /// Its word in the database and in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Folder => "folder",
            Kind::Bucket => "bucket",
            Kind::Checksums => "checksums",
        }
    }

    /// Whether files can be had from it.
    #[must_use]
    pub fn is_full(self) -> bool {
        self != Kind::Checksums
    }

    pub(crate) fn parse(text: &str) -> Result<Kind, Error> {
        let all = [Kind::Folder, Kind::Bucket, Kind::Checksums];
        let found = all.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| Error::Damaged { what: "kind", found: text.to_owned() })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
