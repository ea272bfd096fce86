//! The index at one moment: which commits there are, and their rows.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::Commit;
use crate::segment::{Segment, Written};

/// An index as it was when this was taken. Clones are cheap; files that are merged away meanwhile stay open here.
#[derive(Clone, Default)]
pub struct Snapshot {
    inside: Arc<Inside>,
}

#[derive(Default)]
struct Inside {
    commits: Vec<Commit>,
    segments: Vec<Live>,
    rows: u64,
}

/// A segment, and which of its commits there still are.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) segment: Arc<Segment>,
    /// For each commit of the segment; `None` where all are there, as usual.
    is_live: Option<Arc<[bool]>>,
}

impl Live {
    pub(crate) fn new(segment: Arc<Segment>, live: &HashSet<u64>) -> Live {
        let is_live: Arc<[bool]> =
            segment.written().commits.iter().map(|(commit, _)| live.contains(commit)).collect();
        let is_live = is_live.contains(&false).then_some(is_live);
        Live { segment, is_live }
    }

    /// Whether rows of this commit, by its number in the segment, count.
    pub(crate) fn has(&self, commit: usize) -> bool {
        self.is_live.as_ref().is_none_or(|is_live| is_live.get(commit).is_some_and(|is_live| *is_live))
    }
}

impl Snapshot {
    pub(crate) fn new(commits: Vec<Commit>, segments: Vec<Live>, rows: u64) -> Snapshot {
        Snapshot { inside: Arc::new(Inside { commits, segments, rows }) }
    }

    /// The commits, in the order in which they were published.
    #[must_use]
    pub fn commits(&self) -> &[Commit] {
        &self.inside.commits
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.inside.rows
    }

    pub(crate) fn segments(&self) -> &[Live] {
        &self.inside.segments
    }

    /// The segment that is this very file.
    pub(crate) fn segment(&self, written: &Written) -> Option<Arc<Segment>> {
        let mut segments = self.inside.segments.iter().map(|live| &live.segment);
        segments.find(|segment| segment.written() == written).cloned()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Snapshot")
            .field("commits", &self.inside.commits.len())
            .field("segments", &self.inside.segments.len())
            .field("rows", &self.inside.rows)
            .finish()
    }
}
