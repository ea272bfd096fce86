//! A sorted tree of three levels: roots, which are always in memory, branches, and leaves.
//!
//! Knows nothing of what the leaves hold but that its keys are sorted as bytes.

use super::bloom;
use super::branch::{Branch, Growing};
use super::heads::Ladder;
use super::page::{Packing, Pages, Place};
use super::pager::Pager;
use crate::Error;

use std::io::{self, Write};
use std::sync::Arc;

/// Where a branch lies and where its keys begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    /// Sorts behind all keys of the branch before it, and not behind the first of this one.
    pub(crate) separator: Box<[u8]>,
    pub(crate) place: Place,
    /// How many leaves there are before it.
    pub(crate) leaves_before: usize,
    /// How many leaves it has.
    pub(crate) leaves: usize,
}

/// One leaf of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    branch: usize,
    leaf: usize,
}

/// A tree to be read.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    roots: Vec<Root>,
    /// Of the roots' separators.
    heads: Ladder,
}

impl Tree {
    pub(crate) fn new(roots: Vec<Root>) -> Tree {
        let heads = Ladder::of(roots.len(), |root| separator_of(&roots, root));
        Tree { roots, heads }
    }

    /// The first leaf that may hold this key or what sorts behind it, and its branch. `None` where there are no leaves.
    fn descend(&self, pager: &Pager, key: &[u8]) -> Result<Option<(Spot, Arc<Branch>)>, Error> {
        let before = self.heads.count_before(key, |root| separator_of(&self.roots, root));
        let branch = before.saturating_sub(1);
        let Some(root) = self.roots.get(branch) else { return Ok(None) };
        let found = self.branch(pager, root)?;
        let leaf = found.find(key);
        Ok(Some((Spot { branch, leaf }, found)))
    }

    fn branch(&self, pager: &Pager, root: &Root) -> Result<Arc<Branch>, Error> {
        let branch = pager.branch(root.place)?;
        if branch.len() != root.leaves {
            return Err(pager.damaged(root.place.at, "a branch with a wrong number of leaves"));
        }
        Ok(branch)
    }

    /// The first leaf that may hold this key or what sorts behind it, and where it lies. `None` where there are no leaves.
    pub(crate) fn find(&self, pager: &Pager, key: &[u8]) -> Result<Option<(Spot, Place)>, Error> {
        let found = self.descend(pager, key)?;
        Ok(found.and_then(|(spot, branch)| Some((spot, branch.place(spot.leaf)?))))
    }

    /// The leaf of this number.
    pub(crate) fn leaf(&self, number: usize) -> Option<Spot> {
        let branch = self.roots.partition_point(|root| root.leaves_before <= number).checked_sub(1)?;
        let root = self.roots.get(branch)?;
        let leaf = number - root.leaves_before;
        (leaf < root.leaves).then_some(Spot { branch, leaf })
    }

    /// Where a leaf lies.
    pub(crate) fn place(&self, pager: &Pager, spot: Spot) -> Result<Option<Place>, Error> {
        let Some(root) = self.roots.get(spot.branch) else { return Ok(None) };
        Ok(self.branch(pager, root)?.place(spot.leaf))
    }

    /// The leaf behind this one.
    pub(crate) fn next(&self, spot: Spot) -> Option<Spot> {
        let root = self.roots.get(spot.branch)?;
        if spot.leaf + 1 < root.leaves {
            return Some(Spot { leaf: spot.leaf + 1, ..spot });
        }
        self.roots.get(spot.branch + 1).map(|_| Spot { branch: spot.branch + 1, leaf: 0 })
    }

    /// The last leaf of all.
    pub(crate) fn last(&self) -> Option<Spot> {
        let branch = self.roots.len().checked_sub(1)?;
        let leaf = self.roots.get(branch)?.leaves.checked_sub(1)?;
        Some(Spot { branch, leaf })
    }

