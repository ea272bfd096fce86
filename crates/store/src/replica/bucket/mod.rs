//! A replica in a bucket of an object store that speaks S3.
//!
//! ```text
//! <prefix>/FORMAT                            varve-bucket 1
//! <prefix>/<job>/<file>                      as in a store
//! <prefix>/.aside/<job>/<file>.<sha256>      taken out of its place
//! ```
//!
//! Nothing is believed of a server but what it sends: checksums are computed here, of bytes that were asked for again. An object
//! appears under its name in one step, whole.

mod asking;
mod reader;
mod settings;
mod upload;

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use object_store::list::{PaginatedListOptions, PaginatedListStore as _};
use object_store::path::Path;
use object_store::{ObjectStore as _, ObjectStoreExt as _, PutOptions};

pub use settings::{BucketLimits, BucketSettings};

use self::asking::Asking;
use self::reader::{FIRST_BYTES, Reader, head, unwrapped};
use super::{Found, Replica};
use crate::digest::{self, Pace, no_hurry};
use crate::error::Error;
use crate::name;
use crate::store::Sealed;

/// What `FORMAT` says.
const FORMAT: &str = "varve-bucket 1\n";
/// More of it is not read.
const FORMAT_BYTES_MAX: u64 = 200;
/// Where files lie that were taken out of their place. No job can be called that.
const ASIDE: &str = ".aside";

/// Files in a bucket.
///
/// Its calls wait for the network: none may be made on a thread of an asynchronous runtime.
#[derive(Debug)]
pub struct Bucket {
    asking: Arc<Asking>,
    prefix: String,
    is_claimed: AtomicBool,
}

impl Bucket {
    /// Opens what is in a bucket, or makes it ours where there is nothing yet.
    ///
    /// # Errors
    /// When the settings are of no use, the bucket cannot be reached, does not let us, or holds something else.
    pub fn open(settings: &BucketSettings) -> Result<Bucket, Error> {
        let bucket = Bucket::later(settings)?;
        bucket.claim()?;
        Ok(bucket)
    }

    /// The same without asking yet: whether the bucket is there and ours is found out at its first use.
    ///
    /// # Errors
    /// When the settings are of no use.
    pub fn later(settings: &BucketSettings) -> Result<Bucket, Error> {
        let asking = Arc::new(Asking::new(settings)?);
        let prefix = settings.prefix.trim_matches('/');
        if !prefix.is_empty() && !prefix.split('/').all(name::is_name) {
            return Err(Error::Name(settings.prefix.clone()));
        }
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        Ok(Bucket { asking, prefix, is_claimed: AtomicBool::new(false) })
    }

    /// Makes sure that the place is ours.
    fn claim(&self) -> Result<(), Error> {
        if self.is_claimed.load(Ordering::Acquire) {
            return Ok(());
        }
        let asking = &self.asking;
        let path = Path::from(format!("{}FORMAT", self.prefix));
        let opened = match Reader::open(asking, path.clone(), 0, FORMAT_BYTES_MAX) {
            Err(Error::Missing(_)) => {
                let format = || asking.client.put_opts(&path, FORMAT.into(), PutOptions::default());
                asking.ask(&path, format).map_err(|error| match error {
                    // That an object is not there is no reason why it cannot be put there.
                    Error::Missing(place) => {
                        Error::Bucket { place, what: "there is no such bucket".to_owned() }
                    }
                    error => error,
                })?;
                Reader::open(asking, path.clone(), 0, FORMAT_BYTES_MAX)
            }
            opened => opened,
        };
        let (place, mut found) = (asking.place(&path), String::new());
        let read = opened?.take(FORMAT_BYTES_MAX).read_to_string(&mut found);
        read.map_err(|error| unwrapped(&place, error))?;
        if found != FORMAT {
            return Err(Error::Format { path: PathBuf::from(place), found: found.trim_end().to_owned() });
        }
        self.is_claimed.store(true, Ordering::Release);
        Ok(())
    }

    /// Where a file lies in a place that is ours.
    fn path(&self, name: &str) -> Result<Path, Error> {
        let (job, file) = name::parts(name)?;
        self.claim()?;
        Ok(Path::from(format!("{}{job}/{file}", self.prefix)))
    }

