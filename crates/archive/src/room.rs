//! Whether there is room on the disks of an archive for what comes next.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Of a small disk, at most one in so many is wanted free before anybody is told …
const WARN_PART: u64 = 8;
/// … and before nothing is written any more.
const STOP_PART: u64 = 16;

/// A disk stands better when it would do so with one in so many of it less …
const MARGIN_PART: u64 = 200;
/// … but no more than this.
const MARGIN_MAX: u64 = 1 << 30;

/// An amount of room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many bytes; of a small disk less.
    Bytes(u64),
    /// So many hundredths of the disk.
    Percent(u8),
}

impl Amount {
    /// In bytes, on a disk of this size; of a small one at most one in `part`.
    fn of(self, total: u64, part: u64) -> u64 {
        match self {
            Amount::Bytes(bytes) => bytes.min(total / part),
            Amount::Percent(percent) => {
                let bytes = u128::from(total) * u128::from(percent.min(100)) / 100;
                u64::try_from(bytes).unwrap_or(u64::MAX)
            }
        }
    }
}

/// What a disk says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Which disk it is.
    pub disk: u64,
    /// Bytes that we may still write.
    pub free: u64,
    /// Bytes in all.
    pub total: u64,
}

/// How a disk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// There is room.
    Enough,
    /// There is, but somebody should be told.
    Low,
    /// Nothing more is to be written.
    Short,
}

/// One disk, as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// A folder on it: the first that was asked for.
    pub folder: PathBuf,
    /// What it says.
    pub space: Space,
    /// How it stands.
    pub standing: Standing,
}

impl Found {
    /// What is free, for people.
    #[must_use]
    pub fn free_shown(&self) -> String {
        let Space { free, total, .. } = self.space;
        let percent = u128::from(free) * 100 / u128::from(total.max(1));
        match free {
            0..0x4000_0000 => format!("{} MB, {percent} %", free >> 20),
            _ => format!("{} GB, {percent} %", free >> 30),
        }
    }
}

/// Asks a disk.
type Ask = dyn Fn(&Path) -> Option<Space> + Send + Sync;

/// How much room there must be.
#[derive(Clone)]
pub struct Room {
    /// With less than this, somebody is told.
    pub warn: Amount,
    /// With less than this, nothing more is written.
    pub stop: Amount,
    ask: Arc<Ask>,
}

impl fmt::Debug for Room {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Room")
            .field("warn", &self.warn)
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl Default for Room {
    fn default() -> Room {
        Room::new(Amount::Bytes(5 << 30), Amount::Bytes(256 << 20))
    }
}

impl Room {
    /// With these bounds, asking the system.
    #[must_use]
    pub fn new(warn: Amount, stop: Amount) -> Room {
        Room { warn, stop, ask: Arc::new(ask_system) }
    }

    /// The same, asking somebody else than the system: for tests.
    #[must_use]
    pub fn asking(self, ask: impl Fn(&Path) -> Option<Space> + Send + Sync + 'static) -> Room {
        Room { ask: Arc::new(ask), ..self }
    }

    /// How the disk of a folder stands. One that cannot be asked is taken to have room: `None`.
    #[must_use]
    pub fn at(&self, folder: &Path) -> Option<Found> {
        self.after(folder, 0)
    }

    /// So many bytes are to stay free on the disk of a folder; none, where it cannot be asked.
    #[must_use]
    pub fn spare(&self, folder: &Path) -> u64 {
        (self.ask)(folder).map_or(0, |space| self.stop.of(space.total, STOP_PART))
    }

    /// How it would stand if so many bytes more were written to it.
    #[must_use]
    pub fn after(&self, folder: &Path, bytes: u64) -> Option<Found> {
        let space = (self.ask)(folder)?;
        let free = space.free.saturating_sub(bytes);
        let standing = if free < self.stop.of(space.total, STOP_PART) {
            Standing::Short
        } else if free < self.warn.of(space.total, WARN_PART) {
            Standing::Low
        } else {
            Standing::Enough
        };
        Some(Found { folder: folder.to_owned(), space, standing })
    }

    /// How each disk of these folders stands, the worst first.
    #[must_use]
    pub fn look<'f>(&self, folders: impl IntoIterator<Item = &'f Path>) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for folder in folders {
            match self.at(folder) {
                Some(new) if found.iter().all(|known| known.space.disk != new.space.disk) => found.push(new),
                _ => {}
            }
        }
        found.sort_by_key(|found| std::cmp::Reverse(found.standing));
        found
    }

    /// The first of these disks that nothing more is to be written to.
    #[must_use]
    pub fn short<'f>(&self, folders: impl IntoIterator<Item = &'f Path>) -> Option<Found> {
        self.look(folders).into_iter().next().filter(|found| found.standing == Standing::Short)
    }
}

/// Notes when the standing of disks changes.
#[derive(Debug, Default)]
pub struct Watch {
    known: BTreeMap<u64, Standing>,
}

/// A disk that stands otherwise than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How it stood.
    pub before: Standing,
    /// How it stands.
    pub found: Found,
}

