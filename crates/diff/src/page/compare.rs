//! Compares two pages block by block, as a reader would: what came, what went, what moved, what says something else.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::attributes::{self, AttributeChange};
use super::blocks::{Block, Role};
use super::pairs::pairs;
use super::region::Region;
use super::tree::Page;
use crate::Limits;
use crate::text::{Hunk, compare_sequences};

/// One change of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "change")]
#[non_exhaustive]
pub enum Change {
    /// The title is another one.
    Title {
        /// What it was.
        old: Option<String>,
        /// What it is.
        new: Option<String>,
    },
    /// A block came.
    Added {
        /// What it is.
        role: Role,
        /// Which part of the page it belongs to.
        region: Region,
        /// Where it stands.
        path: String,
        /// What it says.
        text: String,
    },
    /// A block went.
    Removed {
        /// What it was.
        role: Role,
        /// Which part of the page it belonged to.
        region: Region,
        /// Where it stood.
        path: String,
        /// What it said.
        text: String,
    },
    /// A block stands somewhere else, and says the same.
    Moved {
        /// What it is.
        role: Role,
        /// Which part of the page it belongs to.
        region: Region,
        /// Where it stood.
        from: String,
        /// Where it stands.
        path: String,
        /// What it says.
        text: String,
    },
    /// A block says something else.
    Changed {
        /// What it is.
        role: Role,
        /// Which part of the page it belongs to.
        region: Region,
        /// Where it stands.
        path: String,
        /// What it said.
        old: String,
        /// What it says.
        new: String,
    },
    /// An attribute of something that says the same is another one.
    Attribute {
        /// Which part of the page it belongs to.
        region: Region,
        /// What it was and is.
        #[serde(flatten)]
        attribute: AttributeChange,
    },
}

impl Change {
    /// Which part of the page it belongs to; a title is of the matter.
    #[must_use]
    pub fn region(&self) -> Region {
        match self {
            Change::Title { .. } => Region::Main,
            Change::Added { region, .. }
            | Change::Removed { region, .. }
            | Change::Moved { region, .. }
            | Change::Changed { region, .. }
            | Change::Attribute { region, .. } => *region,
        }
    }

    /// The old and the new text. Of a moved block they are the same; of an attribute they are its values.
    #[must_use]
    pub fn texts(&self) -> (&str, &str) {
        match self {
            Change::Title { old, new } => {
                (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default())
            }
            Change::Added { text, .. } => ("", text),
            Change::Removed { text, .. } => (text, ""),
            Change::Moved { text, .. } => (text, text),
            Change::Changed { old, new, .. } => (old, new),
            Change::Attribute { attribute, .. } => {
                (attribute.old.as_deref().unwrap_or_default(), attribute.new.as_deref().unwrap_or_default())
            }
        }
    }

    /// Whether a reader would notice: everything but attributes that only scripts and style sheets see.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        !matches!(self, Change::Attribute { attribute, .. } if !attribute.visible)
    }
}

/// All changes of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// The changes, in the order of the page.
    pub changes: Vec<Change>,
    /// Whether a finer answer was not looked for.
    pub coarse: bool,
    /// Blocks of the old page.
    pub old_blocks: usize,
    /// Blocks of the new page.
    pub new_blocks: usize,
}

impl Changes {
    /// Whether a reader would not notice any difference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.changes.iter().any(Change::is_visible)
    }
}

/// Compares two pages.
///
/// ```
/// use diff::{Change, Limits, Page};
///
/// let limits = Limits::default();
/// let old = Page::read("<h1>Fish</h1><p>Cod is in.</p><p>Closed on Monday.</p>", &limits);
/// let new = Page::read("<h1>Fish</h1><p class=big>Eel is in.</p>", &limits);
/// let changes = diff::compare_pages(&old, &new, &limits);
/// assert!(matches!(&changes.changes[..], [Change::Changed { old, new, .. }, Change::Removed { text, .. }]
///     if old == "Cod is in." && new == "Eel is in." && text == "Closed on Monday."));
/// ```
#[must_use]
pub fn compare(old: &Page, new: &Page, limits: &Limits) -> Changes {
    let mut changes = compare_blocks((old, &old.blocks()), (new, &new.blocks()), limits);
    let (old_title, new_title) = (old.title(), new.title());
    if old_title != new_title {
        changes.changes.insert(0, Change::Title { old: old_title, new: new_title });
    }
    changes.coarse |= old.is_cut() || new.is_cut();
    changes
}

/// Compares what was chosen of two pages.
pub(crate) fn compare_blocks(old: (&Page, &[Block]), new: (&Page, &[Block]), limits: &Limits) -> Changes {
    let (old_keys, new_keys) =
        (old.1.iter().map(|block| key(old.0, block)), new.1.iter().map(|block| key(new.0, block)));
    let (old_keys, new_keys): (Vec<String>, Vec<String>) = (old_keys.collect(), new_keys.collect());
    let (hunks, coarse) = compare_sequences(old_keys.iter(), new_keys.iter(), limits);
    let mut comparison =
        Comparison { old, new, old_keys, new_keys, limits, changes: Vec::new(), is_cut: false };
    comparison.run(&hunks);
    let coarse = coarse || comparison.is_cut;
    Changes { changes: comparison.changes, coarse, old_blocks: old.1.len(), new_blocks: new.1.len() }
}

/// What makes two blocks the same: their text, or the pictures and links of one that has none.
fn key(page: &Page, block: &Block) -> String {
    if !block.text.is_empty() {
        return block.text.clone();
    }
    let mut key = String::from("\0");
    for node in &block.inline {
        let (name, address) = attributes::identity(page, *node);
        if matches!(name.as_str(), "img" | "a") {
            key.push_str(&name);
            key.push('\0');
            key.push_str(&address);
        }
    }
    key
}

