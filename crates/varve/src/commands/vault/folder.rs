//! A folder on this machine as a package: listed and read without following links, written file by file to the disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use bagit_ocfl::{Entry, EntryKind, Sink, Tree};

/// A folder that holds a package, or is to hold one.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Folder {
        Folder(path.to_owned())
    }
}

impl Tree for Folder {
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
        Ok(fs::read_dir(self.0.join(folder))?.map(|entry| {
            let entry = entry?;
            // Of a link, what is told is about the link.
            let facts = entry.metadata()?;
            let name = entry.file_name();
            let kind = match (name.to_str(), facts.file_type()) {
                (None, _) => EntryKind::Nameless,
                (_, kind) if kind.is_symlink() => EntryKind::Link,
                (_, kind) if kind.is_dir() => EntryKind::Folder,
                (_, kind) if kind.is_file() => EntryKind::File,
                _ => EntryKind::Special,
            };
            let bytes = if kind == EntryKind::File { facts.len() } else { 0 };
            Ok(Entry { name: name.to_string_lossy().into_owned(), kind, bytes })
        }))
    }

    fn open(&self, path: &str) -> io::Result<impl Read> {
        File::open(self.0.join(path))
    }
}

impl Sink for Folder {
    type File = BufWriter<File>;

    fn create(&mut self, path: &str) -> io::Result<BufWriter<File>> {
        let path = self.0.join(path);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        Ok(BufWriter::with_capacity(1 << 18, File::options().write(true).create_new(true).open(path)?))
    }

    fn finish(&mut self, mut file: BufWriter<File>) -> io::Result<()> {
        file.flush()?;
        file.get_ref().sync_all()
    }
}
