//! Writes a whole new file, or none: under a name of its own until it is complete and on the disk.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::hint::WithHint as _;

/// A file that is being written. What is not finished leaves nothing behind.
pub(crate) struct NewFile {
    file: BufWriter<File>,
    /// The name until then.
    part: PathBuf,
    /// The name when it is complete.
    path: PathBuf,
    is_finished: bool,
}

impl NewFile {
    /// Begins a file; one that is there already is replaced only if that is meant, and then not before the end.
    pub(crate) fn create(path: &Path, force: bool) -> anyhow::Result<NewFile> {
        if path.is_file() && !force {
            return Err(taken(path)).hint("`--force` replaces it");
        }
        NewFile::begin(path)
    }

    /// The same where nothing is ever replaced.
    pub(crate) fn create_new(path: &Path) -> anyhow::Result<NewFile> {
        if path.is_file() {
            return Err(taken(path)).hint("give another name, or move that file away");
        }
        NewFile::begin(path)
    }

    fn begin(path: &Path) -> anyhow::Result<NewFile> {
        let shown = path.display();
        if path.is_dir() {
            return Err(anyhow!("`{shown}` is a folder")).hint("name a file to write to");
        }
        // A device or pipe must not be renamed over, and behind a link lies the file that is meant.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(anyhow!("`{shown}` is no regular file, and cannot be replaced"))
                .hint("name a file to write to");
        }
        let part = part_of(path);
        // Never over a file that is there, whosever it is.
        let file = File::options()
            .write(true)
            .create_new(true)
            .open(&part)
            .with_context(|| format!("cannot write `{}`", part.display()))
            .hint("is there such a folder, and may you write to it?")?;
        let file = BufWriter::with_capacity(1 << 18, file);
        Ok(NewFile { file, part, path: path.to_owned(), is_finished: false })
    }

    /// Brings the file to the disk and gives it its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let context = || format!("cannot write `{}`", self.path.display());
        self.file.flush().and_then(|()| self.file.get_ref().sync_all()).with_context(context)?;
        fs::rename(&self.part, &self.path).with_context(context)?;
        self.is_finished = true;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // The new name is durable when the folder is.
        let folder = File::open(folder.unwrap_or(Path::new(".")));
        folder
            .and_then(|folder| folder.sync_all())
            .with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

fn taken(path: &Path) -> anyhow::Error {
    anyhow!("`{}` is there already", path.display())
}

/// The name until the file is complete: hidden, in the same folder, and of this process alone.
fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// For formats whose headers are completed last.
impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_not_replaced_and_a_link_leads_to_its_file() {
        let error = NewFile::create(Path::new("/dev/null"), true).err().unwrap();
        assert!(error.to_string().contains("no regular file"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = NewFile::create(&link, true).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().len(), 3);
    }
}
