//! Which segments are to be merged.
//!
//! Segments of about one size are a tier; each tier is some times as large as the one below. When a tier is full, it and all
//! below it become one segment. So a row is written again as often as there are tiers, and a question asks a few segments of
//! each. A segment of which half was withdrawn is written again alone.

use crate::manifest::Manifest;

/// Rows of the lowest tier.
const ROWS_MIN: u64 = 1 << 12;

/// Numbers of the segments to be merged next; `None` where all is well.
pub(crate) fn due(manifest: &Manifest, segments_per_tier: usize) -> Option<Vec<u64>> {
    let live = manifest.live();
    let sizes: Vec<(u64, u64, u64)> = manifest
        .segments
        .iter()
        .map(|named| (named.number, named.written.rows, named.live_rows(&live)))
        .collect();
    if let Some((number, ..)) = sizes.iter().find(|(_, rows, live)| live.saturating_mul(2) < *rows) {
        return Some(vec![*number]);
    }
    let segments_per_tier = segments_per_tier.max(2);
    let tiers: Vec<(u64, u32)> =
        sizes.iter().map(|(number, rows, _)| (*number, tier(*rows, segments_per_tier))).collect();
    let is_full = |tier: &u32| tiers.iter().filter(|(_, other)| other == tier).count() >= segments_per_tier;
    let full = tiers.iter().map(|(_, tier)| *tier).filter(is_full).min()?;
    Some(tiers.iter().filter(|(_, tier)| *tier <= full).map(|(number, _)| *number).collect())
}

fn tier(rows: u64, base: usize) -> u32 {
    (rows / ROWS_MIN).checked_ilog(base as u64).map_or(0, |tier| tier + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Commit;
    use crate::manifest::{Named, Published};
    use crate::segment::Written;

    fn manifest(rows: &[u64], dead: u64) -> Manifest {
        let mut manifest = Manifest::default();
        for (number, rows) in (1..).zip(rows) {
            let commit =
                Commit { name: number.to_string(), at: jiff::Timestamp::UNIX_EPOCH, facts: Vec::new() };
            manifest.commits.push(Published { number, rows: *rows, commit });
            let commits = vec![(number, *rows), (1000, dead)];
            let written = Written { bytes: 1, rows: rows + dead, seal: 1, commits };
            manifest.segments.push(Named { number, written });
        }
        manifest
    }

    #[track_caller]
    fn check(rows: &[u64], expect: Option<&[u64]>) {
        assert_eq!(due(&manifest(rows, 0), 4).as_deref(), expect, "{rows:?}");
    }

    #[test]
    fn a_full_tier_is_merged_with_all_below_it() {
        check(&[], None);
        check(&[5, 10, 20], None);
        check(&[5, 10, 20, 4000], Some(&[1, 2, 3, 4]));
        check(&[5, 5000, 10, 1 << 20, 20], None);
        check(&[5, 5000, 10, 1 << 20, 20, 1], Some(&[1, 3, 5, 6]));
        check(&[5, 5000, 6000, 1 << 20, 7000, 8000], Some(&[1, 2, 3, 5, 6]));
    }

    #[test]
    fn what_is_half_dead_is_written_again() {
        assert_eq!(due(&manifest(&[10, 20], 9), 4), None);
        assert_eq!(due(&manifest(&[10, 20], 11), 4), Some(vec![1]));
    }

    /// Publishing a row at a time, for long: segments stay few, and no row is written again too often.
    #[test]
    fn segments_stay_few() {
        let (mut sizes, mut written, mut most) = (Vec::new(), 0, 0);
        for _ in 0..20_000 {
            sizes.push(1000);
            while let Some(merge) = due(&manifest(&sizes, 0), 4) {
                let mut sum = 0;
                for number in merge.iter().rev() {
                    sum += sizes.remove(usize::try_from(number - 1).unwrap());
                }
                written += sum;
                sizes.push(sum);
            }
            most = most.max(sizes.len());
        }
        assert!(most <= 25, "{most} segments at once");
        assert!(written / 20_000_000 <= 9, "each row was written again {} times", written / 20_000_000);
    }
}
