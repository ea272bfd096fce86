//! One at a time: whoever changes what lies in the replicas holds the vault, and whoever audits one holds that; in this process or in
//! another. The system gives a hold back when a process ends, however it ends.

use std::fs::{File, TryLockError};
use std::path::PathBuf;

use crate::error::Error;
use crate::vault::Vault;

/// Held until it is dropped.
#[derive(Debug)]
pub(crate) struct Hold(#[allow(dead_code)] File);

impl Vault {
    /// For bringing, repairing, adopting and taking out.
    pub(crate) fn hold(&self) -> Result<Hold, Error> {
        self.hold_by("lock", "bringing or repairing files")
    }

    /// For auditing a replica: what is brought and repaired meanwhile does not disturb that.
    pub(crate) fn hold_audit(&self, replica: &str) -> Result<Hold, Error> {
        // Names of replicas may have anything in them.
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = replica.chars().map(plain).collect();
        self.hold_by(&format!("{name}.audit.lock"), "auditing this replica")
    }

    fn hold_by(&self, ending: &str, what: &'static str) -> Result<Hold, Error> {
        let mut path = self.catalogue.path().as_os_str().to_owned();
        path.push(format!(".{ending}"));
        let path = PathBuf::from(path);
        let failed = |source| Error::Lock { path: path.clone(), source };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Hold(file)),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(what)),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}
