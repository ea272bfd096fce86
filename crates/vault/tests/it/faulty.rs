//! A replica whose door jams when a test says so.

use std::io::Read;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use store::replica::{Folders, Found, Replica};
use store::{Error, Pace, Sealed};

/// How long one reader waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

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
    /// Its files lie on a disk each, and one is read only while another is.
    Paired,
}

pub(crate) struct Faulty {
    inner: Folders,
    fault: Mutex<Option<Fault>>,
    /// How many are read just now, and the most that ever were.
    readers: Mutex<(usize, usize)>,
    came: Condvar,
}

impl Faulty {
    pub(crate) fn new(inner: Folders) -> Faulty {
        Faulty { inner, fault: Mutex::new(None), readers: Mutex::default(), came: Condvar::new() }
    }

    pub(crate) fn jam(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap() = fault;
    }

    /// How many files were read at once, at most.
    pub(crate) fn most_readers(&self) -> usize {
        self.readers.lock().unwrap().1
    }

    /// Waits for another reader, but not for ever.
    fn wait_for_another(&self) {
        let mut readers = self.readers.lock().unwrap();
        readers.0 += 1;
        readers.1 = readers.1.max(readers.0);
        self.came.notify_all();
        let (mut readers, _) =
            self.came.wait_timeout_while(readers, PATIENCE, |readers| readers.1 < 2).unwrap();
        readers.0 -= 1;
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
        if self.is(Fault::Paired) {
            self.wait_for_another();
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

    fn disk(&self, name: &str) -> Option<u64> {
        self.is(Fault::Paired).then(|| name.bytes().map(u64::from).sum())
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        if self.is(Fault::Read) { Err(unreachable()) } else { self.inner.each_name(each) }
    }

    fn unfinished(&self, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        self.inner.unfinished(is_ours)
    }

    fn remove_unfinished(&self, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        self.inner.remove_unfinished(is_ours)
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        self.inner.set_aside(name, sha256)
    }

    fn set_aside_unread(&self, name: &str) -> Result<(), Error> {
        self.inner.set_aside_unread(name)
    }
}
