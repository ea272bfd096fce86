//! Archive files from elsewhere: checked, copied into the store or noted where they lie, indexed, and visible all at once.
//!
//! An import is a job: its files wait in `work/<job>/warc/` and are sealed and published by the same commit as those of a harvest.
//! One that breaks off leaves nothing in the archive; the next import removes what it has left, or brings its commit to its end.

mod conversion;
mod discover;
mod item;
mod known;
mod marker;
mod names;
mod pace;
mod put;
mod report;
mod salvage;
mod spool;
mod take_in;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use archive::job_files::{CAPTURES_HEAD, JobFolder, ListedFile, OnDisk};
use archive::room::Room;
use archive::{About, Archive, Collection, Content, Dedup, Note, Stop, WEB};
use serde_json::json;

use self::discover::Discovery;
use self::item::Item;
use self::known::Known;
use self::marker::Marker;
use self::spool::Spool;
use self::take_in::{Run, Taken};
use crate::Error;

pub use conversion::{Conversion, Place};
pub use report::{FileReport, Outcome, PackageReport, Report};
pub use salvage::{Salvaged, Salvaging, salvage};

/// How to import.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The collection that captures go to; it is made if it is not there.
    pub collection: String,
    /// Do not copy files: note where they lie. What is packed in a package is copied all the same.
    pub reference: bool,
    /// Of damaged files take what is readable.
    pub salvage: bool,
    /// Files that are looked at at once.
    pub threads: usize,
    /// Bounds on packages.
    pub limits: wacz::Limits,
    /// Whether to end before the end, and take nothing.
    pub stop: Stop,
    /// How much room there must be on the disks, also when a file is copied.
    pub room: Room,
}

impl Default for Settings {
    fn default() -> Settings {
        let limits = wacz::Limits::default();
        let (collection, stop) = (WEB.to_owned(), Stop::default());
        let room = Room::default();
        Settings { collection, reference: false, salvage: false, threads: 2, limits, stop, room }
    }
}

/// How far an import has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many files, of so many bytes, are to be looked at.
    Found {
        /// Files.
        files: usize,
        /// Their bytes.
        bytes: u64,
    },
    /// So many more bytes have been read.
    Read(u64),
}

/// Imports WARC, ARC and WACZ files, and those in folders, as a job of this name. The report lists damaged files, and the rest is imported;
/// files that the archive has already are listed and left alone. All of it becomes visible in one step, or, after an error, nothing.
///
/// # Errors
/// When the name is taken, or the archive cannot be read or written. What is wrong with a file is in the report.
pub fn import_files(
    archive: &Archive,
    job: &str,
    paths: &[PathBuf],
    settings: &Settings,
    about: &About,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Report, Error> {
    let about = &About { dedup: Dedup::Off, ..about.clone() };
    // What an earlier import has left may be what takes the space.
    tidy_up(archive, about)?;
    let folders = archive.written();
    if let Some(found) = settings.room.short(folders.iter().map(PathBuf::as_path)) {
        return Err(archive::Error::no_room(&found).into());
    }
    let collection = archive.create_collection(&settings.collection)?;
    let folder = archive.job_folder(job)?;
    let is_taken = !archive.store().files_of(job).map_err(archive::Error::from)?.is_empty()
        || archive.is_committed(job)?;
    let above = archive.work().join(job);
    if is_taken || above.exists() {
        return Err(archive::Error::JobExists(job.to_owned()).into());
    }
    archive.make_job_folder(job)?;
    let marker = Marker::set(&above, collection.name(), about.started)?;
    let import = Import { archive, collection: &collection, folder: &folder, settings, about };
    // If it failed after the point of no return, the next import completes it.
    let report = import.run(paths, progress);
    if report.is_ok() || !folder.is_committing() {
        marker.remove()?;
    }
    report
}

/// Completes or removes what interrupted imports and removals have left, as each import does at its start. It leaves those alone that
/// another process is working on.
///
/// # Errors
/// When the archive cannot be read or written, or what was left is not what was checked.
pub fn tidy_up(archive: &Archive, about: &About) -> Result<(), Error> {
    archive.tidy_up_removals()?;
    Ok(marker::tidy_up(archive, &About { dedup: Dedup::Off, ..about.clone() })?)
}

struct Import<'a> {
    archive: &'a Archive,
    collection: &'a Collection,
    folder: &'a JobFolder,
    settings: &'a Settings,
    about: &'a About,
}

