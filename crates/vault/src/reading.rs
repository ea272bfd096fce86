//! Reading a file out of the vault: from the first replica that has it as it should be, and from no other.

use std::io::{self, Read};

use catalogue::{File, Moved, State};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use store::Pace;

use crate::error::{Error, told};
use crate::place::Place;
use crate::vault::Vault;

/// Read at once where it is not wanted.
const SKIP_BYTES: usize = 64 << 10;

/// A file that was found to be what it should be, ready to be read.
pub struct Sound {
    /// Which.
    pub file: File,
    /// Where it is read from.
    pub replica: String,
    /// Replicas that are asked before that one and do not have it as it should be: why not.
    pub passed_over: Vec<(String, String)>,
    /// Its bytes. They are read once more, and come from a disk or a server that may err this time: at their end it is an error if they
    /// were not what they should be.
    pub source: Box<dyn Read + Send>,
}

impl std::fmt::Debug for Sound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sound")
            .field("file", &self.file)
            .field("replica", &self.replica)
            .finish_non_exhaustive()
    }
}

/// A file that is hashed while it is read, from its first byte to its last, whichever of them are wanted.
struct Checked {
    source: Box<dyn Read + Send>,
    /// Until the end was compared.
    hasher: Option<Sha256>,
    sha256: String,
    /// Bytes that are read and not wanted.
    to_skip: u64,
}

impl Checked {
    fn new(source: Box<dyn Read + Send>, sha256: &str, offset: u64) -> Checked {
        Checked { source, hasher: Some(Sha256::new()), sha256: sha256.to_owned(), to_skip: offset }
    }

    fn skip(&mut self) -> io::Result<()> {
        let mut unwanted = vec![0; SKIP_BYTES];
        while self.to_skip > 0 {
            let room = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(SKIP_BYTES);
            let count = self.read_on(unwanted.get_mut(..room).unwrap_or_default())?;
            if count == 0 {
                break;
            }
            self.to_skip -= count as u64;
        }
        self.to_skip = 0;
        Ok(())
    }

    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if count > 0 {
            let bytes = buffer.get(..count).unwrap_or_default();
            self.hasher.iter_mut().for_each(|hasher| hasher.update(bytes));
            return Ok(count);
        }
        let is_same = |hasher: Sha256| HEXLOWER.encode(&hasher.finalize()) == self.sha256;
        match self.hasher.take().filter(|_| !buffer.is_empty()).map(is_same) {
            Some(false) => {
                let what = "it was as it should be a moment ago, and what came now is not: nothing of it can be relied on";
                Err(io::Error::new(io::ErrorKind::InvalidData, what))
            }
            _ => Ok(0),
        }
    }
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.to_skip > 0 {
            self.skip()?;
        }
        self.read_on(buffer)
    }
}

impl Vault {
    /// Finds a file and checks it from end to end; then its bytes can be had from this one on. A copy that is not what it should be is
    /// written down as that, and the next replica is asked.
    ///
    /// # Errors
    /// When there is no such file, or no replica has it as it should be.
    pub fn read(&self, name: &str, offset: u64, pace: Pace<'_>) -> Result<Sound, Error> {
        let file = self.known(name)?;
        let mut passed_over = Vec::new();
        for place in self.places.iter().filter(|place| place.replica.is_full()) {
            match self.read_well(&file, place, &mut *pace) {
                Ok(Some(found)) if found.sha256 == file.sha256 => {
                    let source = place.replica.open(name, 0).map_err(Error::at(&place.name))?;
                    let source = Box::new(Checked::new(source, &file.sha256, offset));
                    return Ok(Sound { file, replica: place.name.clone(), passed_over, source });
                }
                Ok(Some(found)) => {
                    let why = format!("it has SHA-256 {}", found.sha256);
                    self.passed_over(&file, place, Some(found.sha256))?;
                    passed_over.push((place.name.clone(), why));
                }
                Ok(None) => {
                    self.passed_over(&file, place, None)?;
                    passed_over.push((place.name.clone(), "it is not there".to_owned()));
                }
                Err(store::Error::Stopped) => return Err(Error::at(&place.name)(store::Error::Stopped)),
                // That it cannot be reached says nothing of the file.
                Err(error) => passed_over.push((place.name.clone(), told(&error))),
            }
        }
        Err(Error::NoSound { name: name.to_owned(), tried: passed_over })
    }

    /// A file that the catalogue knows.
    pub(crate) fn known(&self, name: &str) -> Result<File, Error> {
        self.catalogue.file(name)?.ok_or_else(|| Error::Unknown(name.to_owned()))
    }

    /// Writes down what was found, if nobody has before; repair takes it up from there.
    fn passed_over(&self, file: &File, place: &Place, found: Option<String>) -> Result<(), Error> {
        let now = (self.clock)();
        let (to, kind, what) = match &found {
            Some(sha256) => {
                (State::Changed, "changed", format!("found when it was read: it has SHA-256 {sha256}"))
            }
            None => {
                (State::Missing, "missing", "found when it was read: it is not there any more".to_owned())
            }
        };
        let moved = Moved { found, ..Moved::new(State::Verified, to, now) };
        self.wrong(file, place, &moved, (kind, what))
    }
}
