//! Two small disks in memory, which can be filled.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How large each is.
const MEGABYTES: u64 = 192;
/// What fills one.
const FILLER: &str = "filler";

/// Two disks, there as long as this value lives.
#[derive(Debug)]
pub(super) struct Disks {
    pub(super) first: PathBuf,
    pub(super) second: PathBuf,
}

impl Disks {
    /// Mounts them below a folder. Where that is not allowed, `None`, and one line on standard error says so.
    pub(super) fn mount(folder: &Path) -> Option<Disks> {
        let disks = Disks { first: folder.join("first-disk"), second: folder.join("second-disk") };
        for disk in [&disks.first, &disks.second] {
            fs::create_dir_all(disk).ok()?;
            let size = format!("size={MEGABYTES}m");
            let mounted =
                Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(disk).output();
            if !mounted.is_ok_and(|output| output.status.success()) {
                eprintln!("testkit: no tmpfs can be mounted here; disks are full by strace alone");
                return None;
            }
        }
        Some(disks)
    }

    /// Fills one but for so many bytes.
    pub(super) fn fill(&self, is_second: bool, left: u64) -> Result<(), String> {
        let disk = if is_second { &self.second } else { &self.first };
        let failed = |error: std::io::Error| format!("cannot fill {}: {error}", disk.display());
        let path = disk.join(FILLER);
        let mut filler = File::create(&path).map_err(failed)?;
        let zeros = vec![0; 1 << 20];
        // Until nothing more goes in, and then so much out again.
        while filler.write_all(&zeros).is_ok() {}
        while filler.write_all(zeros.get(..4096).unwrap_or_default()).is_ok() {}
        let length = filler.metadata().map_err(failed)?.len();
        filler.set_len(length.saturating_sub(left)).map_err(failed)
    }

    /// Empties both of what fills them.
    pub(super) fn give_room(&self) {
        for disk in [&self.first, &self.second] {
            drop(fs::remove_file(disk.join(FILLER)));
        }
    }
}

impl Drop for Disks {
    fn drop(&mut self) {
        for disk in [&self.first, &self.second] {
            drop(Command::new("umount").arg(disk).output());
        }
    }
}
