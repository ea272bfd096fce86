//! The end of a segment file: what is in it, and where its trees begin.
//!
//! ```text
//! "VARVEIDX" │ version │ pages … │ tail: a page │ footer
//!
//! footer, 44 bytes:
//! ┌──────────┬───────────────┬───────────────┬──────────────────┬─────────┬────────────┐
//! │ seal     │ place of tail │ bytes of tail │ checksum of tail │ version │ "VARVEIDX" │
//! │ 8 bytes  │ 8 bytes       │ 8 bytes       │ 8 bytes          │ 4 bytes │ 8 bytes    │
//! └──────────┴───────────────┴───────────────┴──────────────────┴─────────┴────────────┘
//! ```
//! The seal is XXH3 of the rest of the footer; the manifest repeats it, so a file of the same name that is another is seen.

use super::bytes::{Bytes, put_run, put_varint};
use super::page::{Place, checksum};
use super::tree::Root;

/// The newest version of the format that this program writes and reads.
pub(crate) const VERSION: u32 = 2;
/// What a segment begins and ends with.
pub(crate) const MAGIC: &[u8; 8] = b"VARVEIDX";
/// Bytes of the footer.
pub(crate) const FOOTER_BYTES: usize = 44;

/// What the tail says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tail {
    /// Seed of all hashes of this segment. Nobody outside knows it, so nobody can make up URLs with one hash.
    pub(crate) seed: u64,
    /// Commits with rows here, by number, and how many. Numbers ascend.
    pub(crate) commits: Vec<(u64, u64)>,
    pub(crate) rows: Vec<Root>,
    /// Of version 1 only.
    pub(crate) urls: Vec<Root>,
    pub(crate) digests: Vec<Root>,
    /// Filters of the hashes of URLs, ascending; since version 2.
    pub(crate) filters: Vec<UrlFilter>,
}

/// Where the filter of some hashes lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UrlFilter {
    /// The smallest hash in it.
    pub(crate) first: u64,
    pub(crate) place: Place,
}

impl Tail {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.seed.to_le_bytes().to_vec();
        put_varint(&mut bytes, self.commits.len() as u64);
        for (commit, rows) in &self.commits {
            put_varint(&mut bytes, *commit);
            put_varint(&mut bytes, *rows);
        }
        for roots in [&self.rows, &self.digests] {
            put_varint(&mut bytes, roots.len() as u64);
            for root in roots {
                put_varint(&mut bytes, root.place.at);
                put_varint(&mut bytes, root.place.bytes as u64);
                put_varint(&mut bytes, root.leaves as u64);
                put_run(&mut bytes, &root.separator);
            }
        }
        put_varint(&mut bytes, self.filters.len() as u64);
        for filter in &self.filters {
            bytes.extend_from_slice(&filter.first.to_le_bytes());
            put_varint(&mut bytes, filter.place.at);
            put_varint(&mut bytes, filter.place.bytes as u64);
        }
        bytes
    }

    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: &[u8], version: u32) -> Option<Tail> {
        let mut rest = Bytes(bytes);
        let mut tail = Tail { seed: rest.u64()?, ..Tail::default() };
        for _ in 0..rest.size()? {
            tail.commits.push((rest.varint()?, rest.varint()?));
        }
        tail.rows = roots(&mut rest)?;
        if version < 2 {
            tail.urls = roots(&mut rest)?;
        }
        tail.digests = roots(&mut rest)?;
        if version >= 2 {
            for _ in 0..rest.size()? {
                let first = rest.u64()?;
                tail.filters
                    .push(UrlFilter { first, place: Place { at: rest.varint()?, bytes: rest.size()? } });
            }
        }
        let is_sound = rest.0.is_empty() && tail.commits.is_sorted_by(|(left, _), (right, _)| left < right);
        is_sound.then_some(tail)
    }
}

fn roots(rest: &mut Bytes<'_>) -> Option<Vec<Root>> {
    let mut roots = Vec::new();
    let mut leaves_before = 0_usize;
    for _ in 0..rest.size()? {
        let place = Place { at: rest.varint()?, bytes: rest.size()? };
        let leaves = rest.size()?;
        roots.push(Root { separator: rest.run()?.into(), place, leaves_before, leaves });
        leaves_before = leaves_before.checked_add(leaves)?;
    }
    Some(roots)
}

