//! Folders that nobody else enters.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::process::geteuid;

use crate::mode::tighten;
use crate::refused::{Refused, explain};

/// Folders of ours are not nested more deeply.
const DEPTH_MAX: usize = 16;

/// Makes a folder with mode 0700; one that is there is tightened. Says whether it is new.
///
/// # Errors
/// When it cannot be made, or something else is in its place.
pub fn make_folder(path: &Path) -> io::Result<bool> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(path).map(|_| false),
        Err(error) => Err(error),
    }
}

/// Tightens a folder that is there, and looks through it for what another user may have put there when he still could. The folder must
/// belong to us, or to the owner of the folder above it.
///
/// # Errors
/// When it is no folder, belongs to somebody else, or has a symbolic link in it, however deep.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let owner = open(path)?.metadata()?.uid();
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if owner != geteuid().as_raw() && owner != above.metadata()?.uid() {
        return Err(Refused::Owner(path.to_owned()).into());
    }
    refuse_links(path, DEPTH_MAX)
}

/// Opens a folder that is none but itself, and tightens it.
fn open(path: &Path) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits()).unwrap_or_default();
    let folder = File::options().read(true).custom_flags(flags).open(path);
    let folder = folder.map_err(|error| explain(path, error))?;
    tighten(&folder, path);
    Ok(folder)
}

fn refuse_links(folder: &Path, depth: usize) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        // Somebody of ours has just removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            return Err(Refused::Link(entry.path()).into());
        }
        if kind.is_dir() {
            let left = depth.checked_sub(1).ok_or_else(|| Refused::Kind(entry.path()))?;
            refuse_links(&entry.path(), left)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().mode() & 0o7777
    }

    #[test]
    fn a_folder_is_made_with_mode_0700_and_an_old_one_tightened() {
        let root = tempfile::tempdir().unwrap();
        let work = root.path().join("work");
        assert!(make_folder(&work).unwrap());
        assert_eq!(mode(&work), 0o700);
        fs::set_permissions(&work, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!make_folder(&work).unwrap());
        assert_eq!(mode(&work), 0o700);
    }

    #[test]
    fn a_link_or_a_file_is_no_folder() {
        let root = tempfile::tempdir().unwrap();
        let (real, link, file) =
            (root.path().join("real"), root.path().join("link"), root.path().join("file"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &link).unwrap();
        fs::write(&file, "").unwrap();
        for path in [&link, &file] {
            make_folder(path).unwrap_err();
            check_folder(path).unwrap_err();
        }
        assert!(check_folder(&link).unwrap_err().to_string().contains("symbolic link"));
    }

    #[test]
    fn a_link_deep_in_a_folder_is_found() {
        let root = tempfile::tempdir().unwrap();
        let logs = root.path().join("job").join("logs");
        fs::create_dir_all(&logs).unwrap();
        fs::write(logs.join("crawl.log"), "").unwrap();
        check_folder(&root.path().join("job")).unwrap();
        symlink("/etc/passwd", logs.join("filtered.log")).unwrap();
        let error = check_folder(&root.path().join("job")).unwrap_err();
        assert!(error.to_string().contains("filtered.log"), "{error}");
    }
}
