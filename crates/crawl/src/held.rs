//! A job that is held: its folder, what it is to do, and where it stands.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use archive::Archive;
use jiff::Timestamp;
use job::{Standing, State, lock};

use crate::error::Error;

/// Settings and seeds longer than this are nobody's.
const TEXT_BYTES_MAX: u64 = 256 << 20;

/// A job that is not committed yet. Whoever holds this value holds the job: no other process can run it.
#[derive(Debug)]
pub struct Job {
    archive: Archive,
    name: String,
    standing: Standing,
    _lock: File,
}

impl Job {
    /// Makes the folder of a new job. A name that is taken gets a number behind it.
    pub fn create(
        archive: &Archive,
        name: &str,
        started: Timestamp,
        settings: &str,
        seeds: &str,
    ) -> Result<Job, Error> {
        let work = archive.work();
        archive.make_work()?;
        let committed = archive.snapshot()?;
        let is_committed = |name: &str| committed.commits().iter().any(|commit| commit.name == name);
        let mut taken = 1_u32;
        let (name, folder) = loop {
            let candidate = if taken == 1 { name.to_owned() } else { format!("{name}-{taken}") };
            let folder = work.join(&candidate);
            let is_new = folder.symlink_metadata().is_err()
                && private::make_folder(&folder).map_err(Error::file(&folder))?;
            match is_new {
                true if !is_committed(&candidate) => break (candidate, folder),
                true => fs::remove_dir(&folder).map_err(Error::file(&folder))?,
                false => {}
            }
            taken += 1;
        };
        let lock = lock::of_job(&folder)?.ok_or_else(|| Error::JobBusy { name: name.clone() })?;
        for (file, text) in [("job.toml", settings), ("seeds.txt", seeds)] {
            let path = folder.join(file);
            let file = private::options().write(true).create_new(true).open(&path);
            let mut file = file.map_err(Error::file(&path))?;
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::file(&path))?;
        }
        let job = Job { archive: archive.clone(), name, standing: Standing::new(started), _lock: lock };
        job.standing.write(&job.folder())?;
        Ok(job)
    }

    /// Takes hold of a job that is there.
    pub fn open(archive: &Archive, name: &str) -> Result<Job, Error> {
        let folder = archive.work().join(name);
        let is_committed = || -> Result<bool, Error> {
            Ok(archive.snapshot()?.commits().iter().any(|commit| commit.name == name))
        };
        let absent = || {
            let name = name.to_owned();
            Err(if is_committed()? { Error::Committed { name } } else { Error::NoSuchJob { name } })
        };
        if name.contains(['/', '\\']) || !folder.join("state").is_file() {
            return absent();
        }
        match private::check_folder(&folder) {
            Err(_) if !folder.exists() => return absent(),
            checked => checked.map_err(Error::file(&folder))?,
        }
        let lock = match lock::of_job(&folder) {
            // It has come to its end just now.
            Err(_) if !folder.exists() => return absent(),
            lock => lock?.ok_or_else(|| Error::JobBusy { name: name.to_owned() })?,
        };
        let standing = Standing::read(&folder)?;
        if standing.state == State::Committing && !folder.join("warc").exists() && is_committed()? {
            // It was killed when all that was left to do was to tidy up.
            remove(archive, name)?;
            return Err(Error::Committed { name: name.to_owned() });
        }
        Ok(Job { archive: archive.clone(), name: name.to_owned(), standing, _lock: lock })
    }

    /// Its name, which is its commit's, too.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The archive it belongs to.
    #[must_use]
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.archive.work().join(&self.name)
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.standing.state
    }

    /// When it began.
    #[must_use]
    pub fn started(&self) -> Timestamp {
        self.standing.started
    }

    /// The settings it was made with.
    pub fn settings_text(&self) -> Result<String, Error> {
        text(&self.file("job.toml"))
    }

    /// The seeds it was made with.
    pub fn seeds_text(&self) -> Result<String, Error> {
        text(&self.file("seeds.txt"))
    }

    /// Replaces the seeds, whole or not at all.
    pub fn rewrite_seeds(&self, seeds: &str) -> Result<(), Error> {
        let (path, part) = (self.file("seeds.txt"), self.file("seeds.txt.part"));
        let mut file = File::create(&part).map_err(Error::file(&part))?;
        file.write_all(seeds.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::file(&part))?;
        let renamed = fs::rename(&part, &path).and_then(|()| File::open(self.folder())?.sync_all());
        renamed.map_err(Error::file(&path))
    }

    /// Removes everything that it has fetched, and the job itself.
    pub fn discard(self) -> Result<(), Error> {
        if self.standing.state == State::Committing {
            return Err(Error::WrongState {
                name: self.name.clone(),
                state: self.standing.state.to_string(),
                wish: "part of it may be in the archive already; resume it and it will be there whole",
            });
        }
        Ok(self.archive.discard(&self.name)?)
    }

    /// Whether there is nothing more to fetch, so that only its commit is to come.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.standing.state, State::Finished | State::Committing)
    }

    pub(crate) fn why(&self) -> Option<&str> {
        self.standing.why.as_deref()
    }

    pub(crate) fn set_state(&mut self, state: State, why: Option<String>) -> Result<(), Error> {
        if self.standing.state != state || self.standing.why != why {
            (self.standing.state, self.standing.why) = (state, why);
            self.standing.write(&self.folder())?;
        }
        Ok(())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }
}

/// Removes the folder of a job whose content is in the archive: in one step out of sight, then file by file.
pub(crate) fn remove(archive: &Archive, name: &str) -> Result<(), Error> {
    let removed = archive.work().join("removed");
    let folder = archive.work().join(name);
    // Another may remove the folder between these two.
    for _ in 0..100 {
        private::make_folder(&removed).map_err(Error::file(&removed))?;
        match fs::rename(&folder, removed.join(name)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && folder.exists() => {}
            renamed => {
                renamed.map_err(Error::file(&folder))?;
                break;
            }
        }
    }
    // It is out of sight; should it not go now, the next one takes it along. Others may be at it, too.
    for left in fs::read_dir(&removed).into_iter().flatten().flatten() {
        let _ = fs::remove_dir_all(left.path());
    }
    let _ = fs::remove_dir(&removed);
    Ok(())
}

fn text(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let file = private::read(path).map_err(Error::file(path))?;
    file.take(TEXT_BYTES_MAX).read_to_string(&mut text).map_err(Error::file(path))?;
    Ok(text)
}
