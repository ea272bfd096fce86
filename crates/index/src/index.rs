//! The index: opens snapshots, publishes commits, withdraws them.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cdx::Capture;

use crate::aliases;
use crate::batch::Batch;
use crate::folder::{Folder, Found, Identity};
use crate::manifest::Named;
use crate::segment::{Segment, Shared};
use crate::snapshot::Live;
use crate::writing::Session;
use crate::{Commit, Error, Settings, Snapshot};

/// How often a snapshot is tried again because segments were merged away under it.
const TRIES_MAX: usize = 1000;

/// An index in a folder. Clones are cheap and share what they keep in memory.
///
/// Several processes may read while one writes; those that want to write wait for each other.
#[derive(Clone)]
pub struct Index {
    inside: Arc<Inside>,
}

struct Inside {
    folder: Folder,
    settings: Settings,
    shared: Arc<Shared>,
    newest: Mutex<Newest>,
}

/// The manifest that was read last, if there was one, and what it names.
type Newest = Option<(Option<Found>, Snapshot)>;

impl Index {
    /// The index in this folder. A folder that is not there is an empty index; publishing makes it.
    ///
    /// # Errors
    /// When it is damaged, cannot be read, or was written by a newer version of the program.
    pub fn open(folder: &Path) -> Result<Index, Error> {
        Index::open_with(folder, Settings::default())
    }

    /// The index in this folder, of which nothing is read yet: if it cannot be read, the first snapshot fails.
    #[must_use]
    pub fn open_later(folder: &Path) -> Index {
        Index::lazy(Folder::new(folder), Settings::default())
    }

    /// Whether there is an index in this folder, be it empty; one call to the system. What cannot be looked at may be one.
    #[must_use]
    pub fn is_there(folder: &Path) -> bool {
        !matches!(Folder::new(folder).identity(), Ok(None))
    }

    /// As [`open`](Index::open), with settings.
    ///
    /// # Errors
    /// As [`open`](Index::open).
    pub fn open_with(folder: &Path, settings: Settings) -> Result<Index, Error> {
        let index = Index::lazy(Folder::new(folder), settings);
        index.snapshot()?;
        Ok(index)
    }

    pub(crate) fn lazy(folder: Folder, settings: Settings) -> Index {
        let shared = Arc::new(Shared::new(&settings));
        Index { inside: Arc::new(Inside { folder, settings, shared, newest: Mutex::new(None) }) }
    }

