//! A package that is read: entries by name, the manifest, lists of pages, indexes, and packages inside.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufReader, Read, Seek};

use crate::digest::DigestFile;
use crate::error::Error;
use crate::index::IndexReader;
use crate::limits::Limits;
use crate::manifest::{DIGEST_PATH, MANIFEST_PATH, Manifest};
use crate::pages::PageReader;
use crate::zip::{self, Content, Entry, Span, Window};

/// An open package. Only its directory is held; everything else is read when it is asked for.
pub struct Wacz<R> {
    source: R,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    limits: Limits,
}

impl<R> fmt::Debug for Wacz<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wacz").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> Wacz<R> {
    /// Reads the directory of a package.
    ///
    /// # Errors
    /// When it is no ZIP file; or one that could hurt: names that lead elsewhere, links, two entries of a name, entries that
    /// lie over each other or unfold to far more than they are, and more of anything than [`Limits`] allow.
    pub fn open(mut source: R, limits: Limits) -> Result<Wacz<R>, Error> {
        let entries = zip::read(&mut source, &limits)?;
        let by_name =
            entries.iter().enumerate().map(|(number, entry)| (entry.name().to_owned(), number)).collect();
        Ok(Wacz { source, entries, by_name, limits })
    }

    /// Every entry, in the order of the directory.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// The archive files: what lies in `archive/`, but for packages.
    pub fn archives(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_in("archive") && !is_package(entry))
    }

    /// The indexes: what lies in `indexes/`.
    pub fn indexes(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_in("indexes"))
    }

    /// The lists of pages: what lies in `pages/`.
    pub fn page_lists(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_in("pages") && entry.name().ends_with(".jsonl"))
    }

    /// Packages inside this one, wherever they lie.
    pub fn packages(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| is_package(entry))
    }

    /// What an entry holds, unpacked, and checked while it is read.
    ///
    /// # Errors
    /// When it is packed by a method that is not read, or its own header is not there.
    pub fn content(&mut self, entry: &Entry) -> Result<Content<&mut R>, Error> {
        zip::open(&mut self.source, entry)
    }

    /// Where in the source the bytes of an entry lie, if it is stored as it is.
    ///
    /// # Errors
    /// When it is packed, or its own header is not there.
    pub fn span(&mut self, entry: &Entry) -> Result<Span, Error> {
        zip::span(&mut self.source, entry)
    }

    /// A stored entry as a source of its own, to be read from any byte on. Its checksum is not looked at.
    ///
    /// # Errors
    /// As [`Wacz::span`].
    pub fn window(&mut self, entry: &Entry) -> Result<Window<&mut R>, Error> {
        let span = self.span(entry)?;
        Window::new(&mut self.source, span).map_err(Error::Read)
    }

    /// A stored package inside this one.
    ///
    /// # Errors
    /// When it is packed, lies too deep, or is none.
    pub fn nested(&mut self, entry: &Entry) -> Result<Wacz<Window<&mut R>>, Error> {
        let nesting = self.limits.nesting.checked_sub(1).ok_or(Error::TooDeep)?;
        let limits = Limits { nesting, ..self.limits };
        Wacz::open(self.window(entry)?, limits)
    }

    /// The manifest.
    ///
    /// # Errors
    /// When there is none, or it cannot be understood.
    pub fn manifest(&mut self) -> Result<Manifest, Error> {
        Manifest::parse(&self.whole(MANIFEST_PATH)?)
    }

    /// The file that vouches for the manifest; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be understood.
    pub fn digest_file(&mut self) -> Result<Option<DigestFile>, Error> {
        if self.entry(DIGEST_PATH).is_none() {
            return Ok(None);
        }
        DigestFile::parse(&self.whole(DIGEST_PATH)?).map(Some)
    }

    /// The pages of a list.
    ///
    /// # Errors
    /// As [`Wacz::content`].
    pub fn pages(&mut self, entry: &Entry) -> Result<PageReader<BufReader<Content<&mut R>>>, Error> {
        let limits = self.limits;
        Ok(PageReader::new(BufReader::new(self.content(entry)?), entry.name(), &limits))
    }

    /// The captures of an index, plain or packed; of a ZipNum index that is its data, not its `.idx`.
    ///
    /// # Errors
    /// As [`Wacz::content`].
    pub fn index(&mut self, entry: &Entry) -> Result<IndexReader<'_>, Error> {
        let limits = self.limits;
        Ok(IndexReader::new(self.content(entry)?, entry.name(), entry.bytes(), &limits))
    }

    /// A small entry, whole.
    pub(crate) fn whole(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        let entry = self.entry(name).cloned().ok_or_else(|| Error::Missing(name.to_owned()))?;
        let limit = self.limits.manifest_bytes;
        if entry.bytes() > limit {
            return Err(Error::Limit { what: "bytes of a manifest", found: entry.bytes(), limit });
        }
        let mut bytes = Vec::new();
        self.content(&entry)?.read_to_end(&mut bytes).map_err(Error::from_io)?;
        Ok(bytes)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }
}

fn is_package(entry: &Entry) -> bool {
    entry.name().to_ascii_lowercase().ends_with(".wacz")
}
