//! Whether there is room on the disks for what comes next.

use std::path::Path;
use std::time::Duration;

use archive::Archive;
use archive::room::Room;

/// How often it is looked whether there is room again.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What to tell the operator when a write has failed for want of room.
pub(super) const FULL: &str =
    "the disk is full: make room and the job goes on by itself; what is fetched is safe";

/// What to tell the operator if a disk is about full: the one of the job, or the one that its files go to at its end.
pub(super) fn is_short(room: &Room, job: &Path, archive: &Archive) -> Option<String> {
    let found = room.short([job, archive.folder().join("store").as_path()])?;
    Some(format!(
        "the disk is full but for what is kept free ({}): make room and the job goes on by itself; what is fetched is safe",
        found.free_shown()
    ))
}
