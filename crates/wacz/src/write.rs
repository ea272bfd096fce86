//! Writes a package of version 1.1.1: archive files, indexes, lists of pages, and at the end the manifest.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Seek, Write};
use std::rc::Rc;

use cdx::zipnum;
use jiff::Timestamp;

use crate::digest::{Algorithm, DigestFile, Hasher};
use crate::error::Error;
use crate::limits::Limits;
use crate::manifest::{DIGEST_PATH, MANIFEST_PATH, MainPage, Manifest, Resource};
use crate::zip::{Method, ZipWriter};

/// The version that is written.
const VERSION: &str = "1.1.1";
/// Where the index lies.
const PLAIN: &str = "indexes/index.cdxj";
const PACKED: &str = "indexes/index.cdx.gz";
const PACKED_NAME: &str = "index.cdx.gz";
const OVER_PACKED: &str = "indexes/index.idx";

/// What a package says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// What the collection is called.
    pub title: Option<String>,
    /// More about it, in Markdown.
    pub description: Option<String>,
    /// What made it.
    pub software: Option<String>,
    /// Where to begin to look.
    pub main_page: Option<(String, Timestamp)>,
}

/// How the index is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IndexForm {
    /// Packed in blocks, with an index over them: a reader far away fetches only what it needs.
    #[default]
    ZipNum,
    /// Lines of text.
    Cdxj,
}

/// A package that is being written, in constant memory. What is written goes to the entry that was begun last.
///
/// The order is the caller's; usually archive files come first, because only then index and pages are known.
#[derive(Debug)]
pub struct Writer<W> {
    zip: ZipWriter<W>,
    created: Timestamp,
    path: String,
    hasher: Hasher,
    resources: Vec<Resource>,
    /// Names of resources must differ.
    names: BTreeSet<String>,
    paths: BTreeSet<String>,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a package that is made at this time.
    pub fn new(sink: W, created: Timestamp) -> Writer<W> {
        Writer {
            zip: ZipWriter::new(sink, created),
            created,
            path: String::new(),
            hasher: Hasher::new(Algorithm::Sha256),
            resources: Vec::new(),
            names: BTreeSet::new(),
            paths: BTreeSet::new(),
        }
    }

    /// Begins an archive file: `archive/<name>`, stored as it comes, so that a range of the package is a range of it.
    ///
    /// # Errors
    /// When the name is none, or there is such a file; when the entry before cannot be ended.
    pub fn begin_archive(&mut self, name: &str) -> Result<(), Error> {
        self.begin(&format!("archive/{name}"), Method::Stored)
    }

    /// Begins any other file.
    ///
    /// # Errors
    /// As [`Writer::begin_archive`].
    pub fn begin(&mut self, path: &str, method: Method) -> Result<(), Error> {
        self.end()?;
        crate::zip::checked_path(path, &Limits::default())?;
        if path == MANIFEST_PATH || path == DIGEST_PATH || !self.paths.insert(path.to_owned()) {
            return Err(Error::Duplicate(path.to_owned()));
        }
        self.zip.begin(path, method)?;
        path.clone_into(&mut self.path);
        self.hasher = Hasher::new(Algorithm::Sha256);
        Ok(())
    }