    /// The leaf before this one.
    pub(crate) fn previous(&self, spot: Spot) -> Option<Spot> {
        if let Some(leaf) = spot.leaf.checked_sub(1) {
            return Some(Spot { leaf, ..spot });
        }
        let branch = spot.branch.checked_sub(1)?;
        let leaf = self.roots.get(branch)?.leaves.checked_sub(1)?;
        Some(Spot { branch, leaf })
    }

    /// Whether there may be keys that begin like this, whose filters know them by `hash`. Reads no leaf.
    pub(crate) fn may_hold(&self, pager: &Pager, start: &[u8], hash: u64) -> Result<bool, Error> {
        let Some((spot, branch)) = self.descend(pager, start)? else { return Ok(false) };
        if branch.filter(spot.leaf).is_some_and(|filter| bloom::may_hold(filter, hash)) {
            return Ok(true);
        }
        // Where they are not in this leaf, the next one must begin with them, and then so does what separates the two.
        let separator = match branch.separator(spot.leaf + 1) {
            Some(separator) => Some(separator),
            None => self.roots.get(spot.branch + 1).map(|root| &*root.separator),
        };
        Ok(separator.is_some_and(|separator| separator.starts_with(start)))
    }
}

fn separator_of(roots: &[Root], root: usize) -> &[u8] {
    roots.get(root).map_or(&[], |root| &root.separator)
}

/// A tree that is being written, leaf by leaf.
#[derive(Debug, Default)]
pub(crate) struct TreeWriter {
    branch: Growing,
    roots: Vec<Root>,
    leaves: usize,
    /// Last key of the leaf before.
    last: Vec<u8>,
}

/// A leaf that has been written.
pub(crate) struct NewLeaf<'a> {
    pub(crate) place: Place,
    pub(crate) first: &'a [u8],
    pub(crate) last: &'a [u8],
    pub(crate) filter: &'a [u8],
}

impl TreeWriter {
    /// How many leaves there are.
    pub(crate) fn leaves(&self) -> usize {
        self.leaves
    }

    /// Takes a leaf that was written last: nothing else may lie between it and the one before.
    pub(crate) fn push<W: Write>(&mut self, pages: &mut Pages<W>, leaf: &NewLeaf<'_>) -> io::Result<()> {
        // Whoever makes leaves sorts them; one that is out of its place could never be found.
        if leaf.first < self.last.as_slice() || leaf.last < leaf.first {
            return Err(io::Error::other("rows that are not sorted"));
        }
        let separator = if self.leaves == 0 { &[] } else { separator(&self.last, leaf.first) };
        self.branch.push(leaf.place, separator, leaf.filter);
        self.leaves += 1;
        self.last.clear();
        self.last.extend_from_slice(leaf.last);
        // A branch stands right behind its leaves: there it needs to know the place of the first only.
        if self.branch.is_full() { self.close_branch(pages) } else { Ok(()) }
    }

    pub(crate) fn finish<W: Write>(mut self, pages: &mut Pages<W>) -> io::Result<Vec<Root>> {
        if self.branch.len() > 0 {
            self.close_branch(pages)?;
        }
        Ok(self.roots)
    }

    fn close_branch<W: Write>(&mut self, pages: &mut Pages<W>) -> io::Result<()> {
        let branch = std::mem::take(&mut self.branch);
        let place = pages.put(&branch.to_bytes(), Packing::None)?;
        let (leaves, separator) = (branch.len(), branch.separator.into_boxed_slice());
        self.roots.push(Root { separator, place, leaves_before: self.leaves - leaves, leaves });
        Ok(())
    }
}

/// The shortest start of `first` that sorts behind `last`; all of `first` where the two are equal.
fn separator<'a>(last: &[u8], first: &'a [u8]) -> &'a [u8] {
    let common = last.iter().zip(first).take_while(|(last, first)| last == first).count();
    first.get(..=common).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_short_and_separate() {
        for (last, first, expect) in
            [("a", "b", "b"), ("abc", "abd", "abd"), ("abc", "b", "b"), ("a", "ab", "ab"), ("ab", "ab", "ab")]
        {
            assert_eq!(separator(last.as_bytes(), first.as_bytes()), expect.as_bytes());
        }
    }
}