impl Watch {
    /// Which disks stand otherwise than when they were last looked at; at first, than with room enough. A disk stands better only when it
    /// does so by a margin, so that one that goes up and down at a bound is not told every time.
    pub fn look<'f>(&mut self, room: &Room, folders: impl IntoIterator<Item = &'f Path>) -> Vec<Change> {
        let mut changes = Vec::new();
        for found in room.look(folders) {
            let before = self.known.get(&found.space.disk).copied().unwrap_or(Standing::Enough);
            let margin = (found.space.total / MARGIN_PART).min(MARGIN_MAX);
            let careful = room.after(&found.folder, margin).map_or(before, |careful| careful.standing);
            let now = if found.standing < before { careful.min(before) } else { found.standing };
            self.known.insert(found.space.disk, now);
            if now != before {
                changes.push(Change { before, found: Found { standing: now, ..found } });
            }
        }
        changes
    }
}

fn ask_system(folder: &Path) -> Option<Space> {
    // Not what `statvfs` calls the file system: some call all of theirs 0.
    let disk = std::fs::metadata(folder).ok()?.dev();
    let facts = rustix::fs::statvfs(folder).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(facts.f_frsize);
    Some(Space { disk, free: bytes(facts.f_bavail), total: bytes(facts.f_blocks) })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[track_caller]
    fn check(room: &Room, free: u64, total: u64, standing: Standing) {
        let room = room.clone().asking(move |_| Some(Space { disk: 1, free, total }));
        assert_eq!(room.at(Path::new("/")).unwrap().standing, standing, "{free} of {total}");
    }

    #[test]
    fn a_small_disk_keeps_a_part_and_a_large_one_a_fixed_amount() {
        let room = Room::default();
        check(&room, 1 << 20, 32 << 20, Standing::Short);
        check(&room, 3 << 20, 32 << 20, Standing::Low);
        check(&room, 5 << 20, 32 << 20, Standing::Enough);
        check(&room, 100 << 20, 1 << 40, Standing::Short);
        check(&room, 300 << 20, 1 << 40, Standing::Low);
        check(&room, 6 << 30, 1 << 40, Standing::Enough);
        check(&room, 0, 0, Standing::Enough);
    }

    #[test]
    fn a_part_is_a_part_of_any_disk() {
        let room = Room::new(Amount::Percent(20), Amount::Percent(5));
        check(&room, 4, 100, Standing::Short);
        check(&room, 5, 100, Standing::Low);
        check(&room, 20, 100, Standing::Enough);
        check(&room, u64::MAX / 10, u64::MAX, Standing::Low);
    }

    #[test]
    fn each_disk_is_told_once_and_the_worst_first() {
        let room = Room::default().asking(|folder| match folder.to_str()? {
            "a" | "b" => Some(Space { disk: 1, free: 1 << 40, total: 1 << 41 }),
            "c" => Some(Space { disk: 2, free: 1 << 20, total: 1 << 41 }),
            _ => None,
        });
        let folders = ["a", "b", "c", "d"].map(Path::new);
        let found = room.look(folders);
        let told: Vec<_> =
            found.iter().map(|found| (found.folder.to_str().unwrap(), found.standing)).collect();
        assert_eq!(told, [("c", Standing::Short), ("a", Standing::Enough)]);
        assert_eq!(found[0].free_shown(), "1 MB, 0 %");
        assert_eq!(room.short(folders), Some(found[0].clone()));
        assert_eq!(room.short([Path::new("a"), Path::new("d")]), None);
        assert_eq!(room.after(Path::new("a"), 1 << 40).unwrap().standing, Standing::Short);
    }

    #[test]
    fn each_change_is_told_once_and_a_disk_at_its_bound_not_every_time() {
        let free = Arc::new(AtomicU64::new(100));
        let asked = Arc::clone(&free);
        let room = Room::new(Amount::Percent(10), Amount::Percent(5))
            .asking(move |_| Some(Space { disk: 1, free: asked.load(Ordering::SeqCst), total: 1000 }));
        let mut watch = Watch::default();
        let mut look = |bytes: u64| -> Vec<(Standing, Standing)> {
            free.store(bytes, Ordering::SeqCst);
            let changes = watch.look(&room, [Path::new("a")]);
            changes.iter().map(|change| (change.before, change.found.standing)).collect()
        };
        assert_eq!(look(100), []);
        assert_eq!(look(99), [(Standing::Enough, Standing::Low)]);
        assert_eq!(look(98), []);
        // A thousandth more is no reason to tell that all is well.
        assert_eq!(look(101), []);
        assert_eq!(look(105), [(Standing::Low, Standing::Enough)]);
        assert_eq!(look(49), [(Standing::Enough, Standing::Short)]);
        assert_eq!(look(0), []);
        assert_eq!(look(51), []);
        assert_eq!(look(60), [(Standing::Short, Standing::Low)]);
        assert_eq!(look(1000), [(Standing::Low, Standing::Enough)]);
        assert_eq!(look(1000), []);
    }

    #[test]
    fn the_system_knows_its_disks() {
        let found = Room::default().at(Path::new(".")).unwrap();
        assert!(found.space.total >= found.space.free);
        assert_eq!(Room::default().at(Path::new("no such folder")), None);
    }
}
