//! Which captures are meant.

use cdx::Capture;
use cdx::query::TimeRange;
use index::Snapshot;
use urlkey::KeyRange;

use crate::archive::Archive;
use crate::collection::WEB;
use crate::error::Error;

/// Which captures are meant: those for which all of this holds.
#[derive(Debug, Clone)]
pub struct Selection {
    /// They are in this collection.
    pub collection: String,
    /// Their keys are in this range; `None` means any.
    pub range: Option<KeyRange>,
    /// They were captured in this time.
    pub time: TimeRange,
    /// This job brought them; `None` means any.
    pub job: Option<String>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { collection: WEB.to_owned(), range: None, time: TimeRange::default(), job: None }
    }
}

impl Selection {
    /// Whether a line of the index is meant.
    #[must_use]
    pub fn includes(&self, row: &Capture<'_>) -> bool {
        let is_in_range = self.range.as_ref().is_none_or(|range| {
            let key = row.key.as_deref().unwrap_or_default();
            key >= range.start.as_str() && (range.end.is_empty() || key < range.end.as_str())
        });
        let is_of_job = self.job.as_ref().is_none_or(|job| {
            let said = row.extra("commit").map(|value| value.as_str());
            let named = row.filename.as_deref().and_then(|file| file.split('/').next());
            said.or(named) == Some(job.as_str())
        });
        is_in_range && is_of_job && self.time.contains(row)
    }

    /// The lines that are meant, in the order of the index, and the state of the index that they are of.
    pub(super) fn rows(
        &self,
        archive: &Archive,
    ) -> Result<(Snapshot, impl Iterator<Item = Result<Capture<'static>, Error>>), Error> {
        let collection = archive.collection(&self.collection)?;
        let collection = collection.ok_or_else(|| Error::NoCollection(self.collection.clone()))?;
        let snapshot = collection.snapshot()?;
        let everything = KeyRange { start: String::new(), end: String::new() };
        let rows = snapshot.range(self.range.as_ref().unwrap_or(&everything));
        let selection = self.clone();
        let rows = rows.map(|row| row.map_err(Error::from));
        Ok((snapshot, rows.filter(move |row| row.as_ref().map_or(true, |row| selection.includes(row)))))
    }
}
