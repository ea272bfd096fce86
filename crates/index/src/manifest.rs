//! The manifest: which commits and which segments there are. What it does not name does not exist.
//!
//! ```text
//! varve index 2 5f1d3c9a00b7e642          version, and XXH3 of all that follows
//! {"next":9,"commits":[…],"loose":[…],"deletes":[…],"aliases":null,"segments":[…]}
//! ```
//! It is never changed: a new one takes its place by a rename. `docs/formats/index.md` has every member.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::segment::{Written, checksum};
use crate::{Commit, Error};

/// Name of the file.
pub(crate) const NAME: &str = "MANIFEST";
/// The newest version of the format that this program writes and reads.
pub(crate) const VERSION: u32 = 2;

const GREETING: &str = "varve index ";

/// What the manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The next number for a commit or a segment. None is given twice.
    pub(crate) next: u64,
    /// In the order in which they were published.
    pub(crate) commits: Vec<Published>,
    /// Numbers of what was added without a name. Ascending.
    pub(crate) loose: Vec<u64>,
    /// Numbers of what says that captures were deleted. Ascending.
    pub(crate) deletes: Vec<u64>,
    /// The file of aliases, if there are any.
    pub(crate) aliases: Option<Aliases>,
    pub(crate) segments: Vec<Named>,
}

/// What rows of a number mean for others of the same capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of a commit with a name: they stand beside whatever else there is.
    Named,
    /// Added without a name: each stands in the place of all older rows of the same capture.
    Loose,
    /// They say that older rows of the same capture are gone.
    Deletes,
}

/// The file of aliases, as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Aliases {
    /// Its file name.
    pub(crate) number: u64,
    pub(crate) bytes: u64,
    /// XXH3 of all of it.
    pub(crate) seal: u64,
}

/// A commit, with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Published {
    pub(crate) number: u64,
    pub(crate) rows: u64,
    pub(crate) commit: Commit,
}

/// A segment, with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) number: u64,
    pub(crate) written: Written,
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            next: 1,
            commits: Vec::new(),
            loose: Vec::new(),
            deletes: Vec::new(),
            aliases: None,
            segments: Vec::new(),
        }
    }
}

impl Manifest {
    /// The next number.
    pub(crate) fn take_number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        number
    }

    /// Numbers whose rows count. Rows of others are dead: they wait to be left out by a merge.
    pub(crate) fn live(&self) -> HashMap<u64, Kind> {
        let named = self.commits.iter().map(|published| (published.number, Kind::Named));
        let loose = self.loose.iter().map(|number| (*number, Kind::Loose));
        let deletes = self.deletes.iter().map(|number| (*number, Kind::Deletes));
        named.chain(loose).chain(deletes).collect()
    }

    /// Forgets the commit of this name and the segments that only it had rows in; whether there was one.
    pub(crate) fn forget(&mut self, name: &str) -> bool {
        let before = self.commits.len();
        self.commits.retain(|published| published.commit.name != name);
        let is_changed = self.commits.len() < before;
        self.forget_empty();
        is_changed
    }

    /// Forgets segments without live rows, and numbers without a name that no segment has rows of.
    pub(crate) fn forget_empty(&mut self) {
        let live = self.live();
        self.segments.retain(|named| named.live_rows(&live) > 0);
        let commits = self.segments.iter().flat_map(|named| &named.written.commits);
        let have_rows: HashSet<u64> =
            commits.filter(|(_, rows)| *rows > 0).map(|(commit, _)| *commit).collect();
        self.loose.retain(|number| have_rows.contains(number));
        self.deletes.retain(|number| have_rows.contains(number));
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let body = serde_json::to_vec(&Body::from(self))?;
        let mut bytes = format!("{GREETING}{VERSION} {:016x}\n", checksum(&body, 0)).into_bytes();
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    /// Reads a manifest; the path is for the error.
    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Manifest, Error> {
        let damaged = |offset: usize, what: &str| Error::damaged(path, offset as u64, what);
        let none = || damaged(0, "does not begin as a manifest");
        let line_end = memchr::memchr(b'\n', bytes.get(..64).unwrap_or(bytes)).ok_or_else(none)?;
        let (line, body) = bytes.split_at_checked(line_end).ok_or_else(none)?;
        let body = body.get(1..).unwrap_or_default();
        let line = str::from_utf8(line).ok().and_then(|line| line.strip_prefix(GREETING)).ok_or_else(none)?;
        let (version, sum) = line.split_once(' ').ok_or_else(none)?;
        let version: u64 = version.parse().map_err(|_| none())?;
        if version > u64::from(VERSION) {
            return Err(Error::Future { path: path.to_owned(), found: version, known: VERSION });
        }
        if version == 0 || sum != format!("{:016x}", checksum(body, 0)) {
            return Err(damaged(0, "the checksum of the manifest is wrong"));
        }
        let body: Body = serde_json::from_slice(body)
            .map_err(|error| damaged(line_end + 1, &format!("the manifest makes no sense: {error}")))?;
        body.into_manifest().ok_or_else(|| damaged(line_end + 1, "the manifest makes no sense"))
    }
}

