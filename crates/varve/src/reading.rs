//! Reads WARC and ARC files for the verbs: files and standard input, on all cores, with a progress bar.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use warc::parallel::{self, Emit, Section};
use warc::{Fault, Limits, Options};

use crate::hint::WithHint as _;
use crate::input::Input;
use crate::jobs::Jobs;
use crate::progress::Progress;
use crate::report;
use crate::session::Session;

/// The options of every verb that reads archive files.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Go on after damage: report it, find the next record, and exit 1 at the end
    #[arg(long)]
    lenient: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

impl Reading {
    /// How the library is to read.
    pub(crate) fn options(self) -> Options {
        Options { lenient: self.lenient, verify: false, limits: Limits::default() }
    }
}

/// A file that is being read, or standard input.
pub(crate) struct ArchiveFile {
    path: PathBuf,
    /// As the user wrote it; `-` for standard input.
    pub(crate) name: String,
    length: Option<u64>,
    /// Several workers may read it at once, each a section.
    is_divided: bool,
    progress: Progress,
}

impl ArchiveFile {
    /// A record of this file cannot be read: the error, with its place and the way out.
    pub(crate) fn failure(&self, error: warc::Error) -> anyhow::Error {
        let Some(fault) = error.fault() else {
            return anyhow::Error::new(error).context(format!("cannot read `{}`", self.name));
        };
        let what = anyhow!("{}: {fault}", self.name);
        let way_out = match fault.kind {
            warc::FaultKind::UnknownFormat => "is it a WARC or ARC file at all? `file` may tell what it is",
            _ => {
                "`--lenient` goes on after damage; `varve warc repair` writes what is readable to a new file"
            }
        };
        match Err::<(), _>(what).hint(way_out) {
            Err(error) => error,
            Ok(()) => anyhow!("unreadable"),
        }
    }
}

/// Reads the bytes and moves the bar.
pub(crate) struct Counted {
    source: Box<dyn Read + Send>,
    progress: Progress,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.progress.inc(count as u64);
        Ok(count)
    }
}

impl parallel::Source for ArchiveFile {
    type Reader = Counted;

    fn length(&self) -> u64 {
        // What cannot be measured cannot be sought in either: nothing is read but from its start.
        self.length.filter(|_| self.is_divided).unwrap_or(0)
    }

    fn open_at(&self, offset: u64) -> io::Result<Counted> {
        let source: Box<dyn Read + Send> = if self.path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            let mut file = File::open(&self.path)?;
            if offset > 0 {
                file.seek(SeekFrom::Start(offset))?;
            }
            Box::new(file)
        };
        Ok(Counted { source, progress: self.progress.clone() })
    }
}

/// What became of reading some files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// A file could not be opened, or not be read to its end.
    pub(crate) failed: bool,
    /// A lenient reader met damage.
    pub(crate) damaged: bool,
}

impl Outcome {
    /// Whether all that was asked for could be read.
    pub(crate) fn is_sound(self) -> bool {
        !self.failed && !self.damaged
    }
}

/// Reads files on all cores. `work` turns the records of a section into messages, `emit` prints them here, in order.
///
/// A file that cannot be opened or read is told on standard error; the others are read all the same.
pub(crate) fn read<T: Send>(
    session: &mut Session,
    paths: &[PathBuf],
    options: Options,
    jobs: Jobs,
    work: impl Fn(&ArchiveFile, &mut Section<Counted>, &mut Emit<'_, T>) -> Result<(), warc::Error> + Sync,
    emit: impl FnMut(&mut Session, &ArchiveFile, T) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    read_files(session, (paths, true), options, jobs, work, emit)
}

/// As [`read`], but each file is one section, for work in which a record depends on the one before it. Several files are
/// still read at once.
pub(crate) fn read_undivided<T: Send>(
    session: &mut Session,
    paths: &[PathBuf],
    options: Options,
    jobs: Jobs,
    work: impl Fn(&ArchiveFile, &mut Section<Counted>, &mut Emit<'_, T>) -> Result<(), warc::Error> + Sync,
    emit: impl FnMut(&mut Session, &ArchiveFile, T) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    read_files(session, (paths, false), options, jobs, work, emit)
}

fn read_files<T: Send>(
    session: &mut Session,
    (paths, is_divided): (&[PathBuf], bool),
    options: Options,
    jobs: Jobs,
    work: impl Fn(&ArchiveFile, &mut Section<Counted>, &mut Emit<'_, T>) -> Result<(), warc::Error> + Sync,
    mut emit: impl FnMut(&mut Session, &ArchiveFile, T) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut files = Vec::new();
    let mut total = Some(0);
    for path in paths {
        match Input::open(path) {
            Ok(input) => {
                total = total.zip(input.size_bytes).map(|(sum, length)| sum + length);
                files.push((path.clone(), input.name.clone(), input.size_bytes));
            }
            Err(error) => {
                report::failure(&session.talk, &error);
                outcome.failed = true;
            }
        }
    }
    let progress = Progress::bytes(&session.talk, "reading", total);
    let files: Vec<ArchiveFile> = files
        .into_iter()
        .map(|(path, name, length)| ArchiveFile {
            path,
            name,
            length,
            is_divided,
            progress: progress.clone(),
        })
        .collect();
    let numbered =
        |number: usize, section: &mut Section<Counted>, emit: &mut Emit<'_, T>| match files.get(number) {
            Some(file) => work(file, section, emit),
            None => Ok(()),
        };
    let mut stopped = Ok(());
    parallel::read_files(&files, options, jobs.count(), numbered, |number, value| {
        let Some(file) = files.get(number) else { return true };
        match value {
            Ok(value) => match emit(session, file, value) {
                Ok(()) => true,
                Err(error) => {
                    stopped = Err(error);
                    false
                }
            },
            Err(error) => {
                outcome.failed = true;
                // What was found before comes before the complaint.
                let _ = session.out.finish();
                report::failure(&session.talk, &file.failure(error));
                true
            }
        }
    });
    progress.finish();
    stopped.map(|()| outcome)
}

/// Tells faults as warnings; whether any of them is damage.
pub(crate) fn warn(session: &Session, file: &ArchiveFile, faults: &[Fault]) -> bool {
    for fault in faults {
        session.talk.warning(&format!("{}: {fault}", file.name));
    }
    faults.iter().any(|fault| fault.kind.severity() == warc::Severity::Damage)
}

/// The file's name without its folders, as indexes have it.
pub(crate) fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}
