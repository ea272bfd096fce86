//! A folder on disk as a tree and a sink.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bagit_ocfl::{Entry, EntryKind, Sink, Tree};

pub(crate) struct Folder(pub(crate) PathBuf);

impl Tree for Folder {
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
        let entries = fs::read_dir(self.0.join(folder))?;
        Ok(entries.map(|entry| {
            let entry = entry?;
            let meta = entry.metadata()?;
            let kind = match entry.file_name().to_str() {
                None => EntryKind::Nameless,
                Some(_) if meta.is_symlink() => EntryKind::Link,
                Some(_) if meta.is_dir() => EntryKind::Folder,
                Some(_) if meta.is_file() => EntryKind::File,
                Some(_) => EntryKind::Special,
            };
            let bytes = if kind == EntryKind::File { meta.len() } else { 0 };
            Ok(Entry { name: entry.file_name().to_string_lossy().into_owned(), kind, bytes })
        }))
    }

    fn open(&self, path: &str) -> io::Result<impl Read> {
        File::open(self.0.join(path))
    }
}

impl Sink for Folder {
    type File = File;

    fn create(&mut self, path: &str) -> io::Result<File> {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        File::create_new(path)
    }

    fn finish(&mut self, file: File) -> io::Result<()> {
        file.sync_all()
    }
}
