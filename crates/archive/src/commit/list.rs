//! The files of a commit that has begun: a version, then a checksum and a name a line. Where a file was not read before, `-` stands for
//! its checksum. Version 1 had names alone.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use store::Digested;

use crate::about::About;
use crate::disk::OnDisk;
use crate::error::Error;
use crate::job::JobFolder;

const VERSION: &str = "varve-commit 2";
const VERSION_1: &str = "varve-commit 1";

/// Bytes of the list that are believed: some hundred thousand files.
const LIST_BYTES_MAX: u64 = 1 << 26;

/// A file that is to be sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its name in the job's folder.
    pub name: String,
    /// What it had when it was checked, if it was: SHA-256 in lower-case hex.
    sha256: Option<String>,
}

impl ListedFile {
    /// Of a file that is written and brought to the disk by ourselves.
    pub(crate) fn new(name: String) -> ListedFile {
        ListedFile { name, sha256: None }
    }

    /// Of a file that was read and has this checksum.
    #[must_use]
    pub fn checked(name: String, sha256: String) -> ListedFile {
        ListedFile { name, sha256: Some(sha256) }
    }

    /// What is known of it now: it is read, if it must be compared and was not read yet.
    pub(super) fn digested(
        &self,
        folder: &JobFolder,
        known: Option<Digested>,
    ) -> Result<Option<Digested>, Error> {
        let Some(_) = &self.sha256 else { return Ok(known) };
        let path = folder.path().join(&self.name);
        let found = match known {
            // It may have been sealed already.
            None if !path.exists() => return Ok(None),
            None => Digested::of(&path)?,
            Some(known) => known,
        };
        self.compare(folder, found.sha256())?;
        Ok(Some(found))
    }

    /// Whether it is still what was checked.
    pub(super) fn compare(&self, folder: &JobFolder, found: &str) -> Result<(), Error> {
        match &self.sha256 {
            Some(expected) if expected != found => {
                Err(Error::Changed { path: folder.path().join(&self.name) })
            }
            _ => Ok(()),
        }
    }
}

/// Names the files, in one step.
pub(super) fn write(folder: &JobFolder, about: &About, files: &[ListedFile]) -> Result<(), Error> {
    let (path, fresh) = (folder.commit(), folder.path().join("commit.new"));
    let mut text = format!("{VERSION}\n");
    for ListedFile { name, sha256 } in files {
        text.push_str(&format!("{} {name}\n", sha256.as_deref().unwrap_or("-")));
    }
    let written = || {
        let mut list = OnDisk { file: File::create(&fresh)?, disk: Arc::clone(&about.disk) };
        list.write_all(text.as_bytes())?;
        warc::Durable::sync(&mut list)
    };
    written().map_err(Error::write(&fresh))?;
    // What it names must be there under its name, whatever happens.
    folder.sync()?;
    about.disk.rename(&fresh, &path).map_err(Error::write(&path))?;
    folder.sync()
}

/// The files that are named.
pub(super) fn read(folder: &JobFolder) -> Result<Vec<ListedFile>, Error> {
    let path = folder.commit();
    let file = File::open(&path).map_err(Error::read(&path))?.take(LIST_BYTES_MAX);
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().transpose().map_err(Error::read(&path))?;
    let unknown = || {
        let source = std::io::Error::other("not a list of files that this version understands");
        Error::Read { path: path.clone(), source }
    };
    let parse = match first.as_deref() {
        Some(VERSION) => parse,
        Some(VERSION_1) => |line: &str| Some(ListedFile::new(line.to_owned())),
        _ => return Err(unknown()),
    };
    lines
        .map(|line| parse(&line.map_err(Error::read(&path))?).ok_or_else(unknown))
        .collect::<Result<_, Error>>()
}

fn parse(line: &str) -> Option<ListedFile> {
    let (sha256, name) = line.split_once(' ')?;
    Some(ListedFile { name: name.to_owned(), sha256: Some(sha256.to_owned()).filter(|sha256| sha256 != "-") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_both_versions_are_read() {
        let above = tempfile::tempdir().unwrap();
        let folder = JobFolder::of(above.path(), "job");
        std::fs::create_dir_all(folder.path()).unwrap();
        let check = |text: &str, expect: &[(&str, Option<&str>)]| {
            std::fs::write(folder.commit(), text).unwrap();
            let expect: Vec<ListedFile> = expect
                .iter()
                .map(|(name, sha256)| ListedFile {
                    name: (*name).to_owned(),
                    sha256: sha256.map(str::to_owned),
                })
                .collect();
            assert_eq!(read(&folder).unwrap(), expect, "{text}");
        };
        check("varve-commit 1\na.warc\nb.warc\n", &[("a.warc", None), ("b.warc", None)]);
        check("varve-commit 2\nc0ffee a.warc\n- b.warc\n", &[("a.warc", Some("c0ffee")), ("b.warc", None)]);
        for text in ["", "varve-commit 3\n", "varve-commit 2\na.warc\n"] {
            std::fs::write(folder.commit(), text).unwrap();
            assert!(read(&folder).is_err(), "{text}");
        }
    }
}
