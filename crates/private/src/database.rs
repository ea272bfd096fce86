//! Databases: SQLite makes them readable for everybody whom the umask lets.
//!
//! A database that exists is never opened here. SQLite locks by `fcntl`, and POSIX drops all such locks of a process when it closes any
//! descriptor of the file: another process would then take the database for unused and delete a WAL that is still written to.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::mode::tighten_unopened;

/// What SQLite puts beside a database. New ones get the mode of the database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Makes an empty file with mode 0600 for a database that is about to be opened, or tightens the one that is there and the files beside
/// it. Errors are left to whoever opens the database, who can tell more.
pub fn protect_database(path: &Path) {
    let made = File::options().write(true).create_new(true).mode(0o600).open(path);
    if made.is_ok() {
        return;
    }
    let beside = BESIDE.map(|ending| {
        let mut name = OsString::from(path);
        name.push(ending);
        PathBuf::from(name)
    });
    for path in beside.iter().map(PathBuf::as_path).chain([path]) {
        tighten_unopened(path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::Read as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use rustix::fs::{FlockOperation, fcntl_lock};

    use super::*;

    #[test]
    fn a_database_and_the_files_beside_it_have_mode_0600() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("watch.db");
        let mode = |name: &str| folder.path().join(name).metadata().unwrap().mode() & 0o7777;
        protect_database(&path);
        assert_eq!(mode("watch.db"), 0o600);
        for name in ["watch.db", "watch.db-wal", "watch.db-shm"] {
            fs::write(folder.path().join(name), "").unwrap();
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o644)).unwrap();
        }
        protect_database(&path);
        assert_eq!(["watch.db", "watch.db-wal", "watch.db-shm"].map(mode), [0o600; 3]);
    }

    /// SQLite locks by `fcntl`: closing any descriptor of the file drops all such locks of the process.
    #[test]
    fn locks_of_this_process_on_a_database_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("watch.db");
        protect_database(&path);
        let database = File::options().read(true).write(true).open(&path).unwrap();
        fcntl_lock(&database, FlockOperation::NonBlockingLockExclusive).unwrap();
        let locks = || {
            let mut text = String::new();
            File::open("/proc/locks").unwrap().take(1 << 20).read_to_string(&mut text).unwrap();
            text
        };
        let inode = format!(":{} ", database.metadata().unwrap().ino());
        let is_held = || locks().lines().any(|line| line.contains("POSIX") && line.contains(&inode));
        assert!(is_held(), "{}", locks());
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        protect_database(&path);
        assert!(is_held(), "{}", locks());
    }
}
