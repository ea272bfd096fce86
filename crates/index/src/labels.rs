//! Which commit the rows of a merge belong to afterwards.
//!
//! Rows with a name keep their commit. Of what was added or deleted without one, neighbours become one: otherwise an index that gets
//! a few rows each second would have millions of numbers. They are neighbours if no other number that counts lies between them, so
//! that nothing changes in who is older than whom.

use std::collections::HashMap;

use crate::manifest::{Kind, Named};

/// Old numbers of commits, and new ones.
pub(crate) struct Labels {
    /// New numbers, ascending.
    commits: Vec<u64>,
    /// From each old number to its new one.
    new: HashMap<u64, u64>,
}

impl Labels {
    /// For a merge of these segments.
    pub(crate) fn new(chosen: &[Named], live: &HashMap<u64, Kind>) -> Labels {
        let mut old: Vec<u64> =
            chosen.iter().flat_map(|named| &named.written.commits).map(|(commit, _)| *commit).collect();
        old.retain(|commit| live.contains_key(commit));
        old.sort_unstable();
        old.dedup();
        let mut all: Vec<u64> = live.keys().copied().collect();
        all.sort_unstable();
        let mut labels = Labels { commits: Vec::new(), new: HashMap::new() };
        let mut above: Option<(u64, Kind, u64)> = None;
        for commit in old.into_iter().rev() {
            let Some(kind) = live.get(&commit).copied() else { continue };
            let new = match above {
                Some((next, next_kind, label))
                    if kind != Kind::Named && kind == next_kind && are_neighbours(&all, commit, next) =>
                {
                    label
                }
                _ => commit,
            };
            above = Some((commit, kind, new));
            labels.new.insert(commit, new);
            if labels.commits.last() != Some(&new) {
                labels.commits.push(new);
            }
        }
        labels.commits.reverse();
        labels
    }

    pub(crate) fn commits(&self) -> &[u64] {
        &self.commits
    }

    /// The place that rows of this commit have in the list of commits.
    pub(crate) fn local(&self, commit: u64) -> Option<usize> {
        self.new.get(&commit).and_then(|new| self.commits.binary_search(new).ok())
    }
}

/// Whether no number lies between the two.
fn are_neighbours(all: &[u64], lower: u64, upper: u64) -> bool {
    let from = all.partition_point(|number| *number <= lower);
    all.get(from).is_none_or(|number| *number >= upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Written;

    #[track_caller]
    fn check(kinds: &[(u64, Kind)], chosen: &[u64], expect: &[u64]) {
        let live: HashMap<u64, Kind> = kinds.iter().copied().collect();
        let commits = chosen.iter().map(|commit| (*commit, 1)).collect();
        let named = Named { number: 99, written: Written { bytes: 1, rows: 1, seal: 1, commits } };
        let labels = Labels::new(&[named], &live);
        let found: Vec<u64> =
            chosen.iter().map(|commit| labels.local(*commit).map_or(0, |at| labels.commits[at])).collect();
        assert_eq!(found, expect, "{chosen:?}");
    }

    #[test]
    fn neighbours_without_a_name_become_one() {
        use Kind::{Deletes, Loose, Named};
        let kinds = [
            (1, Loose),
            (2, Loose),
            (3, Named),
            (5, Loose),
            (6, Deletes),
            (7, Deletes),
            (9, Loose),
            (10, Loose),
        ];
        check(&kinds, &[1, 2, 3, 5, 6, 7, 9, 10], &[2, 2, 3, 5, 7, 7, 10, 10]);
        check(&kinds, &[1, 2], &[2, 2]);
        // Others of the same kind that are not merged lie between.
        check(&kinds, &[1, 5, 10], &[1, 5, 10]);
        // What does not count any more gets no place.
        check(&kinds, &[2, 4], &[2, 0]);
        check(&kinds, &[3], &[3]);
    }
}