    fn length(&self, path: &Path) -> Result<Option<u64>, Error> {
        match self.asking.ask(path, || head(&self.asking, path)) {
            Ok(length) => Ok(Some(length)),
            Err(Error::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_path(&self, path: &Path, pace: Pace<'_>) -> Result<Option<Found>, Error> {
        // All of it is wanted, so it comes in large pieces from the start.
        let whole = self.asking.limits.part_bytes as u64;
        let mut reader = match Reader::open(&self.asking, path.clone(), 0, whole) {
            Ok(reader) => reader,
            Err(Error::Missing(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let failed = |error| unwrapped(&self.asking.place(path), error);
        match digest::of(&mut reader, pace).map_err(|cut| cut.or(failed)) {
            Ok((sha256, bytes)) => Ok(Some(Found { sha256, bytes: Some(bytes) })),
            // It was taken away while it was read.
            Err(Error::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Replica for Bucket {
    fn is_full(&self) -> bool {
        true
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        name::new_parts(&file.name)?;
        let path = self.path(&file.name)?;
        match self.length(&path)? {
            Some(_) => Ok(()),
            None => upload::put(&self.asking, &path, file, source, pace),
        }
    }

    fn look(&self, name: &str) -> Result<Option<Option<u64>>, Error> {
        Ok(self.length(&self.path(name)?)?.map(Some))
    }

    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, Error> {
        self.read_path(&self.path(name)?, pace)
    }

    fn open(&self, name: &str, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        let path = self.path(name)?;
        match Reader::open(&self.asking, path, offset, FIRST_BYTES) {
            Ok(reader) => Ok(Box::new(reader)),
            Err(Error::Missing(_)) => Err(Error::Missing(name.to_owned())),
            Err(error) => Err(error),
        }
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.claim()?;
        let place = Path::from(self.prefix.as_str());
        let prefix = (!self.prefix.is_empty()).then_some(self.prefix.as_str());
        let mut page_token = None;
        loop {
            let options = || PaginatedListOptions { page_token: page_token.clone(), ..Default::default() };
            let page = self.asking.ask(&place, || self.asking.client.list_paginated(prefix, options()))?;
            for object in &page.result.objects {
                // What was taken aside, the note of the format, and what somebody else put there, are no files of a job.
                let name = object.location.as_ref().strip_prefix(&self.prefix);
                let is_of_job = |name: &&str| name::parts(name).is_ok();
                if let Some(name) = name.filter(is_of_job) {
                    each(name)?;
                }
            }
            match page.page_token {
                // A server that gives the same page for ever is not asked for ever.
                Some(token) if Some(&token) != page_token.as_ref() => page_token = Some(token),
                _ => return Ok(()),
            }
        }
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        let path = self.path(name)?;
        let found = self.read_path(&path, &mut no_hurry)?.ok_or_else(|| Error::Missing(name.to_owned()))?;
        if found.sha256 != sha256 {
            return Err(Error::Other { name: name.to_owned(), found: found.sha256 });
        }
        let aside = Path::from(format!("{}{ASIDE}/{name}.{sha256}", self.prefix));
        let is_kept = |found: Option<Found>| found.is_some_and(|found| found.sha256 == sha256);
        if !is_kept(self.read_path(&aside, &mut no_hurry)?) {
            // Through our hands, because servers do not copy what is longer than 5 GiB.
            let bytes = found.bytes.unwrap_or_default();
            let file = Sealed { name: name.to_owned(), bytes, sha256: sha256.to_owned() };
            let mut source = Reader::open(&self.asking, path.clone(), 0, FIRST_BYTES)?;
            upload::put(&self.asking, &aside, &file, &mut source, &mut no_hurry)?;
            if !is_kept(self.read_path(&aside, &mut no_hurry)?) {
                return Err(Error::Source(name.to_owned()));
            }
        }
        self.asking.ask(&path, || self.asking.client.delete(&path))
    }

    fn set_aside_unread(&self, name: &str) -> Result<(), Error> {
        let path = self.path(name)?;
        let length = self.length(&path)?.ok_or_else(|| Error::Missing(name.to_owned()))?;
        // What was taken aside before is not written over.
        let mut aside = Path::from(format!("{}{ASIDE}/{name}.unreadable", self.prefix));
        let mut number = 2_u64;
        while self.length(&aside)?.is_some() {
            aside = Path::from(format!("{}{ASIDE}/{name}.unreadable-{number}", self.prefix));
            number += 1;
        }
        // By the server, which may refuse it of one that is longer than 5 GiB.
        self.asking.ask(&path, || self.asking.client.copy(&path, &aside))?;
        if self.length(&aside)? != Some(length) {
            return Err(Error::Unmovable(name.to_owned()));
        }
        self.asking.ask(&path, || self.asking.client.delete(&path))
    }
}