    /// Ends the file that is open, if one is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self) -> Result<(), Error> {
        if !self.zip.is_open() {
            return Ok(());
        }
        let bytes = self.zip.end()?;
        let hasher = std::mem::replace(&mut self.hasher, Hasher::new(Algorithm::Sha256));
        let path = std::mem::take(&mut self.path);
        let base = path.rsplit('/').next().unwrap_or_default();
        let name = if self.names.insert(base.to_owned()) { base.to_owned() } else { path.replace('/', "-") };
        self.names.insert(name.clone());
        let checksum = Some(hasher.finish());
        self.resources.push(Resource { name: Some(name), path, hash: None, checksum, bytes: Some(bytes) });
        Ok(())
    }

    /// Writes the index. `next` puts a line, without its end, into the buffer, or says that there is none; lines come sorted.
    ///
    /// # Errors
    /// When lines are not sorted, cannot be had, or cannot be written.
    pub fn index(
        &mut self,
        form: IndexForm,
        mut next: impl FnMut(&mut Vec<u8>) -> Result<bool, cdx::Error>,
    ) -> Result<(), Error> {
        let mut line = Vec::new();
        if form == IndexForm::Cdxj {
            let failed = |source| Error::Index { entry: PLAIN.to_owned(), source };
            self.begin(PLAIN, Method::Deflated)?;
            while next(&mut line).map_err(failed)? {
                line.push(b'\n');
                self.push(&line)?;
                line.clear();
            }
            return self.end();
        }
        let failed = |source| Error::Index { entry: PACKED.to_owned(), source };
        self.begin(PACKED, Method::Stored)?;
        let over = Rc::new(RefCell::new(Over::default()));
        let data = Blocks { sink: self, over: Rc::clone(&over) };
        let entries = Entries { over: Rc::clone(&over) };
        let mut writer = zipnum::Writer::new(data, entries, PACKED_NAME, zipnum::Settings::default());
        while next(&mut line).map_err(failed)? {
            writer.push(&line).map_err(failed)?;
            line.clear();
        }
        writer.finish().map_err(failed)?;
        let text = std::mem::take(&mut over.borrow_mut().text);
        self.begin(OVER_PACKED, Method::Deflated)?;
        let head = format!("!meta 0 {{\"format\":\"cdxj-gzip-1.0\",\"filename\":\"{PACKED_NAME}\"}}\n");
        self.push(head.as_bytes())?;
        self.push(&text)?;
        self.end()
    }

    /// Writes the manifest and what vouches for it, and gives the sink back.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn finish(mut self, about: &About) -> Result<W, Error> {
        self.end()?;
        let created = urlkey::time::to_warc_date(self.created);
        let main_page = about
            .main_page
            .as_ref()
            .map(|(url, at)| MainPage { url: url.clone(), date: Some(urlkey::time::to_warc_date(*at)) });
        let manifest = Manifest {
            version: Some(VERSION.to_owned()),
            resources: std::mem::take(&mut self.resources),
            title: about.title.clone(),
            description: about.description.clone(),
            created: Some(created.clone()),
            modified: Some(created),
            software: about.software.clone(),
            main_page,
            ..Manifest::default()
        };
        let manifest = manifest.to_json();
        for (path, bytes) in [(MANIFEST_PATH, &manifest), (DIGEST_PATH, &DigestFile::of(&manifest).to_json())]
        {
            self.zip.begin(path, Method::Deflated)?;
            self.zip.push(bytes)?;
            self.zip.end()?;
        }
        self.zip.finish()
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.zip.push(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }
}

/// To the file that is open.
impl<W: Write + Seek> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.push(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(Error::Write(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is known of blocks while they are written: the digest of the last, and a line for each.
#[derive(Debug, Default)]
struct Over {
    digest: String,
    text: Vec<u8>,
}

/// Where blocks go: each comes in one piece.
struct Blocks<'a, W> {
    sink: &'a mut Writer<W>,
    over: Rc<RefCell<Over>>,
}

impl<W: Write + Seek> Write for Blocks<'_, W> {
    fn write(&mut self, block: &[u8]) -> io::Result<usize> {
        self.over.borrow_mut().digest = crate::digest::Checksum::of(Algorithm::Sha256, block).to_string();
        self.sink.write_all(block)?;
        Ok(block.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where the lines about blocks go: each is written anew as WACZ has it.
struct Entries {
    over: Rc<RefCell<Over>>,
}

impl Write for Entries {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let entry = zipnum::Entry::parse(line.trim_ascii_end(), None, &cdx::Limits::default());
        let entry = entry.map_err(io::Error::other)?;
        let mut over = self.over.borrow_mut();
        let (begins, offset, length) = (&entry.begins, entry.offset, entry.length);
        let about = serde_json::json!({
            "offset": offset, "length": length, "digest": over.digest, "filename": PACKED_NAME,
        });
        over.text.extend_from_slice(format!("{begins} {about}\n").as_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
