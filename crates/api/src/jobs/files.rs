//! The files of a job: settings, seeds, logs and reports, be it at work or long in the archive (B8, D9).

use std::io::Read;
use std::path::Path;

use archive::Archive;

use super::commits::Known;
use crate::error::Error;

/// Where the files of a job at work lie.
const FOLDERS: [&str; 3] = ["logs", "reports", "."];

/// The names of a job's files.
///
/// # Errors
/// When there is no such job, or its files cannot be read.
pub fn files(archive: &Archive, job: &str) -> Result<Vec<String>, Error> {
    let folder = archive.work().join(plain(job)?);
    if !is_folder(&folder) {
        known(archive, job)?;
        let notes = archive.notes(job)?;
        let names = notes.iter().filter_map(|note| note.rsplit('/').next());
        return Ok(names.map(str::to_owned).collect());
    }
    let mut names = Vec::new();
    for inside in FOLDERS.iter().filter(|inside| is_folder(&folder.join(inside))) {
        let entries = folder.join(inside).read_dir().into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        names.extend(files.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    }
    names.retain(|name| name.contains('.'));
    names.sort();
    Ok(names)
}

/// One of them.
///
/// # Errors
/// When there is no such job or file, or it cannot be read.
pub fn open(archive: &Archive, job: &str, file: &str) -> Result<Box<dyn Read + Send>, Error> {
    let folder = archive.work().join(plain(job)?);
    let is_plain = !file.contains(['/', '\\']) && file != "..";
    if is_folder(&folder) && is_plain {
        for inside in FOLDERS.iter().filter(|inside| is_folder(&folder.join(inside))) {
            if let Ok(found) = private::read(&folder.join(inside).join(file)) {
                return Ok(Box::new(found));
            }
        }
    } else if let Some(found) = archive.note(job, file)? {
        return Ok(found);
    }
    if !is_folder(&folder) {
        known(archive, job)?;
    }
    Err(Error::NoSuchFile { job: job.to_owned(), file: file.to_owned() })
}

/// The newest of all jobs, at work or committed.
///
/// # Errors
/// When the archive cannot be read.
pub fn newest(archive: &Archive) -> Result<Option<String>, Error> {
    let at_work = job::list(&archive.work())?.into_iter().map(|job| (job.started, job.name));
    let committed = Known::all(archive)?.into_iter().map(|known| (known.commit.at, known.commit.name));
    Ok(at_work.chain(committed).max().map(|(_, name)| name))
}

/// The start of a file as text; `None` if there is none.
pub(super) fn text(archive: &Archive, job: &str, file: &str, bytes_max: u64) -> Option<String> {
    let mut bytes = Vec::new();
    open(archive, job, file).ok()?.take(bytes_max).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether it is a folder and no link to one: somebody else may have put that there.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|facts| facts.is_dir())
}

/// A name that stays in the folder it is put behind.
pub(super) fn plain(job: &str) -> Result<&str, Error> {
    let is_plain = !job.is_empty() && !job.starts_with('.') && !job.contains(['/', '\\', '\0']);
    // Folders that are not jobs' own.
    let is_own = matches!(job, "domains" | "removed");
    if is_plain && !is_own { Ok(job) } else { Err(no_such(job)) }
}

/// Whether a job of this name is committed.
fn known(archive: &Archive, job: &str) -> Result<(), Error> {
    if Known::find(archive, job)?.is_some() { Ok(()) } else { Err(no_such(job)) }
}

pub(super) fn no_such(job: &str) -> Error {
    Error::NoSuchJob(job.to_owned())
}
