//! A replica whose door jams when a test says so.

use std::io::Read;
use std::sync::Mutex;

use store::replica::{Folders, Found, Replica};
use store::{Error, Pace, Sealed};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing can be put.
    Put,
    /// It says that it has put it, and has not.
    Lost,
    /// Nothing can be read.
    Read,
    /// There is no room.
    Full,
    /// What is read back comes with another checksum.
    Misread,
    /// What is given comes with a flipped bit.
    Lie,
}

pub(crate) struct Faulty {
    inner: Folders,
    fault: Mutex<Option<Fault>>,
}

impl Faulty {
    pub(crate) fn new(inner: Folders) -> Faulty {
        Faulty { inner, fault: Mutex::new(None) }
    }

    pub(crate) fn jam(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap() = fault;
    }

    fn is(&self, fault: Fault) -> bool {
        *self.fault.lock().unwrap() == Some(fault)
    }
}

fn unreachable() -> Error {
    Error::Read { path: "cellar".into(), source: std::io::ErrorKind::HostUnreachable.into() }
}

impl Replica for Faulty {
    fn is_full(&self) -> bool {
        true
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        if self.is(Fault::Put) {
            return Err(Error::Write {
                path: "cellar".into(),
                source: std::io::Error::other("the door jams"),
            });
        }
        if self.is(Fault::Full) {
            return Err(Error::Full { path: "cellar".into() });
        }
        if self.is(Fault::Lost) {
            return Ok(());
        }
        self.inner.put(file, source, pace)
    }

    fn look(&self, name: &str) -> Result<Option<Option<u64>>, Error> {
        self.inner.look(name)
    }

    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, Error> {
        if self.is(Fault::Read) {
            return Err(unreachable());
        }
        let found = self.inner.read(name, pace)?;
        let is_wrong = self.is(Fault::Misread);
        Ok(found.map(|found| if is_wrong { Found { sha256: "0".repeat(64), ..found } } else { found }))
    }

    fn open(&self, name: &str, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        if self.is(Fault::Read) {
            return Err(unreachable());
        }
        let mut bytes = Vec::new();
        self.inner.open(name, offset)?.read_to_end(&mut bytes).unwrap();
        if self.is(Fault::Lie) {
            bytes[0] ^= 1;
        }
        Ok(Box::new(std::io::Cursor::new(bytes)))
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        if self.is(Fault::Read) { Err(unreachable()) } else { self.inner.each_name(each) }
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        self.inner.set_aside(name, sha256)
    }

    fn set_aside_unread(&self, name: &str) -> Result<(), Error> {
        self.inner.set_aside_unread(name)
    }
}
