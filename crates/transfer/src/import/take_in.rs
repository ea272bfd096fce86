//! One file on its way in: read for its checksum, copied or noted, checked, its lines made; salvaged if that is wanted.

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::Error;
use archive::Stop;
use archive::disk::Disk;
use archive::job_files::ListedFile;
use archive::job_files::{FileCheck, check_file};
use archive::room::Standing;
use warc::{Algorithm, Compression, Hasher, Limits, Nature};

use super::Settings;
use super::item::Item;
use super::known::Known;
use super::pace::Pace;
use super::put::{Room, changed};
use super::report::{FileReport, Outcome};
use super::spool::{Part, Spool};

/// What a thread needs to know of the whole run.
pub(super) struct Run<'a> {
    pub(super) job: &'a str,
    /// Where files are put until the commit.
    pub(super) folder: &'a std::path::Path,
    pub(super) disk: &'a Arc<dyn Disk>,
    pub(super) settings: &'a Settings,
    pub(super) known: &'a Known,
    pub(super) read: &'a (dyn Fn(u64) + Sync),
    /// Bytes that are being copied right now, by all threads.
    pub(super) copied: &'a AtomicU64,
}

/// A file that was looked at.
pub(super) struct Taken {
    pub(super) report: FileReport,
    pub(super) kept: Kept,
}

/// What there is of it.
#[derive(Default)]
pub(super) struct Kept {
    /// The file to be sealed, in the job's folder.
    pub(super) file: Option<ListedFile>,
    /// Its lines.
    pub(super) lines: Option<Part>,
}

impl Run<'_> {
    /// Looks at a file, which is to be called this in the store.
    pub(super) fn take_in(&self, item: &Item, name: &str, spool: &mut Spool) -> Result<Taken, Error> {
        let mut report = FileReport::of(&item.name, item.bytes);
        let pace = Pace::new(item.bytes, self.read);
        match (Taking { run: self, item, spool, pace: &pace }).take_in(name, &mut report) {
            Ok(kept) => Ok(Taken { report, kept }),
            // That the disk is full, or another of ours fails, ends the run; what is wrong with one file does not.
            Err(error) if error.is_full() || !is_of_file(&error, item) => Err(error),
            Err(error) => {
                let why =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                report.outcome = Outcome::Failed(why);
                Ok(Taken { report, kept: Kept::default() })
            }
        }
    }
}

/// One file, and what it needs.
struct Taking<'a> {
    run: &'a Run<'a>,
    item: &'a Item,
    spool: &'a mut Spool,
    pace: &'a Pace<'a>,
}

