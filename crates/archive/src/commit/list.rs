//! The files of a commit that has begun: a version, then a name a line.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use crate::about::About;
use crate::disk::OnDisk;
use crate::error::Error;
use crate::job::Folder;

const VERSION: &str = "varve-commit 1";

/// Bytes of the list that are believed: some hundred thousand files.
const LIST_BYTES_MAX: u64 = 1 << 26;

/// Names the files, in one step.
pub(super) fn write(folder: &Folder, about: &About, files: &[String]) -> Result<(), Error> {
    let (path, fresh) = (folder.commit(), folder.path().join("commit.new"));
    let mut text = format!("{VERSION}\n");
    for file in files {
        text.push_str(file);
        text.push('\n');
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

/// The names of the files.
pub(super) fn read(folder: &Folder) -> Result<Vec<String>, Error> {
    let path = folder.commit();
    let file = File::open(&path).map_err(Error::read(&path))?.take(LIST_BYTES_MAX);
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().transpose().map_err(Error::read(&path))?;
    if first.as_deref() != Some(VERSION) {
        let source = std::io::Error::other("not a list of files that this version understands");
        return Err(Error::Read { path, source });
    }
    lines.collect::<Result<_, _>>().map_err(Error::read(&path))
}