    /// What there is now. It stays as it is, whatever is published, withdrawn or merged later.
    ///
    /// Costs one call to the system where nothing has changed since the last.
    ///
    /// # Errors
    /// As [`open`](Index::open).
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        let mut gone = None;
        for _ in 0..TRIES_MAX {
            let (known, before) = self.newest();
            if known == Some(self.inside.folder.identity()?)
                && let Some(snapshot) = before
            {
                return Ok(snapshot);
            }
            let found = self.inside.folder.manifest(&self.inside.settings.limits)?;
            // Nobody waits for the files that are opened here.
            match self.assemble(found.as_ref(), before.as_ref()) {
                Ok(snapshot) => {
                    *self.lock_newest() = Some((found, snapshot.clone()));
                    return Ok(snapshot);
                }
                // Merged away, or all of it replaced, since we read the manifest? Then there is a newer one.
                Err(error) => {
                    let now = self.inside.folder.identity()?;
                    if now == found.map(|found| found.identity) {
                        return Err(error);
                    }
                    gone = Some(error);
                }
            }
        }
        Err(gone.unwrap_or_else(|| Error::Gone { path: self.inside.folder.path().to_owned() }))
    }

    /// Which manifest was read last, if any was (and what it is, if there was one), and what it names.
    fn newest(&self) -> (Option<Option<Identity>>, Option<Snapshot>) {
        match &*self.lock_newest() {
            Some((found, snapshot)) => {
                (Some(found.as_ref().map(|found| found.identity)), Some(snapshot.clone()))
            }
            None => (None, None),
        }
    }

    fn lock_newest(&self) -> MutexGuard<'_, Newest> {
        // Whoever panicked while holding it left either the old pair or the new one.
        self.inside.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the rows of a commit visible, all at once, in the place of those that were published under its name before.
    ///
    /// They come sorted by key, then time. After an error, or a crash, nothing of them is visible, and the same may be
    /// published again. When this returns they are on the disk.
    ///
    /// # Errors
    /// When the rows are not sorted or cannot be had, or the folder cannot be read or written.
    pub fn publish(
        &self,
        commit: &Commit,
        rows: impl Iterator<Item = Result<Capture<'static>, Error>>,
    ) -> Result<(), Error> {
        self.publish_when(commit, rows, || Ok(()))
    }

    /// The same, for rows that speak of what is not there yet: when they are all on the disk, and before anybody can see one,
    /// `ready` is called. If it fails nothing of them is visible. Others who publish wait meanwhile.
    ///
    /// # Errors
    /// As [`publish`](Index::publish), and those of `ready`.
    pub fn publish_when<E: From<Error>>(
        &self,
        commit: &Commit,
        rows: impl Iterator<Item = Result<Capture<'static>, Error>>,
        ready: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut session = Session::begin(self)?;
        session.publish(commit, rows, ready)?;
        self.merge_if_due(&mut session);
        Ok(())
    }

    /// Takes the rows of a commit away again. That there is none of this name is fine.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn withdraw(&self, commit: &str) -> Result<(), Error> {
        let mut session = Session::begin(self)?;
        session.withdraw(commit)?;
        self.merge_if_due(&mut session);
        Ok(())
    }

    /// Makes a few rows visible that belong to no commit, all at once: how many. They may come in any order, are sorted in memory, and each
    /// takes the place of all rows of the same capture, which is one of the same key, time, file and offset.
    ///
    /// # Errors
    /// As [`publish`](Index::publish); and when they are more than [`Limits::batch_bytes`](crate::Limits::batch_bytes).
    pub fn add(&self, rows: impl Iterator<Item = Result<Capture<'static>, Error>>) -> Result<u64, Error> {
        let batch = Batch::gather(rows, self.inside.settings.limits.batch_bytes)?;
        let mut session = Session::begin(self)?;
        let count = session.add(batch)?;
        self.merge_if_due(&mut session);
        Ok(count)
    }

    /// Takes captures away, whichever commits they are of, all at once: how many rows that were. A capture is known by its key, time,
    /// file and offset; the rest of a row does not matter. That there is none such is fine. Whoever publishes it again brings it back.
    ///
    /// # Errors
    /// As [`add`](Index::add).
    pub fn delete(&self, rows: impl Iterator<Item = Result<Capture<'static>, Error>>) -> Result<u64, Error> {
        let batch = Batch::gather(rows, self.inside.settings.limits.batch_bytes)?;
        let mut session = Session::begin(self)?;
        let count = session.delete(batch)?;
        self.merge_if_due(&mut session);
        Ok(count)
    }

    /// Makes one key an alias for another, in the place of what it was an alias for; for itself, and it is none any more. Rows stay
    /// where they are: who asks resolves it ([`Snapshot::resolve_alias`]).
    ///
    /// # Errors
    /// When a key is empty, or the folder cannot be read or written.
    pub fn alias(&self, alias: &str, target: &str) -> Result<(), Error> {
        self.add_aliases([(alias, target)])
    }

    /// The same for several at once.
    ///
    /// # Errors
    /// As [`alias`](Index::alias).
    pub fn add_aliases<'a>(&self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(), Error> {
        let pairs = aliases::checked_pairs(pairs)?;
        Session::begin(self)?.change_aliases(|known| aliases::add(known, pairs))
    }

    /// Merges segments where there are more than a few of about one size, and leaves out what was withdrawn. Publishing does
    /// this by itself.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or a segment is damaged.
    pub fn merge(&self) -> Result<(), Error> {
        Session::begin(self)?.merge_due()
    }

    /// What was asked for is done. A merge that fails leaves all as it was and is tried again next time.
    pub(crate) fn merge_if_due(&self, session: &mut Session<'_>) {
        if let Err(error) = session.merge_due() {
            let cause =
                std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
            let folder = self.inside.folder.path().display();
            tracing::warn!("{folder}: segments could not be merged, which only costs speed: {error}{cause}");
        }
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.inside.folder
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inside.settings
    }

    /// Opens a segment that a manifest names, and compares it with what the manifest says.
    pub(crate) fn open_segment(&self, named: &Named) -> Result<Arc<Segment>, Error> {
        let path = self.inside.folder.segment_path(named.number);
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::Gone { path: path.clone() },
            _ => Error::read(&path, error),
        })?;
        let segment = Segment::open(Box::new(file), &path, &self.inside.shared)?;
        if *segment.written() != named.written {
            return Err(Error::damaged(&path, 0, "not the segment that the manifest names"));
        }
        Ok(Arc::new(segment))
    }

    /// What a manifest names. Segments that the snapshot before has open already are not opened again.
    fn assemble(&self, found: Option<&Found>, before: Option<&Snapshot>) -> Result<Snapshot, Error> {
        let Some(found) = found else { return Ok(Snapshot::default()) };
        let live = found.manifest.live();
        let mut segments = Vec::with_capacity(found.manifest.segments.len());
        for named in &found.manifest.segments {
            let segment = match before.and_then(|before| before.segment(&named.written)) {
                Some(segment) => segment,
                None => self.open_segment(named)?,
            };
            segments.push(Live::new(segment, &live));
        }
        let commits = found.manifest.commits.iter().map(|published| published.commit.clone()).collect();
        let named = &found.manifest.aliases;
        let aliases = match named {
            None => Arc::default(),
            Some(named) => match before.and_then(|before| before.aliases_of_file(named)) {
                Some(aliases) => aliases,
                None => Arc::new(self.inside.folder.read_aliases(named)?),
            },
        };
        Ok(Snapshot::new(commits, segments, aliases, named.clone(), found.seal))
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Index").field("folder", &self.inside.folder.path()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a million aliases each new snapshot would cost seconds.
    #[test]
    fn what_did_not_change_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(folder.path()).unwrap();
        index.alias("org,old)/", "org,new)/").unwrap();
        let before = index.snapshot().unwrap();
        let capture = Capture::parse_cdxj(b"org,new)/ 20260101000000 {}", &cdx::Limits::default()).unwrap();
        index.add([Ok(capture.into_owned())].into_iter()).unwrap();
        let after = index.snapshot().unwrap();
        assert_eq!((before.rows(), after.rows()), (0, 1));
        assert!(Arc::ptr_eq(before.alias_table(), after.alias_table()));
        index.alias("org,older)/", "org,new)/").unwrap();
        let changed = index.snapshot().unwrap();
        assert!(!Arc::ptr_eq(after.alias_table(), changed.alias_table()));
        let segment = |snapshot: &Snapshot| Arc::clone(&snapshot.segments()[0].segment);
        assert!(Arc::ptr_eq(&segment(&after), &segment(&changed)));
    }

    /// A server that runs for days would otherwise keep pages of every segment that was ever merged away.
    #[test]
    fn pages_of_merged_segments_leave_the_caches() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(folder.path()).unwrap();
        let read = |index: &Index| {
            let snapshot = index.snapshot().unwrap();
            for page in 0..20 {
                let at: jiff::Timestamp = "2027-01-01T00:00:00Z".parse().unwrap();
                snapshot.nearest(&format!("org,a)/{page:03}"), at).unwrap().unwrap();
            }
        };
        for number in 0..60 {
            let rows = (0..20).map(|page| {
                let time = 20_260_101_000_000_u64 + number;
                let line = format!("org,a)/{page:03} {time} {{\"url\": \"http://a.org/{page:03}\"}}");
                Ok(Capture::parse_cdxj(line.as_bytes(), &cdx::Limits::default()).unwrap().into_owned())
            });
            let at = jiff::Timestamp::UNIX_EPOCH;
            index.publish(&Commit { name: format!("job-{number}"), at, facts: Vec::new() }, rows).unwrap();
            read(&index);
        }
        let fresh = Index::open(folder.path()).unwrap();
        read(&fresh);
        let (kept, needed) = (index.inside.shared.bytes(), fresh.inside.shared.bytes());
        assert!(needed > 0 && kept <= 2 * needed, "{kept} bytes are kept where {needed} are needed");
    }
}
