//! Files that lie elsewhere: the store keeps where, how long, and what they were when they were taken note of.
//!
//! ```text
//! store/<job>/<file>.ref     varve-reference 1
//!                            path /mnt/tapes/a.warc.gz      control characters and `%` as %XX
//!                            start 0                        where in that file it begins: a package holds several
//!                            bytes 123
//!                            sha256 …                       of all of it
//!                            ends sha256…                   of its first and last bytes, which is compared whenever it is opened
//! ```
//!
//! It is sealed as any file is. `<job>/<file>` is what others call it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use warc::{Algorithm, Hasher};

use crate::error::Error;

/// What the name of a file that says where another lies ends with.
pub const REFERENCE_ENDING: &str = ".ref";

const VERSION: &str = "varve-reference 1";
/// So much of each end is compared whenever the file is opened.
const END_BYTES: u64 = 16 << 10;
/// Bytes of such a file that are believed.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// Where a file lies, and what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    path: PathBuf,
    start: u64,
    bytes: u64,
    sha256: String,
    ends: String,
}

impl Reference {
    /// Takes note of a file, or of a part of one: it is read whole.
    ///
    /// # Errors
    /// When it cannot be read, ends before the part does, or its path cannot be written down.
    pub fn to(path: &Path, start: u64, bytes: u64) -> Result<Reference, Error> {
        let path = std::path::absolute(path).map_err(Error::read(path))?;
        if path.to_str().is_none() {
            return Err(Error::read(&path)(io::Error::other("the path is not UTF-8")));
        }
        let read = || {
            let mut file = File::open(&path)?;
            let sha256 = digest(&mut file, start, bytes)?;
            Ok((sha256, ends(&mut file, start, bytes)?))
        };
        let (sha256, ends) = read().map_err(Error::read(&path))?;
        Ok(Reference { path, start, bytes, sha256, ends })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long it is.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// SHA-256 in lower-case hex.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// As it is kept.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut path = String::new();
        for char in self.path.to_string_lossy().chars() {
            if char == '%' || char.is_control() {
                let mut bytes = [0; 4];
                for byte in char.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(path, "%{byte:02X}");
                }
            } else {
                path.push(char);
            }
        }
        let Reference { start, bytes, sha256, ends, .. } = self;
        format!("{VERSION}\npath {path}\nstart {start}\nbytes {bytes}\nsha256 {sha256}\nends {ends}\n")
    }

    /// Reads what is kept; `None` where there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Reference>, Error> {
        let mut text = String::new();
        match File::open(path) {
            Ok(file) => file.take(FILE_BYTES_MAX).read_to_string(&mut text).map_err(Error::read(path))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::read(path)(error)),
        };
        let found = || Error::Format {
            path: path.to_owned(),
            found: text.lines().next().unwrap_or_default().chars().take(200).collect(),
        };
        Reference::parse(&text).map(Some).ok_or_else(found)
    }

    fn parse(text: &str) -> Option<Reference> {
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let path = PathBuf::from(unescaped(field("path")?)?);
        let (start, bytes) = (field("start")?.parse().ok()?, field("bytes")?.parse().ok()?);
        let (sha256, ends) = (field("sha256")?.to_owned(), field("ends")?.to_owned());
        Some(Reference { path, start, bytes, sha256, ends })
    }

    /// Opens the file, if it still is what it was by its length and its ends.
    pub(crate) fn open(&self, name: &str) -> Result<(File, u64, u64), Error> {
        let gone = |what| Error::Elsewhere { name: name.to_owned(), path: self.path.clone(), what };
        let mut file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(gone("is not there any more"));
            }
            file => file.map_err(Error::read(&self.path))?,
        };
        let length = file.metadata().map_err(Error::read(&self.path))?.len();
        // Where only a part is meant, others may have been added behind it.
        let end = self.start.saturating_add(self.bytes);
        if length < end || !self.is_part() && length != end {
            return Err(gone("has another length"));
        }
        if ends(&mut file, self.start, self.bytes).map_err(Error::read(&self.path))? != self.ends {
            return Err(gone("has changed"));
        }
        Ok((file, self.start, end))
    }

    /// SHA-256 of the file as it is now; `None` where it is gone.
    pub(crate) fn digest_now(&self) -> Result<Option<String>, Error> {
        match File::open(&self.path) {
            Ok(mut file) => match digest(&mut file, self.start, self.bytes) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Some(String::new())),
                digest => digest.map(Some).map_err(Error::read(&self.path)),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::read(&self.path)(error)),
        }
    }

    /// A file in a package never begins where the package does.
    fn is_part(&self) -> bool {
        self.start > 0
    }
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high << 4 | low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// SHA-256 of a part of a file, all of which must be there.
fn digest(file: &mut File, start: u64, bytes: u64) -> io::Result<String> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let count = hash_part(file, start, bytes, &mut hasher)?;
    if count == bytes { Ok(hasher.finish().hex()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// SHA-256 of the first and last bytes of a part.
fn ends(file: &mut File, start: u64, bytes: u64) -> io::Result<String> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let one = bytes.min(END_BYTES);
    hash_part(file, start, one, &mut hasher)?;
    let other = (bytes - one).min(END_BYTES);
    hash_part(file, start.saturating_add(bytes - other), other, &mut hasher)?;
    Ok(hasher.finish().hex())
}

fn hash_part(file: &mut File, start: u64, bytes: u64, hasher: &mut Hasher) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    let mut part = file.take(bytes);
    let mut buffer = vec![0; 256 << 10];
    let mut total = 0;
    loop {
        let count = match part.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        hasher.update(buffer.get(..count).unwrap_or_default());
        total += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back_whatever_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("100 %\nodd é.warc");
        std::fs::write(&path, "0123456789").unwrap();
        let reference = Reference::to(&path, 2, 5).unwrap();
        assert_eq!(Reference::parse(&reference.to_text()), Some(reference.clone()));
        assert!(reference.open("a").is_ok());
        assert!(Reference::to(&path, 8, 5).is_err());
        assert!(Reference::parse("varve-reference 2\n").is_none());
    }
}
