//! One file on its way in: read for its checksum, copied or noted, checked, its lines made; salvaged if that is wanted.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use store::{REFERENCE_ENDING, Reference};
use tempfile::SpooledTempFile;
use warc::{Compression, Encoding, Limits, Nature, Writer};

use super::Settings;
use super::item::Item;
use super::known::Known;
use super::lines::{Looked, look_through};
use super::report::{FileReport, Outcome};
use super::salvage::{Salvaging, salvage};
use crate::error::Error;

/// Lines of one file that are held in memory; more go to a file without a name.
const LINES_BYTES: usize = 1 << 20;

/// What a thread needs to know of the whole run.
pub(super) struct Run<'a> {
    pub(super) job: &'a str,
    /// Where files are put until the commit.
    pub(super) folder: &'a Path,
    pub(super) settings: &'a Settings,
    pub(super) known: &'a Known,
    pub(super) read: &'a (dyn Fn(u64) + Sync),
}

/// A file that was looked at.
pub(super) struct Taken {
    pub(super) report: FileReport,
    /// The file to be sealed, in the job's folder.
    pub(super) file: Option<String>,
    /// Its lines.
    pub(super) lines: Option<SpooledTempFile>,
}

impl Taken {
    fn nothing(report: FileReport) -> Taken {
        Taken { report, file: None, lines: None }
    }

    /// Takes it back: what was put into the folder is removed.
    pub(super) fn withdraw(&mut self, folder: &Path) {
        self.lines = None;
        if let Some(file) = self.file.take() {
            // Whatever is left is removed with the folder.
            let _ = fs::remove_file(folder.join(file));
        }
    }
}