struct Comparison<'a> {
    old: (&'a Page, &'a [Block]),
    new: (&'a Page, &'a [Block]),
    old_keys: Vec<String>,
    new_keys: Vec<String>,
    limits: &'a Limits,
    changes: Vec<Change>,
    /// There are more than are listed.
    is_cut: bool,
}

impl Comparison<'_> {
    /// Whether no more changes are listed; a place is not even looked up then.
    fn is_full(&mut self) -> bool {
        let is_full = self.changes.len() >= self.limits.changes_max;
        self.is_cut |= is_full;
        is_full
    }

    fn run(&mut self, hunks: &[Hunk]) {
        let moved = self.moved(hunks);
        let gone: HashSet<usize> = moved.values().copied().collect();
        let (mut old_at, mut new_at) = (0, 0);
        for hunk in hunks {
            while old_at < hunk.old.start {
                self.same(old_at, new_at);
                (old_at, new_at) = (old_at + 1, new_at + 1);
            }
            self.hunk(hunk, &moved, &gone);
            (old_at, new_at) = (hunk.old.end, hunk.new.end);
        }
        while old_at < self.old.1.len() {
            self.same(old_at, new_at);
            (old_at, new_at) = (old_at + 1, new_at + 1);
        }
    }

    /// Blocks that went here and came there: new to old.
    fn moved(&self, hunks: &[Hunk]) -> HashMap<usize, usize> {
        let mut gone: HashMap<&str, Vec<usize>> = HashMap::new();
        for at in hunks.iter().flat_map(|hunk| hunk.old.clone()).rev() {
            if let Some(key) = self.old_keys.get(at) {
                gone.entry(key).or_default().push(at);
            }
        }
        let came = hunks.iter().flat_map(|hunk| hunk.new.clone());
        came.filter_map(|at| Some((at, gone.get_mut(self.new_keys.get(at)?.as_str())?.pop()?))).collect()
    }

    /// Two blocks that say the same.
    fn same(&mut self, old_at: usize, new_at: usize) {
        let (Some(old), Some(new)) = (self.old.1.get(old_at), self.new.1.get(new_at)) else { return };
        if self.changes.len() >= self.limits.changes_max {
            // Whether attributes differ is not looked at any more.
            self.is_cut = true;
            return;
        }
        let mut found = Vec::new();
        attributes::compare((self.old.0, old), (self.new.0, new), self.limits, &mut found);
        let region = new.region;
        self.changes.extend(found.into_iter().map(|attribute| Change::Attribute { region, attribute }));
    }

    fn hunk(&mut self, hunk: &Hunk, moved: &HashMap<usize, usize>, gone: &HashSet<usize>) {
        let went: Vec<usize> = hunk.old.clone().filter(|at| !gone.contains(at)).collect();
        let came: Vec<usize> = hunk.new.clone().filter(|at| !moved.contains_key(at)).collect();
        let old: Vec<&Block> = went.iter().filter_map(|at| self.old.1.get(*at)).collect();
        let new: Vec<&Block> = came.iter().filter_map(|at| self.new.1.get(*at)).collect();
        let pairs = pairs(self.old.0, &old, self.new.0, &new);
        let partner: HashMap<usize, usize> = pairs.iter().map(|(left, right)| (*right, *left)).collect();
        let mut left = 0;
        let mut new_number = 0;
        for at in hunk.new.clone() {
            if let Some(from) = moved.get(&at) {
                self.moved_block(*from, at);
                continue;
            }
            if let Some(old_number) = partner.get(&new_number) {
                old.get(left..*old_number).unwrap_or_default().iter().for_each(|block| self.removed(block));
                left = old_number + 1;
                if let (Some(old), Some(new)) = (old.get(*old_number), new.get(new_number)) {
                    self.changed(old, new);
                }
            } else if let Some(block) = new.get(new_number) {
                self.added(block);
            }
            new_number += 1;
        }
        old.get(left..).unwrap_or_default().iter().for_each(|block| self.removed(block));
    }

    fn moved_block(&mut self, old_at: usize, new_at: usize) {
        if self.is_full() {
            return;
        }
        let (Some(old), Some(new)) = (self.old.1.get(old_at), self.new.1.get(new_at)) else { return };
        let (from, path) = (self.old.0.path_of(old), self.new.0.path_of(new));
        let text = new.text.clone();
        self.changes.push(Change::Moved { role: new.role, region: new.region, from, path, text });
        self.same(old_at, new_at);
    }

    fn added(&mut self, block: &Block) {
        if self.is_full() {
            return;
        }
        let (path, text) = (self.new.0.path_of(block), shown(self.new.0, block));
        self.changes.push(Change::Added { role: block.role, region: block.region, path, text });
    }

    fn removed(&mut self, block: &Block) {
        if self.is_full() {
            return;
        }
        let (path, text) = (self.old.0.path_of(block), shown(self.old.0, block));
        self.changes.push(Change::Removed { role: block.role, region: block.region, path, text });
    }

    fn changed(&mut self, old: &Block, new: &Block) {
        if self.is_full() {
            return;
        }
        let path = self.new.0.path_of(new);
        let (old, text) = (shown(self.old.0, old), shown(self.new.0, new));
        self.changes.push(Change::Changed { role: new.role, region: new.region, path, old, new: text });
    }
}

/// The text of a block, or where its pictures and links lead if it has none.
fn shown(page: &Page, block: &Block) -> String {
    if !block.text.is_empty() {
        return block.text.clone();
    }
    let addresses = block.inline.iter().map(|node| attributes::identity(page, *node).1);
    addresses.filter(|address| !address.is_empty()).collect::<Vec<_>>().join(" ")
}
