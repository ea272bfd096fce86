//! A replica that cannot be had just now: a disk that is not there, a server that does not answer. Nothing is said of its files.

use std::io::Read;

use super::{Found, Replica};
use crate::digest::Pace;
use crate::error::Error;
use crate::store::Sealed;

/// Stands for a replica that is known and cannot be had.
#[derive(Debug, Clone)]
pub struct Absent {
    place: String,
    why: String,
    is_full: bool,
}

impl Absent {
    /// One that should be at this place, and why it is not; `is_full` if it would have files.
    #[must_use]
    pub fn new(place: &str, why: &str, is_full: bool) -> Absent {
        Absent { place: place.to_owned(), why: why.to_owned(), is_full }
    }

    fn error<T>(&self) -> Result<T, Error> {
        Err(Error::Unreachable { place: self.place.clone(), source: self.why.clone().into() })
    }
}

impl Replica for Absent {
    fn is_full(&self) -> bool {
        self.is_full
    }

    fn put(&self, _: &Sealed, _: &mut dyn Read, _: Pace<'_>) -> Result<(), Error> {
        self.error()
    }

    fn look(&self, _: &str) -> Result<Option<Option<u64>>, Error> {
        self.error()
    }

    fn read(&self, _: &str, _: Pace<'_>) -> Result<Option<Found>, Error> {
        self.error()
    }

    fn open(&self, _: &str, _: u64) -> Result<Box<dyn Read + Send>, Error> {
        self.error()
    }

    fn recorded(&self, _: &str) -> Result<Option<String>, Error> {
        self.error()
    }

    fn room(&self) -> Result<Option<u64>, Error> {
        self.error()
    }

    fn each_name(&self, _: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.error()
    }

    fn set_aside(&self, _: &str, _: &str) -> Result<(), Error> {
        self.error()
    }

    fn set_aside_unread(&self, _: &str) -> Result<(), Error> {
        self.error()
    }
}