impl Named {
    /// How many of its rows are of commits that there are.
    pub(crate) fn live_rows(&self, live: &HashMap<u64, Kind>) -> u64 {
        self.written
            .commits
            .iter()
            .filter(|(commit, _)| live.contains_key(commit))
            .map(|(_, rows)| rows)
            .sum()
    }
}

/// The manifest as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    next: u64,
    commits: Vec<CommitBody>,
    // Version 1 had none of these.
    #[serde(default)]
    loose: Vec<u64>,
    #[serde(default)]
    deletes: Vec<u64>,
    #[serde(default)]
    aliases: Option<Aliases>,
    segments: Vec<SegmentBody>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitBody {
    number: u64,
    name: String,
    at: String,
    rows: u64,
    facts: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentBody {
    number: u64,
    bytes: u64,
    rows: u64,
    seal: String,
    commits: Vec<(u64, u64)>,
}

impl From<&Manifest> for Body {
    fn from(manifest: &Manifest) -> Body {
        let commits = manifest.commits.iter().map(|published| CommitBody {
            number: published.number,
            name: published.commit.name.clone(),
            at: published.commit.at.to_string(),
            rows: published.rows,
            facts: published.commit.facts.clone(),
        });
        let segments = manifest.segments.iter().map(|named| SegmentBody {
            number: named.number,
            bytes: named.written.bytes,
            rows: named.written.rows,
            seal: format!("{:016x}", named.written.seal),
            commits: named.written.commits.clone(),
        });
        Body {
            next: manifest.next,
            commits: commits.collect(),
            loose: manifest.loose.clone(),
            deletes: manifest.deletes.clone(),
            aliases: manifest.aliases.clone(),
            segments: segments.collect(),
        }
    }
}

impl Body {
    fn into_manifest(self) -> Option<Manifest> {
        let commits = self.commits.into_iter().map(|body| {
            let commit = Commit { name: body.name, at: body.at.parse().ok()?, facts: body.facts };
            Some(Published { number: body.number, rows: body.rows, commit })
        });
        let segments = self.segments.into_iter().map(|body| {
            let seal = u64::from_str_radix(&body.seal, 16).ok()?;
            let written = Written { bytes: body.bytes, rows: body.rows, seal, commits: body.commits };
            Some(Named { number: body.number, written })
        });
        let (commits, segments) = (commits.collect::<Option<_>>()?, segments.collect::<Option<_>>()?);
        let (loose, deletes, aliases) = (self.loose, self.deletes, self.aliases);
        Some(Manifest { next: self.next, commits, loose, deletes, aliases, segments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let commit = |name: &str| Commit {
            name: name.to_owned(),
            at: "2026-11-16T08:00:00.123456789Z".parse().unwrap(),
            facts: vec![("label".to_owned(), "tab\tand \"é\"\n".to_owned())],
        };
        let named = |number, commits| Named {
            number,
            written: Written { bytes: 1 << 40, rows: 9, seal: 0xfedc_ba98_7654_3210, commits },
        };
        Manifest {
            next: 9,
            commits: vec![
                Published { number: 1, rows: 2, commit: commit("a") },
                Published { number: 3, rows: 0, commit: commit("b") },
            ],
            loose: vec![5, 7],
            deletes: vec![6],
            aliases: Some(Aliases { number: 8, bytes: 99, seal: u64::MAX }),
            segments: vec![
                named(2, vec![(1, 2)]),
                named(4, vec![(1, 1), (3, 1)]),
                named(5, vec![(5, 1), (6, 1), (7, 1)]),
            ],
        }
    }

    #[test]
    fn manifests_come_back() {
        let path = Path::new("x/MANIFEST");
        for manifest in [manifest(), Manifest::default()] {
            assert_eq!(Manifest::parse(&manifest.to_bytes().unwrap(), path).unwrap(), manifest);
        }
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        let bytes = manifest().to_bytes().unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::parse(&bytes, Path::new("x/MANIFEST")).is_err(), "bit {bit}");
        }
        for cut in 0..bytes.len() {
            assert!(Manifest::parse(&bytes[..cut], Path::new("x/MANIFEST")).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn a_manifest_of_the_future_is_known_as_such() {
        let error = Manifest::parse(b"varve index 3 what comes next", Path::new("x/MANIFEST")).unwrap_err();
        assert!(error.to_string().contains("does not begin"), "{error}");
        let error =
            Manifest::parse(b"varve index 12 ?\nwhat comes next", Path::new("x/MANIFEST")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "x/MANIFEST has format version 12, and this program knows versions up to 2: use a newer one"
        );
    }

    #[test]
    fn a_segment_goes_with_the_last_of_its_commits() {
        let mut manifest = manifest();
        assert!(manifest.forget("a"));
        assert_eq!(manifest.segments.iter().map(|named| named.number).collect::<Vec<_>>(), [4, 5]);
        assert!(!manifest.forget("a") && manifest.forget("b"));
        assert_eq!(manifest.segments.iter().map(|named| named.number).collect::<Vec<_>>(), [5]);
        manifest.segments.clear();
        manifest.forget_empty();
        assert_eq!((manifest.loose, manifest.deletes), (vec![], vec![]));
    }
}
