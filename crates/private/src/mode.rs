//! Takes the rights of other users away.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::process::geteuid;

/// Rights of the group and of others.
const OTHERS: u32 = 0o077;
/// All bits of a mode.
const ALL: u32 = 0o7777;

/// Takes the rights of other users from an open file or folder, if it is ours. Where that cannot be done, a warning tells; on a disk that
/// is read-only it cannot be done, and nothing is told.
pub fn tighten(file: &File, path: &Path) {
    if let Ok(metadata) = file.metadata() {
        apply(&metadata, path, |permissions| file.set_permissions(permissions));
    }
}

/// Does the same to a file that must not be opened: a process that closes any descriptor of a SQLite database loses all its locks on it.
/// Links are left alone.
pub(crate) fn tighten_unopened(path: &Path) {
    if let Ok(metadata) = fs::symlink_metadata(path)
        && metadata.is_file()
    {
        apply(&metadata, path, |permissions| fs::set_permissions(path, permissions));
    }
}

fn apply(metadata: &Metadata, path: &Path, set: impl FnOnce(Permissions) -> io::Result<()>) {
    if metadata.mode() & OTHERS == 0 || metadata.uid() != geteuid().as_raw() {
        return;
    }
    let mode = metadata.mode() & ALL & !OTHERS;
    match set(Permissions::from_mode(mode)) {
        Ok(()) => tracing::info!("{}: other users had rights; its mode is now {mode:04o}", path.display()),
        Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {}
        Err(error) => {
            tracing::warn!("{}: other users have rights, which cannot be changed: {error}", path.display())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_of_others_are_taken_and_those_of_the_owner_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = File::create(&path).unwrap();
        for (before, after) in
            [(0o644, 0o600), (0o4777, 0o4700), (0o600, 0o600), (0o400, 0o400), (0o440, 0o400)]
        {
            file.set_permissions(Permissions::from_mode(before)).unwrap();
            tighten(&file, &path);
            assert_eq!(path.metadata().unwrap().mode() & ALL, after, "{before:o}");
        }
    }
}