impl Taking<'_> {
    fn take_in(&mut self, name: &str, report: &mut FileReport) -> Result<Kept, Error> {
        let (run, item) = (self.run, self.item);
        report.sha256 = self.sha256()?;
        if let Some(file) = run.known.here(&report.sha256) {
            report.outcome = Outcome::Known(file.to_owned());
            return Ok(Kept::default());
        }
        if let Some(why) = item.distrust.as_ref().filter(|_| !run.settings.salvage) {
            let message = format!("it is not what its package says: {why}");
            report.faults.push(warc::Fault::new(0, warc::FaultKind::BlockDigest, message));
            report.fault_count = 1;
            return Ok(Kept::default());
        }
        let name = self.true_name(name)?;
        if let Some(file) = run.known.elsewhere(&report.sha256) {
            let (looked, lines) = self.look_at_source(file, report)?;
            if !looked.is_damaged {
                report.outcome = Outcome::Indexed(file.to_owned());
                return Ok(Kept { file: None, lines: Some(lines) });
            }
        }
        let own = format!("{}/{name}", run.job);
        if run.settings.reference && item.unpacked.is_none() {
            let (looked, lines) = self.look_at_source(&own, report)?;
            if looked.is_damaged {
                return self.salvage(&name, report);
            }
            let (name, sha256) = self.room().note(item, &name, &report.sha256)?;
            report.outcome = Outcome::Referenced(own);
            return Ok(Kept { file: Some(ListedFile::checked(name, sha256)), lines: Some(lines) });
        }
        let path = self.copy(&name)?;
        let copy = fs::File::open(&path).map_err(Error::read(&path))?;
        let (looked, lines) = self.look(copy, &own, Some(&report.sha256))?;
        report.take(&looked);
        if looked.is_damaged {
            self.room().remove(&name)?;
            return self.salvage(&name, report);
        }
        report.outcome = Outcome::Imported(own);
        let file = Some(ListedFile::checked(name, report.sha256.clone()));
        Ok(Kept { file, lines: Some(lines) })
    }

    /// Copies the file, if there will be room enough afterwards. What others copy meanwhile counts as if it were there already.
    fn copy(&self, name: &str) -> Result<PathBuf, Error> {
        let (run, bytes) = (self.run, self.item.bytes);
        let all = run.copied.fetch_add(bytes, Ordering::SeqCst).saturating_add(bytes);
        let found = run.settings.room.after(run.folder, all);
        let copied = match found.filter(|found| found.standing == Standing::Short) {
            Some(found) => Err(Error::no_room(&found)),
            None => self.room().copy(self.item, name),
        };
        run.copied.fetch_sub(bytes, Ordering::SeqCst);
        copied
    }

    fn sha256(&self) -> Result<String, Error> {
        let (item, stop) = (self.item, &self.run.settings.stop);
        let source = item.open().map_err(Error::read(&item.path))?;
        let mut source = Hashing { source, hasher: Hasher::new(Algorithm::Sha256), pace: self.pace, stop };
        let read = io::copy(&mut source, &mut io::sink()).map_err(Error::read(&item.path))?;
        if read != item.bytes {
            return Err(Error::read(&item.path)(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(source.hasher.finish().hex())
    }

    fn room(&self) -> Room<'_> {
        Room { folder: self.run.folder, disk: self.run.disk }
    }

    fn look_at_source(
        &mut self,
        filename: &str,
        report: &mut FileReport,
    ) -> Result<(FileCheck, Part), Error> {
        let source = self.item.open().map_err(Error::read(&self.item.path))?;
        let (looked, lines) = self.look(source, filename, Some(&report.sha256))?;
        report.take(&looked);
        Ok((looked, lines))
    }

    /// Reads a file to its end. A sound one must have this checksum: what is looked at is what was read before.
    fn look(
        &mut self,
        source: impl Read,
        filename: &str,
        sha256: Option<&str>,
    ) -> Result<(FileCheck, Part), Error> {
        let stop = &self.run.settings.stop;
        let mut source = Hashing { source, hasher: Hasher::new(Algorithm::Sha256), pace: self.pace, stop };
        let start = self.spool.position();
        let buffered = BufReader::with_capacity(256 << 10, &mut source);
        let looked = check_file(buffered, (filename, self.run.job), self.spool)?;
        if let Some(sha256) = sha256.filter(|_| !looked.is_damaged) {
            io::copy(&mut source, &mut io::sink()).map_err(Error::read(&self.item.path))?;
            if source.hasher.finish().hex() != sha256 {
                return Err(changed(self.item));
            }
        }
        Ok((looked, self.spool.since(start)))
    }

    /// The name of a file says whether it is packed, because whoever opens it goes by that.
    fn true_name(&self, name: &str) -> Result<String, Error> {
        let source = self.item.open().map_err(Error::read(&self.item.path))?;
        let is_gzip = match Nature::of(source, Limits::default()) {
            Ok(nature) => nature.compression == Compression::Gzip,
            // What it is instead is told when it is looked through.
            Err(warc::Error::Fault(_)) => name.ends_with(".gz"),
            Err(error) => return Err(error.into()),
        };
        Ok(match (is_gzip, name.strip_suffix(".gz")) {
            (true, None) => format!("{name}.gz"),
            (false, Some(stem)) => stem.to_owned(),
            _ => name.to_owned(),
        })
    }

    /// Takes what is readable, if that is wanted.
    fn salvage(&mut self, name: &str, report: &mut FileReport) -> Result<Kept, Error> {
        if !self.run.settings.salvage {
            return Ok(Kept::default());
        }
        let Some(file) = self.room().salvage(self.item, name)? else { return Ok(Kept::default()) };
        let path = self.run.folder.join(&file);
        let sha256 = store::Digested::of(&path)?.sha256().to_owned();
        if let Some(known) = self.run.known.here(&sha256) {
            report.outcome = Outcome::Known(known.to_owned());
            self.room().remove(&file)?;
            return Ok(Kept::default());
        }
        let own = format!("{}/{file}", self.run.job);
        let copy = fs::File::open(&path).map_err(Error::read(&path))?;
        let (looked, lines) = self.look(copy, &own, None)?;
        report.records = looked.records;
        report.captures = looked.captures;
        if looked.is_damaged {
            // Not what was to come of it; nothing of it is taken then.
            self.room().remove(&file)?;
            return Ok(Kept::default());
        }
        report.outcome = Outcome::Salvaged(own);
        Ok(Kept { file: Some(ListedFile::checked(file, sha256)), lines: Some(lines) })
    }
}

/// What is read, on its way.
struct Hashing<'a, R> {
    source: R,
    hasher: Hasher,
    pace: &'a Pace<'a>,
    stop: &'a Stop,
}

impl<R: Read> Read for Hashing<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stop.check().map_err(io::Error::other)?;
        let count = self.source.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        self.pace.read(count as u64);
        Ok(count)
    }
}

impl FileReport {
    fn take(&mut self, looked: &FileCheck) {
        self.records = looked.records;
        self.captures = looked.captures;
        self.faults.clone_from(&looked.faults);
        self.fault_count = looked.fault_count;
    }
}

/// Whether what failed is the file that was to be read.
fn is_of_file(error: &Error, item: &Item) -> bool {
    match error {
        Error::Read { path, .. } | Error::Store(store::Error::Read { path, .. }) => *path == item.path,
        Error::Record(warc::Error::Fault(_) | warc::Error::Read { .. }) => true,
        _ => false,
    }
}