impl Import<'_> {
    fn run(&self, paths: &[PathBuf], progress: &(dyn Fn(Step) + Sync)) -> Result<Report, Error> {
        let room = self.folder.path().with_file_name("unpacked");
        private::make_folder(&room).map_err(archive::Error::write(&room))?;
        let mut discovery = Discovery::new(&room, self.settings);
        paths.iter().try_for_each(|path| discovery.path(path))?;
        let found = discovery.finish();
        let bytes = found.items.iter().map(|item| item.bytes).sum();
        progress(Step::Found { files: found.items.len(), bytes });
        let (mut taken, spools) = self.take_in(&found.items, progress)?;
        self.settings.stop.check()?;
        self.drop_twins(&mut taken);
        let files = self.gather(&taken, spools)?;
        let mut report = Report { packages: found.packages, ..Report::default() };
        let has_lines = taken.iter().any(|taken| taken.kept.lines.is_some());
        report.files = taken.into_iter().map(|taken| taken.report).chain(found.refused).collect();
        if has_lines {
            let note = self.note(&report);
            let mut commit = marker::commit(self.folder.job(), self.about.started);
            commit.facts.extend(facts(&report));
            let committed = self.archive.commit_files(
                self.collection,
                (self.folder, self.about),
                &commit,
                Some(files),
                vec![note],
            );
            report.committed = Some(committed?);
        }
        Ok(report)
    }

    /// Looks at all files, some at once; what came of them, in their order, and the lines that each thread has made.
    fn take_in(
        &self,
        items: &[Item],
        progress: &(dyn Fn(Step) + Sync),
    ) -> Result<(Vec<Taken>, Vec<Spool>), archive::Error> {
        let known = Known::of(self.archive, self.collection.index(), self.settings.reference)?;
        let wishes = items.iter().map(|item| item.wish.as_str());
        let names = names::of(wishes, known.names(), self.settings.salvage);
        let read = |bytes| progress(Step::Read(bytes));
        let run = Run {
            job: self.folder.job(),
            folder: self.folder.path(),
            disk: &self.about.disk,
            settings: self.settings,
            known: &known,
            read: &read,
            copied: &AtomicU64::new(0),
        };
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Taken, archive::Error>)>> = Mutex::new(Vec::new());
        let work = &|mut spool: Spool| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let (Some(item), Some(name)) = (items.get(number), names.get(number)) else { return spool };
                let taken = run.take_in(item, name, &mut spool);
                if taken.is_err() || self.settings.stop.is_wanted() {
                    // The others come to their end, and no further.
                    next.store(items.len(), Ordering::Relaxed);
                }
                done.lock().unwrap_or_else(PoisonError::into_inner).push((number, taken));
            }
        };
        let threads = self.settings.threads.clamp(1, 64).min(items.len().max(1));
        let spools = (0..threads).map(|number| Spool::new(number, self.folder.path(), &self.about.disk));
        let spools: Vec<Spool> = spools.collect::<Result<_, _>>()?;
        let spools: Result<Vec<Spool>, archive::Error> = thread::scope(|scope| {
            let threads: Vec<_> = spools.into_iter().map(|spool| scope.spawn(move || work(spool))).collect();
            threads.into_iter().map(|thread| thread.join().map_err(|_| archive::Error::Panicked)).collect()
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(number, _)| *number);
        Ok((done.into_iter().map(|(_, taken)| taken).collect::<Result<_, _>>()?, spools?))
    }

    /// Of files with the same content the first is taken.
    fn drop_twins(&self, taken: &mut [Taken]) {
        let mut seen: HashMap<String, String> = HashMap::new();
        for taken in taken.iter_mut().filter(|taken| taken.kept.lines.is_some()) {
            let (Outcome::Imported(file)
            | Outcome::Referenced(file)
            | Outcome::Indexed(file)
            | Outcome::Salvaged(file)) = &taken.report.outcome
            else {
                continue;
            };
            match seen.get(&taken.report.sha256) {
                Some(first) => {
                    taken.report.outcome = Outcome::Known(first.clone());
                    let kept = std::mem::take(&mut taken.kept);
                    if let Some(file) = kept.file {
                        // What cannot be removed now is removed with the folder.
                        let _ = fs::remove_file(self.folder.path().join(file.name));
                    }
                }
                None => {
                    seen.insert(taken.report.sha256.clone(), file.clone());
                }
            }
        }
    }

    /// Puts the lines of all files together; the files that are to be sealed.
    fn gather(&self, taken: &[Taken], mut spools: Vec<Spool>) -> Result<Vec<ListedFile>, archive::Error> {
        let path = self.folder.captures();
        let file = File::create(&path).map_err(archive::Error::write(&path))?;
        let mut captures = BufWriter::new(OnDisk { file, disk: Arc::clone(&self.about.disk) });
        captures.write_all(CAPTURES_HEAD).map_err(archive::Error::write(&path))?;
        for part in taken.iter().filter_map(|taken| taken.kept.lines) {
            if let Some(spool) = spools.get_mut(part.spool) {
                spool.copy(part, &mut captures).map_err(archive::Error::write(&path))?;
            }
        }
        captures.flush().map_err(archive::Error::write(&path))?;
        Ok(taken.iter().filter_map(|taken| taken.kept.file.clone()).collect())
    }

    /// Where everything came from, for the job's metadata file.
    fn note(&self, report: &Report) -> Note {
        let mut text = Vec::new();
        for file in &report.files {
            let (outcome, kept) = match &file.outcome {
                Outcome::Imported(kept) => ("imported", Some(kept)),
                Outcome::Referenced(kept) => ("referenced", Some(kept)),
                Outcome::Known(kept) => ("known", Some(kept)),
                Outcome::Indexed(kept) => ("indexed", Some(kept)),
                Outcome::Salvaged(kept) => ("salvaged", Some(kept)),
                Outcome::Damaged => ("damaged", None),
                Outcome::Failed(_) => ("failed", None),
            };
            let row = json!({
                "source": file.name, "bytes": file.bytes, "sha256": file.sha256, "outcome": outcome, "file": kept,
                "records": file.records, "captures": file.captures, "faults": file.fault_count,
            });
            text.extend_from_slice(format!("{row}\n").as_bytes());
        }
        Note::new(self.folder.job(), "reports", "import.jsonl", "application/jsonl", Content::Bytes(text))
    }
}

/// What a list says of an import. One that is brought to its end after a crash lacks it; its note says the same.
fn facts(report: &Report) -> Vec<(String, String)> {
    let is_in = |file: &&FileReport| {
        !matches!(file.outcome, Outcome::Known(_) | Outcome::Damaged | Outcome::Failed(_))
    };
    let taken = || report.files.iter().filter(is_in);
    let (files, captures) = (taken().count() as u64, taken().map(|file| file.captures).sum());
    let facts = [("files", files), ("captures", captures), ("bytes", taken().map(|file| file.bytes).sum())];
    facts.into_iter().map(|(name, count): (&str, u64)| (name.to_owned(), count.to_string())).collect()
}
