//! Files in folders where somebody else may have put links.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use crate::refused::{Refused, explain};

/// Options that open no symbolic link, and give a new file mode 0600.
#[must_use]
pub fn options() -> OpenOptions {
    let mut options = File::options();
    options.mode(0o600).custom_flags(flags(OFlags::NOFOLLOW));
    options
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened, is a symbolic link, or is no regular file. A pipe does not make the caller wait.
pub fn read(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK));
    let file = options.open(path).map_err(|error| explain(path, error))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(Refused::Kind(path.to_owned()).into()) }
}

/// Puts a file with mode 0600 in the place of another in one step, and returns it open. Its bytes are on the disk when this returns.
///
/// # Errors
/// When it cannot be written; then the old file is as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made with mode 0600, under a name that was free.
    let mut file = tempfile::Builder::new().prefix(".new").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let file = file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()?;
    Ok(file)
}

fn flags(flags: OFlags) -> i32 {
    i32::try_from(flags.bits()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().mode() & 0o7777
    }

    fn text(path: &Path) -> String {
        io::read_to_string(File::open(path).unwrap()).unwrap()
    }

    #[test]
    fn new_files_have_mode_0600() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        options().write(true).create(true).truncate(true).open(&a).unwrap();
        fs::write(&b, "old").unwrap();
        replace(&b, b"new").unwrap();
        assert_eq!((mode(&a), mode(&b)), (0o600, 0o600));
        assert_eq!(text(&b), "new");
    }

    #[test]
    fn links_are_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "untouched").unwrap();
        symlink(&target, &link).unwrap();
        assert!(read(&link).unwrap_err().to_string().contains("symbolic link"));
        options().write(true).create(true).truncate(true).open(&link).unwrap_err();
        assert_eq!(text(&target), "untouched");
        replace(&link, b"ours").unwrap();
        assert_eq!([text(&target), text(&link)], ["untouched", "ours"]);
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap_err().to_string().contains("another kind"));
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        read(&folder.path().join("socket")).unwrap_err();
    }
}
