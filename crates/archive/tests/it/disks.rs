//! Disks that fail: in the middle of an operation, when they are synced, or because they are small.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use archive::disk::Disk;

/// A disk that ends the process, so to say, at one of its operations: from then on nothing is done any more.
#[derive(Debug)]
pub(crate) struct Mortal(AtomicI64);

impl Mortal {
    pub(crate) fn with(operations: i64) -> Arc<Mortal> {
        Arc::new(Mortal(AtomicI64::new(operations)))
    }

    fn live(&self) -> io::Result<()> {
        match self.0.fetch_sub(1, Ordering::SeqCst) {
            1.. => Ok(()),
            _ => Err(io::Error::other("the process has been killed")),
        }
    }
}

impl Disk for Mortal {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        self.live()?;
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.live()?;
        file.sync_data()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live()?;
        fs::rename(from, to)
    }
}

/// A disk that cannot be synced while a test says so, and that remembers which files were.
#[derive(Debug, Default)]
pub(crate) struct Syncs {
    pub(crate) is_failing: AtomicBool,
    pub(crate) lacks_descriptors: AtomicBool,
    pub(crate) synced: Mutex<HashSet<u64>>,
}

impl Disk for Syncs {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        if self.is_failing.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if self.lacks_descriptors.load(Ordering::SeqCst) {
            return Err(rustix::io::Errno::MFILE.into());
        }
        self.synced.lock().unwrap().insert(file.metadata()?.ino());
        file.sync_data()
    }
}

/// Text that cannot be packed to less than some 16 kB.
pub(crate) fn noise(seed: u64) -> String {
    let mut state = seed + 1;
    (0..20_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'!' + u8::try_from((state >> 33) % 90).unwrap())
        })
        .collect()
}

pub(crate) struct Unmount(pub(crate) std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
