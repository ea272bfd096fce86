//! A long answer cut into pages, without reading it.
//!
//! Rows lie in blocks, some hundred in each. The file that has the most of a range gives the cuts; rows of other files fall where their
//! keys belong. So a page has about as many rows as its blocks, and all pages together have each row once. Cuts are those of a
//! snapshot: of another they may be others.

use urlkey::KeyRange;

use crate::merging::Merged;
use crate::{Captures, Error, Snapshot};

/// How a range is cut: see [`Snapshot::pages`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    snapshot_segment: Option<usize>,
    start: Vec<u8>,
    end: Option<Vec<u8>>,
    /// Number of the first block of the range.
    first: usize,
    blocks: usize,
    blocks_per_page: usize,
}

impl Pages {
    /// How many pages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.blocks.div_ceil(self.blocks_per_page)
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }
}

impl Snapshot {
    /// Cuts a range into pages of so many blocks each. Reads no rows.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn pages(&self, range: &KeyRange, blocks_per_page: usize) -> Result<Pages, Error> {
        let start = range.start.clone().into_bytes();
        let end = Some(range.end.clone().into_bytes()).filter(|end| !end.is_empty());
        let blocks_per_page = blocks_per_page.max(1);
        let mut pages = Pages { snapshot_segment: None, start, end, first: 0, blocks: 0, blocks_per_page };
        for (at, live) in self.segments().iter().enumerate() {
            let Some((first, last)) = live.segment.leaves(&pages.start, pages.end.as_deref())? else {
                continue;
            };
            let blocks = last.saturating_sub(first) + 1;
            if blocks > pages.blocks {
                (pages.snapshot_segment, pages.first, pages.blocks) = (Some(at), first, blocks);
            }
        }
        Ok(pages)
    }

    /// The captures of one page, counted from 0; none behind the last. The pages must be of this snapshot.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn page(&self, pages: &Pages, page: usize) -> Result<Captures, Error> {
        let guide = pages.snapshot_segment.and_then(|at| self.segments().get(at));
        let Some(guide) = guide.filter(|_| page < pages.count()) else {
            return Ok(Captures::of(Merged::new(&[], &[], None)));
        };
        let cut = |page: usize| {
            let leaf = page.saturating_mul(pages.blocks_per_page).saturating_add(pages.first);
            guide.segment.separator(leaf).map(|cut| cut.unwrap_or_default())
        };
        let start = if page == 0 { pages.start.clone() } else { cut(page)? };
        let end = if page + 1 == pages.count() { pages.end.clone() } else { Some(cut(page + 1)?) };
        Ok(Captures::of(Merged::new(self.segments(), &start, end.as_deref())))
    }
}
