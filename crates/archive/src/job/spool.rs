//! A job's WARC files, one after another, each with its `warcinfo` in front.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use warc::{Algorithm, Digest, Draft, Name, Press, RecordType, Version};

use super::folder::JobFolder;
use super::growing::Growing;
use crate::about::About;
use crate::error::Error;

/// What the block of a `warcinfo` names as the standard it follows.
const CONFORMS_TO: &str = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";

#[derive(Debug)]
pub(super) struct Spool {
    folder: JobFolder,
    about: Arc<About>,
    /// Number of the current file, or of the last there was.
    serial: u32,
    current: Option<Growing>,
    /// Files that are finished and may not be on the disk yet.
    unsynced: Vec<(PathBuf, File)>,
    /// A file was begun since the folder was last brought to the disk.
    is_new: bool,
}

impl Spool {
    pub(super) fn new(folder: JobFolder, about: Arc<About>) -> Spool {
        Spool { folder, about, serial: 0, current: None, unsynced: Vec::new(), is_new: true }
    }

    /// Goes back, or on, to where the files were: later ones are removed, the last is cut.
    pub(super) fn go_to(&mut self, serial: u32, length: u64) -> Result<(), Error> {
        if serial == self.serial
            && let Some(current) = &mut self.current
        {
            return current.cut(length);
        }
        self.current = None;
        self.folder.remove_files_behind(serial)?;
        self.unsynced.retain(|(path, _)| path.exists());
        self.serial = serial;
        if serial > 0 {
            self.current = Some(Growing::resume(self.folder.file(serial), length, &self.about.disk)?);
        }
        Ok(())
    }

    pub(super) fn serial(&self) -> u32 {
        self.serial
    }

    pub(super) fn len(&self) -> u64 {
        self.current.as_ref().map_or(0, Growing::len)
    }

    /// The file that the next so many bytes go to; a new one if they would make the current too long.
    pub(super) fn file_for(&mut self, bytes: u64, now: Timestamp) -> Result<&mut Growing, Error> {
        let is_full = |file: &Growing| file.len().saturating_add(bytes) > self.about.file_bytes_max;
        if self.current.as_ref().is_none_or(is_full) {
            self.begin_file(now)?;
        }
        // Always there: a file that could not be begun was an error.
        self.current.as_mut().ok_or(Error::Poisoned)
    }

    fn begin_file(&mut self, now: Timestamp) -> Result<(), Error> {
        if let Some(full) = self.current.take() {
            self.unsynced.push(full.into_file()?);
        }
        self.serial += 1;
        self.is_new = true;
        let mut file = Growing::create(self.folder.file(self.serial), &self.about.disk)?;
        file.push(&warcinfo(&self.about, self.folder.job(), &self.folder.file_name(self.serial), now)?)?;
        self.current = Some(file);
        Ok(())
    }

    pub(super) fn hand_over(&mut self) -> Result<(), Error> {
        self.current.as_mut().map_or(Ok(()), Growing::hand_over)
    }

    pub(super) fn sync(&mut self) -> Result<(), Error> {
        for (path, file) in &self.unsynced {
            self.about.disk.sync(file).map_err(Error::sync(path))?;
        }
        self.unsynced.clear();
        self.current.as_mut().map_or(Ok(()), Growing::sync)?;
        if self.is_new {
            self.folder.sync_with_those_above()?;
            self.is_new = false;
        }
        Ok(())
    }
}

/// The record that a file begins with.
pub(crate) fn warcinfo(about: &About, job: &str, file: &str, now: Timestamp) -> Result<Vec<u8>, Error> {
    let mut fields: Vec<(&str, &str)> =
        about.warcinfo.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let usual = [
        ("software", concat!("varve/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", CONFORMS_TO),
        ("isPartOf", job),
    ];
    for (name, value) in usual {
        if !fields.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
            fields.push((name, value));
        }
    }
    let block = warc::warcinfo_block(&fields);
    let draft = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &about.id(), now)
        .with(Name::Filename, file)
        .content_type("application/warc-fields")
        .block_digest(&Digest::of(Algorithm::Sha256, &block));
    let mut member = Vec::new();
    Press::default().pack(&draft, &block, about.gzip_level, &mut member)?;
    Ok(member)
}
