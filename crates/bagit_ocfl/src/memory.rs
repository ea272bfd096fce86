//! A tree in memory, for small packages and for tests.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use crate::tree::{Entry, EntryKind, Sink, Tree};

/// Files by their paths, and what else a folder may have. Folders are there when something is in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    nodes: BTreeMap<String, (EntryKind, Vec<u8>)>,
}

impl Memory {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Puts a file, in place of what was there.
    pub fn put(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.nodes.insert(path.to_owned(), (EntryKind::File, bytes.into()));
    }

    /// Puts something that is no file, such as a link or an empty folder.
    pub fn put_odd(&mut self, path: &str, kind: EntryKind) {
        self.nodes.insert(path.to_owned(), (kind, Vec::new()));
    }

    /// Takes something away; whether it was there.
    pub fn remove(&mut self, path: &str) -> bool {
        self.nodes.remove(path).is_some()
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.nodes.get(path).filter(|(kind, _)| *kind == EntryKind::File).map(|(_, bytes)| bytes.as_slice())
    }

    /// All files, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.nodes.iter().filter(|(_, (kind, _))| *kind == EntryKind::File);
        files.map(|(path, (_, bytes))| (path.as_str(), bytes.as_slice()))
    }
}

impl Tree for Memory {
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
        let inside = self.nodes.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        for (path, (kind, bytes)) in inside {
            let rest = path.get(start.len()..).unwrap_or_default();
            let (name, kind, bytes) = match rest.split_once('/') {
                Some((name, _)) => (name, EntryKind::Folder, 0),
                None => (rest, *kind, bytes.len() as u64),
            };
            entries.entry(name).or_insert(Entry { name: name.to_owned(), kind, bytes });
        }
        Ok(entries.into_values().map(Ok))
    }

    fn open(&self, path: &str) -> io::Result<impl Read> {
        self.get(path).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A file that is being written to [`Memory`].
#[derive(Debug)]
pub struct MemoryFile {
    path: String,
    bytes: Vec<u8>,
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Memory {
    type File = MemoryFile;

    fn create(&mut self, path: &str) -> io::Result<MemoryFile> {
        if self.nodes.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(MemoryFile { path: path.to_owned(), bytes: Vec::new() })
    }

    fn finish(&mut self, file: MemoryFile) -> io::Result<()> {
        self.put(&file.path, file.bytes);
        Ok(())
    }
}
