//! Which captures are meant.

use std::sync::Arc;

use archive::Archive;
use archive::Error;
use archive::Original;
use archive::WEB;
use archive::job_files::time_of;
use cdx::Capture;
use cdx::query::TimeRange;
use index::Snapshot;
use jiff::Timestamp;
use policy::{Request, RuleSet, decide};
use urlkey::KeyRange;

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
    /// Everybody may see them; `None` means that it does not matter, as for staff.
    pub public: Option<Public>,
}

/// What everybody may see.
#[derive(Debug, Clone)]
pub struct Public {
    /// The rules that decide.
    pub rules: Arc<RuleSet>,
    /// The time now, by which embargoes end.
    pub now: Timestamp,
}

impl Public {
    fn may_see(&self, key: &str, captured: Option<Timestamp>) -> bool {
        let request = Request { key, captured, now: self.now, client: None, user: None };
        decide(&self.rules, &request).is_allowed()
    }
}

impl Default for Selection {
    fn default() -> Selection {
        let (collection, time) = (WEB.to_owned(), TimeRange::default());
        Selection { collection, range: None, time, job: None, public: None }
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

    /// Whether those for whom this is may see what a line is about.
    #[must_use]
    pub fn is_shown(&self, row: &Capture<'_>) -> bool {
        let key = row.key.as_deref().unwrap_or_default();
        self.public.as_ref().is_none_or(|public| public.may_see(key, time_of(row)))
    }

    /// The same of a record that a revisit refers to.
    pub(super) fn may_come_along(&self, original: &Original) -> bool {
        let key = urlkey::key(&original.url);
        self.public.as_ref().is_none_or(|public| public.may_see(&key, Some(original.date)))
    }

    /// The lines that are meant, whoever may see them, in the order of the index, and the state of the index that they are of.
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
