//! Whether there is room on the disk for what comes next.

use std::path::Path;
use std::time::Duration;

/// Bytes that are kept free on a large disk; of a small one it is a part.
const RESERVE: u64 = 256 << 20;

/// The part of a small disk that is kept free: one in so many.
const RESERVE_PART: u64 = 16;

/// How often it is looked whether there is room again.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What to tell the operator when a write has failed for want of room.
pub(super) const FULL: &str =
    "the disk is full: make room and the job goes on by itself; what is fetched is safe";

/// What to tell the operator if the disk is about full. A disk that cannot be asked is taken to have room.
pub(super) fn is_short(path: &Path) -> Option<String> {
    let facts = rustix::fs::statvfs(path).ok()?;
    let total = facts.f_blocks.saturating_mul(facts.f_frsize);
    let free = facts.f_bavail.saturating_mul(facts.f_frsize);
    is_too_little(free, total).then(|| {
        format!(
            "the disk is full ({} MB free): make room and the job goes on by itself; what is fetched is safe",
            free >> 20
        )
    })
}

fn is_too_little(free: u64, total: u64) -> bool {
    free < RESERVE.min(total / RESERVE_PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_keeps_a_part_and_a_large_one_a_fixed_amount() {
        assert!(is_too_little(1 << 20, 32 << 20));
        assert!(!is_too_little(3 << 20, 32 << 20));
        assert!(is_too_little(100 << 20, 1 << 40));
        assert!(!is_too_little(300 << 20, 1 << 40));
        assert!(!is_too_little(0, 0));
    }
}
