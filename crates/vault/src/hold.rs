//! One at a time: whoever changes what lies in the replicas holds the vault, and whoever audits one holds that; in this process or in
//! another. The system gives a hold back when a process ends, however it ends.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::vault::Vault;

/// How often, and after which pauses, a caller tries to get the vault: audits hold it for a single file.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(25);

/// Held until it is dropped.
#[derive(Debug)]
pub struct Hold(#[allow(dead_code)] File);

impl Hold {
    /// For whoever changes the catalogue in this file, or what lies in its replicas, without having opened it.
    ///
    /// # Errors
    /// When somebody else has it, or the lock cannot be made.
    pub fn of(catalogue: &Path) -> Result<Hold, Error> {
        Hold::by(catalogue, "lock", "bringing or repairing files")
    }

    fn by(catalogue: &Path, ending: &str, what: &'static str) -> Result<Hold, Error> {
        let mut path = catalogue.as_os_str().to_owned();
        path.push(format!(".{ending}"));
        let path = PathBuf::from(path);
        let failed = |source| Error::Lock { path: path.clone(), source };
        let file = private::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Hold(file)),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(what)),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

impl Vault {
    /// For bringing, repairing, adopting and taking out. Waits for a second if another process has it.
    pub(crate) fn hold(&self) -> Result<Hold, Error> {
        for _ in 1..TRIES {
            match self.try_hold() {
                Err(Error::Busy(_)) => thread::sleep(PAUSE),
                hold => return hold,
            }
        }
        self.try_hold()
    }

    /// The same without waiting.
    pub(crate) fn try_hold(&self) -> Result<Hold, Error> {
        Hold::of(self.catalogue.path())
    }

    /// For auditing a replica: what is brought and repaired meanwhile does not disturb that.
    pub(crate) fn hold_audit(&self, replica: &str) -> Result<Hold, Error> {
        // Names of replicas may have anything in them.
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = replica.chars().map(plain).collect();
        Hold::by(self.catalogue.path(), &format!("{name}.audit.lock"), "auditing this replica")
    }
}
