//! The files of a job as the store should have them: those with a recorded checksum, present or missing, and present files without one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use store::{REFERENCE_ENDING, Reference, Store};

use crate::error::Error;

const SUMS: &str = "SHA256SUMS";
/// Where the store keeps what was taken out.
const ASIDE: &str = ".aside";
const ENDINGS: [&str; 6] = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".arc.zst"];
/// Bytes of the list that are believed: some million files.
const SUMS_BYTES_MAX: u64 = 1 << 29;

/// A file of a job in the store.
#[derive(Debug, Clone)]
pub struct JobFile {
    /// `<job>/<file>`
    pub name: String,
    /// SHA-256 in lower-case hex, of the file itself; `None` where nothing says it.
    pub sha256: Option<String>,
    /// How long it is; 0 where it is not there.
    pub bytes: u64,
    /// Where it lies, if it lies elsewhere.
    pub reference: Option<Reference>,
    /// Whether the store has it, or the note of where it lies.
    pub is_there: bool,
}

impl JobFile {
    /// Whether it may have captures, by its name.
    #[must_use]
    pub fn is_archive(&self) -> bool {
        ENDINGS.iter().any(|ending| self.name.ends_with(ending))
    }

    /// Whether it holds what the job has left besides captures.
    #[must_use]
    pub fn is_metadata(&self) -> bool {
        self.name.ends_with("-metadata.warc.gz")
    }

    /// Whether a job with these files belongs in an index. Deposits were never indexed, nor files in the store that are no archive files.
    #[must_use]
    pub fn are_indexed(job: &str, files: &[JobFile]) -> bool {
        let has_captures = !store::is_deposit(job) && files.iter().any(JobFile::is_archive);
        files.iter().any(JobFile::is_metadata) || has_captures
    }
}

/// The files of a job in the store of this folder, in the order of their names. Malformed lines of the list of checksums are skipped.
///
/// # Errors
/// When the job's folder cannot be read.
pub fn job_files(store: &Store, folder: &Path, job: &str) -> Result<Vec<JobFile>, Error> {
    let own = folder.join(job);
    let mut names: BTreeMap<String, (Option<String>, Option<u64>)> = BTreeMap::new();
    for (sha256, name) in sums(&own.join(SUMS))? {
        names.entry(name).or_default().0 = Some(sha256);
    }
    for entry in fs::read_dir(&own).map_err(Error::read(&own))? {
        let entry = entry.map_err(Error::read(&own))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_kept = store::is_name(&name) && name != SUMS && !name.ends_with(".part");
        if let (true, Ok(facts)) = (is_kept, entry.metadata())
            && facts.is_file()
        {
            names.entry(name).or_default().1 = Some(facts.len());
        }
    }
    // A file that lies elsewhere may be in the list, too, since it was brought: it is one file, wherever it lies.
    let is_noted = |file: &str| {
        let note = names.get(&format!("{file}{REFERENCE_ENDING}"));
        note.is_some_and(|(_, bytes)| bytes.is_some())
    };
    let is_here = |stem: &str| names.get(stem).is_some_and(|(_, bytes)| bytes.is_some());
    let twice: Vec<String> = names
        .iter()
        .filter(|(file, (_, bytes))| match file.strip_suffix(REFERENCE_ENDING) {
            Some(stem) => is_here(stem),
            None => bytes.is_none() && is_noted(file),
        })
        .map(|(file, _)| file.clone())
        .collect();
    twice.iter().for_each(|file| drop(names.remove(file)));
    // Only what somebody has taken out on purpose lies aside as it should be: it is not missed.
    let is_taken_out = |file: &str, sha256: &Option<String>| {
        let aside = folder.join(ASIDE).join(job);
        sha256.as_ref().is_some_and(|sha256| aside.join(format!("{file}.{sha256}")).is_file())
    };
    names.retain(|file, (sha256, bytes)| bytes.is_some() || !is_taken_out(file, sha256));
    let mut files = Vec::with_capacity(names.len());
    for (file, (sha256, bytes)) in names {
        files.push(match file.strip_suffix(REFERENCE_ENDING) {
            Some(stem) => noted(store, format!("{job}/{stem}"), bytes.is_some()),
            None => JobFile {
                name: format!("{job}/{file}"),
                sha256,
                bytes: bytes.unwrap_or_default(),
                reference: None,
                is_there: bytes.is_some(),
            },
        });
    }
    Ok(files)
}

/// Whether a job of the store belongs in an index.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn is_indexed_job(store: &Store, folder: &Path, job: &str) -> Result<bool, Error> {
    Ok(JobFile::are_indexed(job, &job_files(store, folder, job)?))
}

/// A file that lies elsewhere, by the note of where.
fn noted(store: &Store, name: String, is_there: bool) -> JobFile {
    // A note that makes no sense leads nowhere.
    match store.reference(&name) {
        Ok(Some(found)) => JobFile {
            name,
            sha256: Some(found.sha256().to_owned()),
            bytes: found.bytes(),
            reference: Some(found),
            is_there,
        },
        _ => JobFile { name, sha256: None, bytes: 0, reference: None, is_there: false },
    }
}

/// Whole lines of a list that make sense, in their order.
fn sums(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(Error::read(path))?,
    };
    let mut found = Vec::new();
    let mut lines = BufReader::new(file.take(SUMS_BYTES_MAX));
    let mut line = Vec::new();
    loop {
        line.clear();
        lines.read_until(b'\n', &mut line).map_err(Error::read(path))?;
        let Some(whole) = line.strip_suffix(b"\n") else { return Ok(found) };
        let is_hex = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some((sha256, name)) = str::from_utf8(whole).ok().and_then(|whole| whole.split_once("  "))
            && is_hex(sha256)
            && store::is_name(name)
        {
            found.push((sha256.to_owned(), name.to_owned()));
        }
    }
}