/// The last bytes of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) tail: Place,
    pub(crate) tail_checksum: u64,
    pub(crate) version: u32,
}

/// Why a footer is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadFooter {
    /// It is not what was written.
    Damaged(&'static str),
    /// It is of a version that we do not know.
    Future(u32),
}

impl Footer {
    /// The bytes, and the seal that they begin with.
    pub(crate) fn to_bytes(self) -> (Vec<u8>, u64) {
        let mut rest = Vec::with_capacity(FOOTER_BYTES);
        rest.extend_from_slice(&self.tail.at.to_le_bytes());
        rest.extend_from_slice(&(self.tail.bytes as u64).to_le_bytes());
        rest.extend_from_slice(&self.tail_checksum.to_le_bytes());
        rest.extend_from_slice(&self.version.to_le_bytes());
        rest.extend_from_slice(MAGIC);
        let seal = checksum(&rest, 0);
        ([&seal.to_le_bytes(), rest.as_slice()].concat(), seal)
    }

    /// The footer and its seal. The version is looked at first: what stands before it may mean something else one day.
    pub(crate) fn parse(bytes: &[u8], is_trusting: bool) -> Result<(Footer, u64), BadFooter> {
        let damaged = BadFooter::Damaged("the footer is none");
        let Some((before, version)) = bytes.strip_suffix(MAGIC).and_then(<[u8]>::split_last_chunk) else {
            return Err(damaged);
        };
        let version = u32::from_le_bytes(*version);
        if version > VERSION {
            return Err(BadFooter::Future(version));
        }
        let mut rest = Bytes(before);
        let (Some(seal), Some(at), Some(length), Some(tail_checksum)) =
            (rest.u64(), rest.u64(), rest.u64(), rest.u64())
        else {
            return Err(damaged);
        };
        let sealed = bytes.get(8..).unwrap_or_default();
        let length = usize::try_from(length).map_err(|_| damaged)?;
        if !is_trusting && (version == 0 || checksum(sealed, 0) != seal) {
            return Err(BadFooter::Damaged("the checksum of the footer is wrong"));
        }
        Ok((Footer { tail: Place { at, bytes: length }, tail_checksum, version }, seal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail() -> Tail {
        let root = |separator: &str, leaves_before| Root {
            separator: separator.as_bytes().into(),
            place: Place { at: 1 << 40, bytes: 300 },
            leaves_before,
            leaves: 128,
        };
        Tail {
            seed: 99,
            commits: vec![(3, 5), (8, 1 << 33)],
            rows: vec![root("", 0), root("b", 128)],
            urls: vec![],
            digests: vec![root("", 0)],
            filters: vec![UrlFilter { first: u64::MAX, place: Place { at: 5, bytes: 7 } }],
        }
    }

    #[test]
    fn tails_come_back() {
        let bytes = tail().to_bytes();
        assert_eq!(Tail::parse(&bytes, 2), Some(tail()));
        for cut in 0..bytes.len() {
            assert!(Tail::parse(&bytes[..cut], 2).is_none());
        }
        let commits = vec![(8, 1), (8, 1)];
        assert!(Tail::parse(&Tail { commits, ..tail() }.to_bytes(), 2).is_none());
    }

    #[test]
    fn footers_come_back_and_newer_ones_are_known_as_such() {
        let footer = Footer { tail: Place { at: 7, bytes: 9 }, tail_checksum: 1, version: VERSION };
        let (bytes, seal) = footer.to_bytes();
        assert_eq!(bytes.len(), FOOTER_BYTES);
        assert_eq!(Footer::parse(&bytes, false), Ok((footer, seal)));
        let mut future = bytes.clone();
        future[32] = 3;
        assert_eq!(Footer::parse(&future, false), Err(BadFooter::Future(3)));
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Footer::parse(&bytes, false).is_err(), "bit {bit}");
        }
        assert!(Footer::parse(b"", true).is_err() && Footer::parse(MAGIC, true).is_err());
    }
}
