//! The checksums of a job's files: `SHA256SUMS`, as `sha256sum -c` reads it.
//!
//! Only ever appended to. A line that a crash has left half written has no line end: it is cut off before the next is written, and
//! nobody reads it before that.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::error::Error;
use crate::folder;

pub(crate) const FILE: &str = "SHA256SUMS";

/// Bytes of one line at most: a digest, two blanks, a name.
const LINE_BYTES_MAX: u64 = 400;

/// What the list says of one file: the last line of its name counts. A line that is damaged says nothing of any file.
pub(crate) fn find(folder: &Path, file: &str) -> Result<Option<String>, Error> {
    let mut found = None;
    each_whole(folder, |sha256, name| {
        if name == file {
            found = Some(sha256.to_owned());
        }
    })?;
    Ok(found)
}

/// The same of all files at once.
pub(crate) fn last_of_each(folder: &Path) -> Result<HashMap<String, String>, Error> {
    let mut found = HashMap::new();
    each_whole(folder, |sha256, name| {
        found.insert(name.to_owned(), sha256.to_owned());
    })?;
    Ok(found)
}

/// Hands on digest and name of every whole line. No list is an empty one; one with a damaged line is an error.
pub(crate) fn each(folder: &Path, sink: impl FnMut(&str, &str)) -> Result<(), Error> {
    match each_whole(folder, sink)? {
        Some(line) => Err(Error::Sums { path: folder.join(FILE), line }),
        None => Ok(()),
    }
}

/// The same of what is not damaged; says which line is the first that is.
pub(crate) fn each_whole(folder: &Path, mut sink: impl FnMut(&str, &str)) -> Result<Option<u64>, Error> {
    let path = folder.join(FILE);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(Error::read(&path))?,
    };
    let mut lines = BufReader::new(file);
    let (mut line, mut damaged) = (Vec::new(), None);
    // Of a line over the measure, which is none of ours, no piece counts.
    let mut is_within_long = false;
    let mut number = 1;
    loop {
        line.clear();
        lines.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(Error::read(&path))?;
        let Some(whole) = line.strip_suffix(b"\n") else {
            if (line.len() as u64) < LINE_BYTES_MAX {
                // A crash has cut it short, or there is none.
                return Ok(damaged);
            }
            damaged = damaged.or(Some(number));
            is_within_long = true;
            continue;
        };
        let parts = str::from_utf8(whole).ok().and_then(|whole| whole.split_once("  "));
        match parts.filter(|(sha256, _)| !is_within_long && is_sha256(sha256)) {
            Some((sha256, name)) => sink(sha256, name),
            None => damaged = damaged.or(Some(number)),
        }
        is_within_long = false;
        number += 1;
    }
}

/// Adds a line, and brings it to the disk.
pub(crate) fn append(job: &Path, file: &str, sha256: &str) -> Result<(), Error> {
    let path = job.join(FILE);
    let is_new = !path.exists();
    let (list, length) = write_line(&path, file, sha256).map_err(Error::write(&path))?;
    if let Err(error) = list.sync_all() {
        // The system takes it for written now; only writing it again brings it to the disk.
        let _ = list.set_len(length);
        return Err(Error::sync(&path)(error));
    }
    if is_new { folder::sync(job) } else { Ok(()) }
}

/// Brings the list to the disk, if there is one, and its name.
pub(crate) fn sync(job: &Path) -> Result<(), Error> {
    let path = job.join(FILE);
    match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        list => {
            list.map_err(Error::read(&path))?.sync_all().map_err(Error::sync(&path))?;
            folder::sync(job)
        }
    }
}

/// Writes a line: the list, and how long it was before.
fn write_line(path: &Path, file: &str, sha256: &str) -> io::Result<(File, u64)> {
    let mut list = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let length = whole_lines(&mut list)?;
    list.set_len(length)?;
    list.seek(SeekFrom::Start(length))?;
    let line = format!("{sha256}  {file}\n");
    if let Err(error) = list.write_all(line.as_bytes()) {
        // A full disk takes part of a line; it would be cut off later as well.
        let _ = list.set_len(length);
        return Err(error);
    }
    Ok((list, length))
}

/// Bytes up to the end of the last whole line.
fn whole_lines(list: &mut File) -> io::Result<u64> {
    let length = list.metadata()?.len();
    let from = length.saturating_sub(LINE_BYTES_MAX);
    list.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    list.take(LINE_BYTES_MAX).read_to_end(&mut tail)?;
    let kept = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1);
    Ok(from + kept)
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
