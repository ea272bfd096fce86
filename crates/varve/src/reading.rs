//! Reads WARC and ARC files for the verbs: files and standard input, on all cores, with a progress bar.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::anyhow;
use settings::Input;
use warc::parallel::{self, Emit, Section};
use warc::{Fault, Limits, Options};

use crate::hint::with_hint;
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
    /// Its place among the files that were named; a file named twice is two.
    pub(crate) number: usize,
    path: PathBuf,
    /// As the user wrote it; `-` for standard input.
    pub(crate) name: String,
    length: Option<u64>,
    /// What was opened, if it cannot be opened a second time: a pipe's bytes come once.
    once: Mutex<Option<Input>>,
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
        with_hint(what, way_out)
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
        let source: Box<dyn Read + Send> = if self.length.is_none() {
            let input = self.once.lock().ok().and_then(|mut once| once.take()).filter(|_| offset == 0);
            Box::new(input.ok_or_else(|| io::Error::other("what has been read of a pipe is gone"))?)
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
}

impl Outcome {
    /// Whether all that was asked for could be read.
    pub(crate) fn is_sound(self) -> bool {
        !self.failed
    }
}

/// What comes of a file: messages of the workers, and at last perhaps the reason why there are no more.
pub(crate) enum Found<'a, T> {
    Value(T),
    /// It could not be opened or read on. This has been told already.
    Failure(&'a anyhow::Error),
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
    read_files(session, (paths, true), options, jobs, work, values(emit))
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
    read_files(session, (paths, false), options, jobs, work, values(emit))
}

/// As [`read`], but `emit` also learns which files failed, for verbs that have something to say of every file.
pub(crate) fn read_all<T: Send>(
    session: &mut Session,
    paths: &[PathBuf],
    options: Options,
    jobs: Jobs,
    work: impl Fn(&ArchiveFile, &mut Section<Counted>, &mut Emit<'_, T>) -> Result<(), warc::Error> + Sync,
    emit: impl FnMut(&mut Session, &ArchiveFile, Found<'_, T>) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    read_files(session, (paths, true), options, jobs, work, emit)
}

/// Passes on the messages and leaves out the failures.
fn values<T>(
    mut emit: impl FnMut(&mut Session, &ArchiveFile, T) -> anyhow::Result<()>,
) -> impl FnMut(&mut Session, &ArchiveFile, Found<'_, T>) -> anyhow::Result<()> {
    move |session, file, found| match found {
        Found::Value(value) => emit(session, file, value),
        Found::Failure(_) => Ok(()),
    }
}

fn read_files<T: Send>(
    session: &mut Session,
    (paths, is_divided): (&[PathBuf], bool),
    options: Options,
    jobs: Jobs,
    work: impl Fn(&ArchiveFile, &mut Section<Counted>, &mut Emit<'_, T>) -> Result<(), warc::Error> + Sync,
    mut emit: impl FnMut(&mut Session, &ArchiveFile, Found<'_, T>) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let (opened, total) = open_all(paths);
    let progress = Progress::bytes(&session.talk, "reading", total);
    let mut outcome = Outcome::default();
    let mut files = Vec::new();
    for (number, (path, opened)) in paths.iter().zip(opened).enumerate() {
        let mut file = ArchiveFile {
            number,
            path: path.clone(),
            name: path.to_string_lossy().into_owned(),
            length: None,
            once: Mutex::new(None),
            is_divided,
            progress: progress.clone(),
        };
        match opened {
            Ok(input) => {
                file.length = input.size_bytes;
                file.once = Mutex::new(Some(input).filter(|input| input.size_bytes.is_none()));
                files.push(file);
            }
            Err(error) => {
                outcome.failed = true;
                report::failure(&session.talk, &error);
                emit(session, &file, Found::Failure(&error))?;
            }
        }
    }
    let numbered =
        |number: usize, section: &mut Section<Counted>, emit: &mut Emit<'_, T>| match files.get(number) {
            Some(file) => work(file, section, emit),
            None => Ok(()),
        };
    let mut stopped = Ok(());
    parallel::read_files(&files, options, jobs.count(), numbered, |number, value| {
        let Some(file) = files.get(number) else { return true };
        let emitted = match value {
            Ok(value) => emit(session, file, Found::Value(value)),
            Err(error) => {
                outcome.failed = true;
                let error = file.failure(error);
                // What was found before comes before the complaint.
                let _ = session.out.finish();
                report::failure(&session.talk, &error);
                emit(session, file, Found::Failure(&error))
            }
        };
        stopped = emitted;
        stopped.is_ok()
    });
    progress.finish();
    stopped.map(|()| outcome)
}

/// Opens every file, or says why not; and how long they are together, where that can be known.
fn open_all(paths: &[PathBuf]) -> (Vec<anyhow::Result<Input>>, Option<u64>) {
    let mut total = Some(0);
    let open = |path: &PathBuf| {
        let mut input = Input::open(path)?;
        total = total.zip(input.size_bytes).map(|(sum, length)| sum + length);
        // A file is opened again by each worker; so many at once may be more than the system allows.
        if input.size_bytes.is_some() {
            input.close();
        }
        Ok(input)
    };
    let opened = paths.iter().map(open).collect();
    (opened, total)
}

/// Tells faults as warnings; whether any of them is damage.
pub(crate) fn warn(session: &Session, file: &ArchiveFile, faults: &[Fault]) -> bool {
    warn_of(session, &file.name, faults)
}

/// The same for a file that is only known by its name.
pub(crate) fn warn_of(session: &Session, name: &str, faults: &[Fault]) -> bool {
    for fault in faults {
        session.talk.warning(&format!("{name}: {fault}"));
    }
    faults.iter().any(|fault| fault.kind.severity() == warc::Severity::Damage)
}

/// The file's name without its folders, as indexes have it.
pub(crate) fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}
