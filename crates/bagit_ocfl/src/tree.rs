//! Where packages are read from and written to: traits of ours, so that a folder, a replica or a bucket can be one.

use std::io::{self, Read, Write};

/// Files in folders, to read. Paths are relative and have `/` between their parts; the root is `""`.
///
/// Only paths are asked for that were put together from names that [`Tree::list`] gave, never one that a package merely names.
pub trait Tree {
    /// What lies directly in a folder, in any order.
    ///
    /// # Errors
    /// When it cannot be listed.
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>>;

    /// Opens a file to be read from its beginning.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self, path: &str) -> io::Result<impl Read>;
}

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the folder. Where that is no Unicode, as near as can be shown, with [`EntryKind::Nameless`].
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// The length of a file; 0 of everything else.
    pub bytes: u64,
}

/// What something in a folder is. Links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Bytes.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
    /// A device, a pipe, a socket.
    Special,
    /// Something whose name is no Unicode, so that no manifest can name it.
    Nameless,
}

/// Where a package is written to.
pub trait Sink {
    /// A file that is being written.
    type File: Write;

    /// Begins a file, and makes the folders on the way to it. Paths are as in [`Tree`].
    ///
    /// # Errors
    /// When it cannot be made, or is there already.
    fn create(&mut self, path: &str) -> io::Result<Self::File>;

    /// Ends a file: what was written is to last when this returns.
    ///
    /// # Errors
    /// When that cannot be promised.
    fn finish(&mut self, file: Self::File) -> io::Result<()>;
}