impl Run<'_> {
    /// Looks at a file, which is to be called this in the store.
    pub(super) fn take_in(&self, item: &Item, name: &str) -> Result<Taken, Error> {
        let mut report = FileReport::of(&item.name, item.bytes);
        let taken = self.try_take_in(item, name, &mut report);
        match taken {
            Ok((file, lines)) => Ok(Taken { report, file, lines }),
            // That the disk is full, or another of ours fails, ends the run; what is wrong with one file does not.
            Err(error) if error.is_full() || !is_of_file(&error, &item.path) => Err(error),
            Err(error) => {
                let why =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                report.outcome = Outcome::Failed(why);
                Ok(Taken::nothing(report))
            }
        }
    }

    fn try_take_in(
        &self,
        item: &Item,
        name: &str,
        report: &mut FileReport,
    ) -> Result<(Option<String>, Option<SpooledTempFile>), Error> {
        report.sha256 = item.sha256(self.read).map_err(Error::read(&item.path))?;
        if let Some(file) = self.known.here(&report.sha256) {
            report.outcome = Outcome::Known(file.to_owned());
            return Ok((None, None));
        }
        if let Some(why) = item.distrust.as_ref().filter(|_| !self.settings.salvage) {
            let message = format!("it is not what its package says: {why}");
            report.faults.push(warc::Fault::new(0, warc::FaultKind::BlockDigest, message));
            report.fault_count = 1;
            return Ok((None, None));
        }
        let name = self.true_name(item, name)?;
        if let Some(file) = self.known.elsewhere(&report.sha256) {
            let (looked, lines) = self.look(item.open().map_err(Error::read(&item.path))?, file)?;
            report.take(&looked);
            if !looked.is_damaged {
                report.outcome = Outcome::Indexed(file.to_owned());
                return Ok((None, Some(lines)));
            }
        }
        let own = format!("{}/{name}", self.job);
        let is_reference = self.settings.reference && item.unpacked.is_none();
        let (file, looked, lines) = if is_reference {
            let (looked, lines) = self.look(item.open().map_err(Error::read(&item.path))?, &own)?;
            (None, looked, lines)
        } else {
            let path = self.copy(item, &name)?;
            let copy = File::open(&path).map_err(Error::read(&path))?;
            let (looked, lines) = self.look(copy, &own)?;
            (Some(name.clone()), looked, lines)
        };
        report.take(&looked);
        if looked.is_damaged {
            if let Some(file) = file {
                let path = self.folder.join(file);
                fs::remove_file(&path).map_err(Error::write(&path))?;
            }
            return if self.settings.salvage { self.salvage(item, &name, report) } else { Ok((None, None)) };
        }
        if is_reference {
            let file = self.note(item, &name, report)?;
            report.outcome = Outcome::Referenced(own);
            return Ok((Some(file), Some(lines)));
        }
        report.outcome = Outcome::Imported(own);
        Ok((file, Some(lines)))
    }

    fn look(&self, source: impl io::Read, filename: &str) -> Result<(Looked, SpooledTempFile), Error> {
        let mut lines = BufWriter::new(SpooledTempFile::new(LINES_BYTES));
        let source = BufReader::with_capacity(256 << 10, source);
        let looked = look_through(source, (filename, self.job), &mut lines)?;
        let lines = lines.into_inner().map_err(|error| Error::write(self.folder)(error.into_error()))?;
        Ok((looked, lines))
    }

    /// The name of a file says whether it is packed, because whoever opens it goes by that.
    fn true_name(&self, item: &Item, name: &str) -> Result<String, Error> {
        let source = item.open().map_err(Error::read(&item.path))?;
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

    fn copy(&self, item: &Item, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if item.is_whole_file() {
            // By the system, which may not have to copy at all.
            fs::copy(&item.path, &path).map_err(Error::write(&path))?;
            let writable = || {
                let mut permissions = fs::metadata(&path)?.permissions();
                use std::os::unix::fs::PermissionsExt as _;
                permissions.set_mode(0o644);
                fs::set_permissions(&path, permissions)
            };
            writable().map_err(Error::write(&path))?;
            return Ok(path);
        }
        let mut source = item.open().map_err(Error::read(&item.path))?;
        let mut copy = File::create_new(&path).map_err(Error::write(&path))?;
        io::copy(&mut source, &mut copy).map_err(Error::write(&path))?;
        Ok(path)
    }

    /// Writes down where the file lies.
    fn note(&self, item: &Item, name: &str, report: &FileReport) -> Result<String, Error> {
        let reference = Reference::to(&item.path, item.start, item.bytes)?;
        if reference.sha256() != report.sha256 {
            return Err(Error::read(&item.path)(io::Error::other("it has changed while it was read")));
        }
        let file = format!("{name}{REFERENCE_ENDING}");
        let path = self.folder.join(&file);
        let written =
            File::create_new(&path).and_then(|mut note| note.write_all(reference.to_text().as_bytes()));
        written.map_err(Error::write(&path))?;
        Ok(file)
    }

    /// Writes what is readable to a new file.
    fn salvage(
        &self,
        item: &Item,
        name: &str,
        report: &mut FileReport,
    ) -> Result<(Option<String>, Option<SpooledTempFile>), Error> {
        let file = salvaged_name(name);
        let path = self.folder.join(&file);
        let sink = BufWriter::with_capacity(256 << 10, File::create(&path).map_err(Error::write(&path))?);
        let mut writer = Writer::new(sink, &Encoding::Gzip(6))?;
        let source = BufReader::with_capacity(256 << 10, item.open().map_err(Error::read(&item.path))?);
        let how = Salvaging { whole_only: false, drop_digests: true };
        let salvaged = salvage(source, (&item.name, &path), &mut writer, how)?;
        writer.flush()?;
        if salvaged.records == 0 {
            fs::remove_file(&path).map_err(Error::write(&path))?;
            return Ok((None, None));
        }
        let own = format!("{}/{file}", self.job);
        let copy = File::open(&path).map_err(Error::read(&path))?;
        let (looked, lines) = self.look(copy, &own)?;
        report.records = looked.records;
        report.captures = looked.captures;
        if looked.is_damaged {
            // Not what was to come of it; nothing of it is taken then.
            fs::remove_file(&path).map_err(Error::write(&path))?;
            return Ok((None, None));
        }
        report.outcome = Outcome::Salvaged(own);
        Ok((Some(file), Some(lines)))
    }
}

impl FileReport {
    fn take(&mut self, looked: &Looked) {
        self.records = looked.records;
        self.captures = looked.captures;
        self.faults.clone_from(&looked.faults);
        self.fault_count = looked.fault_count;
    }
}

/// What the new file of a damaged one is called.
fn salvaged_name(name: &str) -> String {
    let stem = [".gz", ".zst"].iter().fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    let stem = [".warc", ".arc"].iter().fold(stem, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    format!("{stem}-salvaged.warc.gz")
}

/// Whether what failed is the file that was to be read.
fn is_of_file(error: &Error, file: &Path) -> bool {
    match error {
        Error::Read { path, .. } | Error::Store(store::Error::Read { path, .. }) => path == file,
        Error::Record(warc::Error::Fault(_) | warc::Error::Read { .. }) => true,
        _ => false,
    }
}

/// Appends lines to those of the job.
pub(super) fn append(lines: &mut SpooledTempFile, to: &mut impl io::Write, path: &Path) -> Result<(), Error> {
    lines.rewind().and_then(|()| io::copy(lines, to)).map_err(Error::write(path))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salvaged_file_is_a_packed_warc() {
        for (name, expect) in [
            ("a.warc.gz", "a-salvaged.warc.gz"),
            ("a.arc", "a-salvaged.warc.gz"),
            ("a.warc.zst", "a-salvaged.warc.gz"),
            ("a", "a-salvaged.warc.gz"),
        ] {
            assert_eq!(salvaged_name(name), expect);
        }
    }
}
