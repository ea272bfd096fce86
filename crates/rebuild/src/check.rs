//! One file, read once: compared with its checksum, and looked through for its lines where nothing else has them.

use std::cell::Cell;
use std::error::Error as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use archive::Error;
use archive::job_files::JobFile;
use archive::job_files::check_file;
use store::{REFERENCE_ENDING, Verdict};
use warc::{Limits, Options, Reader, Severity};

use crate::places::Places;
use crate::report::{Kind, Problem};

const BUFFER_BYTES: usize = 256 << 10;

/// A file that was looked at.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) problem: Option<Problem>,
    /// Where the records begin whose captures can be had; `None` where all can.
    pub(crate) sound: Option<Vec<u64>>,
}

/// What a file was found to be.
enum Found {
    /// It has this SHA-256.
    Sum(String),
    Absent,
    /// It lies elsewhere, and is not there now.
    Away(PathBuf),
    /// It could not be read to its end, or is not what it was.
    Broken(String),
}

impl Places<'_> {
    /// Looks at a file; with a path, its lines are written there.
    pub(crate) fn check(
        &self,
        kept: &JobFile,
        lines: Option<&Path>,
        tell: &dyn Fn(u64),
    ) -> Result<Checked, Error> {
        let told = Cell::new(0);
        let tell_once = |count: u64| {
            told.set(told.get() + count);
            tell(count);
        };
        let found = self.find(kept, lines, &tell_once)?;
        // So that all files come to the sum that was announced, also those that break off.
        tell(kept.bytes.saturating_sub(told.get()));
        let mut checked = Checked { name: kept.name.clone(), bytes: kept.bytes, problem: None, sound: None };
        let (kind, message) = match (found, &kept.sha256) {
            (Found::Sum(found), Some(expected)) if found == *expected => return Ok(checked),
            (Found::Sum(found), Some(expected)) => {
                (Kind::Damaged, format!("its checksum is {found} instead of {expected}"))
            }
            (Found::Sum(_), None) => {
                (Kind::Unlisted, "nothing says which checksum it should have".to_owned())
            }
            (Found::Absent, _) => (Kind::Missing, "it is not there".to_owned()),
            (Found::Away(path), _) => (Kind::Away, format!("it should lie at {}", path.display())),
            (Found::Broken(why), _) => (Kind::Damaged, why),
        };
        if let Some(number) = self.find_elsewhere(kept, lines)? {
            let message = format!("{message}; replica {number} has it as it was");
            checked.problem = Some(Problem::of_file(Kind::Repairable, &kept.name, message));
            return Ok(checked);
        }
        checked.sound = match kind {
            Kind::Away => None,
            Kind::Missing => Some(Vec::new()),
            _ => Some(self.sound_records(&kept.name)?),
        };
        checked.problem = Some(Problem::of_file(kind, &kept.name, message));
        Ok(checked)
    }

    fn find(&self, kept: &JobFile, lines: Option<&Path>, tell: &dyn Fn(u64)) -> Result<Found, Error> {
        if !kept.is_there {
            return Ok(Found::Absent);
        }
        let source = match self.here(&kept.name, 0) {
            Ok(source) => source,
            Err(error) => {
                let away = kept.reference.as_ref().map(|reference| reference.path().to_owned());
                return Ok(match away.filter(|path| !path.exists()) {
                    Some(path) => Found::Away(path),
                    None => Found::Broken(told(&error)),
                });
            }
        };
        // The note of where it lies is only worth something if it is what was sealed.
        if kept.reference.is_some() {
            let note = self.store.verify(&format!("{}{REFERENCE_ENDING}", kept.name));
            if !matches!(note, Ok(Verdict::Sound)) {
                return Ok(Found::Broken("the note of where it lies is not what was sealed".to_owned()));
            }
        }
        self.read(kept, source, lines, tell)
    }

    /// The number of a replica that has it as it was.
    fn find_elsewhere(&self, kept: &JobFile, lines: Option<&Path>) -> Result<Option<usize>, Error> {
        for (number, source) in self.elsewhere(kept) {
            match self.read(kept, source, lines, &|_| {})? {
                Found::Sum(found) if kept.sha256.as_ref() == Some(&found) => return Ok(Some(number)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Reads a file to its end, once.
    fn read(
        &self,
        kept: &JobFile,
        source: impl Read,
        lines: Option<&Path>,
        tell: &dyn Fn(u64),
    ) -> Result<Found, Error> {
        let mut source = self.hashing(source, tell);
        let broken = |why: String| self.stop.check().map(|()| Found::Broken(why));
        if let Some(path) = lines {
            let job = kept.name.split('/').next().unwrap_or_default();
            let mut out = BufWriter::new(File::create(path).map_err(Error::write(path))?);
            let buffered = BufReader::with_capacity(BUFFER_BYTES, &mut source);
            match check_file(buffered, (&kept.name, job), &mut out) {
                Ok(_) => {}
                Err(error @ (Error::Full { .. } | Error::Write { .. })) => return Err(error),
                Err(error) => return broken(told(&error)),
            }
            out.flush().map_err(Error::write(path))?;
        }
        match source.finish() {
            Ok(sum) => Ok(Found::Sum(sum)),
            Err(error) => broken(error.to_string()),
        }
    }

    /// Where the sound records of a file begin, ascending.
    pub(crate) fn sound_records(&self, name: &str) -> Result<Vec<u64>, Error> {
        let mut sound = Vec::new();
        let Ok(source) = self.here(name, 0) else { return Ok(sound) };
        let source = BufReader::with_capacity(BUFFER_BYTES, self.hashing(source, &|_| {}));
        let options = Options { lenient: true, verify: true, limits: Limits::default() };
        let Ok(mut reader) = Reader::new(source, options) else { return Ok(sound) };
        while let Ok(Some(record)) = reader.next_record() {
            let offset = record.offset();
            let Ok((_, faults)) = record.finish_with_faults() else { break };
            // Faults of what lies before a record come with it, too.
            let is_bad = faults
                .iter()
                .any(|fault| fault.kind.severity() == Severity::Damage && fault.offset >= offset);
            if !is_bad {
                sound.push(offset);
            }
        }
        self.stop.check()?;
        Ok(sound)
    }
}

/// An error with its cause.
pub(crate) fn told(error: &Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
