//! The index at one moment: which commits there are, and their rows.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::Commit;
use crate::aliases::AliasTable;
use crate::manifest::{Aliases, Kind};
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
    /// Whether any row may stand in the place of another, or say that it is gone.
    hides: bool,
    aliases: Arc<AliasTable>,
    /// Which file they are of.
    aliases_named: Option<Aliases>,
    generation: u64,
}

/// A segment, and which of its commits there still are.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) segment: Arc<Segment>,
    /// For each commit of the segment; `None` where all have names and are there, as usual.
    kinds: Option<Arc<[Option<Kind>]>>,
    /// The newest number whose rows may hide others.
    newest_hiding: Option<u64>,
}

impl Live {
    pub(crate) fn new(segment: Arc<Segment>, live: &HashMap<u64, Kind>) -> Live {
        let kinds: Arc<[Option<Kind>]> =
            segment.written().commits.iter().map(|(commit, _)| live.get(commit).copied()).collect();
        let is_usual = kinds.iter().all(|kind| *kind == Some(Kind::Named));
        let hides = |kind: &Option<Kind>| matches!(kind, Some(Kind::Loose | Kind::Deletes));
        let numbers = kinds.iter().zip(&segment.written().commits);
        let newest_hiding = numbers.filter(|(kind, _)| hides(kind)).map(|(_, (number, _))| *number).max();
        Live { segment, kinds: (!is_usual).then_some(kinds), newest_hiding }
    }

    /// Whether rows of this commit, by its number in the segment, are captures that there are, as far as it alone can tell.
    pub(crate) fn shows(&self, commit: usize) -> bool {
        matches!(self.kind(commit), Some(Kind::Named | Kind::Loose))
    }

    /// Whether rows of this commit, by its number in the segment, count.
    pub(crate) fn has(&self, commit: usize) -> bool {
        self.kind(commit).is_some()
    }

    /// What rows of this commit, by its number in the segment, mean; `None` where they are dead.
    pub(crate) fn kind(&self, commit: usize) -> Option<Kind> {
        match &self.kinds {
            Some(kinds) => kinds.get(commit).copied().flatten(),
            None => Some(Kind::Named),
        }
    }

    /// Whether any of its rows may hide another.
    pub(crate) fn hides(&self) -> bool {
        self.newest_hiding.is_some()
    }

    /// Whether any of its rows may hide one of this number.
    pub(crate) fn hides_older_than(&self, commit: u64) -> bool {
        self.newest_hiding.is_some_and(|newest| newest > commit)
    }

    /// How many rows count; those that say that others are gone do not.
    fn rows(&self) -> u64 {
        let commits = self.segment.written().commits.iter().enumerate();
        commits.filter(|(at, _)| self.shows(*at)).map(|(_, (_, rows))| rows).sum()
    }
}

impl Snapshot {
    pub(crate) fn new(
        commits: Vec<Commit>,
        segments: Vec<Live>,
        aliases: Arc<AliasTable>,
        aliases_named: Option<Aliases>,
        generation: u64,
    ) -> Snapshot {
        let rows = segments.iter().map(Live::rows).sum();
        let hides = segments.iter().any(Live::hides);
        Snapshot {
            inside: Arc::new(Inside { commits, segments, rows, hides, aliases, aliases_named, generation }),
        }
    }

    /// The commits, in the order in which they were published.
    #[must_use]
    pub fn commits(&self) -> &[Commit] {
        &self.inside.commits
    }

    /// How many rows there are. Those that were deleted or replaced one by one are counted until a merge leaves them out.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.inside.rows
    }

    /// Tells one state of the index from another: whatever is added, deleted, withdrawn, aliased or merged gives it another number.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.inside.generation
    }

    /// Bytes of the files that hold the rows.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.inside.segments.iter().map(|live| live.segment.written().bytes).sum()
    }

    /// How many files hold the rows.
    #[must_use]
    pub fn files(&self) -> usize {
        self.inside.segments.len()
    }

    pub(crate) fn segments(&self) -> &[Live] {
        &self.inside.segments
    }

    /// Whether any row may stand in the place of another, or say that it is gone.
    pub(crate) fn hides(&self) -> bool {
        self.inside.hides
    }

    pub(crate) fn alias_table(&self) -> &Arc<AliasTable> {
        &self.inside.aliases
    }

    /// The aliases, if they are of this very file.
    pub(crate) fn aliases_of_file(&self, named: &Aliases) -> Option<Arc<AliasTable>> {
        (self.inside.aliases_named.as_ref() == Some(named)).then(|| Arc::clone(&self.inside.aliases))
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
