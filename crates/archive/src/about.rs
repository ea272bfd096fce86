//! What a job is told before its first capture.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::disk::{Disk, Plain};
use crate::limits::Limits;

/// Makes ids of records: URIs such as `urn:uuid:…`, never the same twice.
pub type Ids = Arc<dyn Fn() -> String + Send + Sync>;

/// How a job's captures are written. Ids are handed in, as the time is.
#[derive(Clone)]
pub struct About {
    /// When the job began: its commit time.
    pub started: Timestamp,
    /// What the `warcinfo` record of each file says: `software`, `operator`, `robots`, … Format, standard and job are added.
    pub warcinfo: Vec<(String, String)>,
    /// How hard records are packed, 0 to 12. At 6 pages become as small as zlib makes them at 6, in three quarters of the time; 4 takes little
    /// more than half of it for 2 % more bytes, 1 a third for 6 %. What is packed already never gets more than 1.
    pub gzip_level: u32,
    /// A file that would become longer than this is followed by another.
    pub file_bytes_max: u64,
    /// What counts as the same.
    pub dedup: Dedup,
    /// Which documents are looked at for that.
    pub which: DedupTypes,
    /// Write a `metadata` record for each capture: how it was found, and where it leads if that is handed in.
    pub metadata: bool,
    /// Ids of records.
    pub ids: Ids,
    /// What writes and syncs.
    pub disk: Arc<dyn Disk>,
    /// Bounds.
    pub limits: Limits,
}

/// When a payload is not stored again but referred to by a `revisit` record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dedup {
    /// Never; only what a server itself says is unchanged.
    Off,
    /// The same URL had it before.
    Url,
    /// Any URL had it before, in this job or in the archive.
    #[default]
    Content,
}

/// Which documents are compared with what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DedupTypes {
    /// All.
    #[default]
    All,
    /// All but `text/…`, as NetarchiveSuite has it.
    NonText,
}

impl DedupTypes {
    /// Whether documents of this media type are compared.
    #[must_use]
    pub fn includes(self, mime: &str) -> bool {
        let is_text = mime.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("text/"));
        self == DedupTypes::All || !is_text
    }
}

impl About {
    /// The usual: level 6, files of a gigabyte, equal content is stored once.
    #[must_use]
    pub fn new(started: Timestamp, ids: Ids) -> About {
        About {
            started,
            warcinfo: Vec::new(),
            gzip_level: 6,
            file_bytes_max: 1 << 30,
            dedup: Dedup::default(),
            which: DedupTypes::default(),
            metadata: false,
            ids,
            disk: Arc::new(Plain),
            limits: Limits::default(),
        }
    }

    /// The id of a new record.
    #[must_use]
    pub fn id(&self) -> String {
        (self.ids)()
    }
}

impl fmt::Debug for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("About")
            .field("started", &self.started)
            .field("warcinfo", &self.warcinfo)
            .field("dedup", &self.dedup)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_text_leaves_out_text_alone() {
        for (mime, expect) in [("text/html", false), ("TEXT/plain", false), ("image/png", true), ("", true)] {
            assert_eq!(DedupTypes::NonText.includes(mime), expect, "{mime}");
            assert!(DedupTypes::All.includes(mime), "{mime}");
        }
    }
}
