//! Documents of the newest versions, by their digest: what the next change is compared with, before the archive shows it.
//!
//! ```text
//! ARCHIVE/watch/bodies/9f/9f86d081….zst
//! ```
//! A cache: whatever is lost here comes from the archive. A file has its name only when all of it is written, and is believed only if it
//! has the digest that it is called by.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use warc::{Algorithm, Hasher};

use crate::sha256::Sha256;

/// As hard as costs next to nothing.
const LEVEL: i32 = 3;

/// The cache of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Bodies(PathBuf);

impl Bodies {
    pub(crate) fn of(folder: &Path) -> Bodies {
        Bodies(folder.join("bodies"))
    }

    /// Keeps a document, unless it is there. That it could not be kept is told and does no harm.
    pub(crate) fn keep(&self, digest: &Sha256, document: impl FnOnce() -> io::Result<Box<dyn Read + Send>>) {
        let path = self.path(digest);
        if !path.exists()
            && let Err(error) = document().and_then(|document| write(&path, document))
        {
            tracing::warn!("{}: not kept for the next comparison: {error}", path.display());
        }
    }

    /// A document, if it is here and is what it is called.
    pub(crate) fn open(&self, digest: &Sha256) -> Option<Box<dyn Read + Send>> {
        let path = self.path(digest);
        let document = || zstd::stream::read::Decoder::new(File::open(&path)?);
        match document().and_then(digest_of) {
            Ok(found) if found == *digest => Some(Box::new(document().ok()?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            _ => {
                tracing::warn!("{}: damaged, and removed", path.display());
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    /// Removes what is not wanted any more. What cannot be removed stays.
    pub(crate) fn tidy(&self, wanted: &HashSet<Sha256>) {
        let folders = fs::read_dir(&self.0).into_iter().flatten().flatten();
        for file in folders.flat_map(|folder| fs::read_dir(folder.path())).flatten().flatten() {
            let name = file.file_name();
            let digest = name.to_str().and_then(|name| name.strip_suffix(".zst"));
            let digest = digest.and_then(|hex| HEXLOWER.decode(hex.as_bytes()).ok());
            // Others are being written at this moment.
            let digest = digest.and_then(|bytes| Sha256::parse("name", &bytes).ok());
            if digest.is_some_and(|digest| !wanted.contains(&digest)) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    fn path(&self, digest: &Sha256) -> PathBuf {
        let hex = digest.to_string();
        self.0.join(hex.get(..2).unwrap_or_default()).join(format!("{hex}.zst"))
    }
}

/// Writes a file, whole or not at all.
fn write(path: &Path, mut document: impl Read) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let file = tempfile::Builder::new().prefix(".part").tempfile_in(folder)?;
    let mut packed = zstd::stream::write::Encoder::new(file, LEVEL)?;
    io::copy(&mut document, &mut packed)?;
    packed.finish()?.persist(path).map_err(|error| error.error).map(drop)
}

/// The digest of all that can be read.
pub(crate) fn digest_of(source: impl Read) -> io::Result<Sha256> {
    let mut source = BufReader::with_capacity(64 << 10, source);
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut piece = vec![0; 64 << 10];
    loop {
        match source.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => hasher.update(piece.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Sha256::of(&hasher.finish()).ok_or_else(|| io::Error::other("no such digest"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(bodies: &Bodies, text: &'static str) -> Sha256 {
        let digest = digest_of(text.as_bytes()).unwrap();
        bodies.keep(&digest, || Ok(Box::new(text.as_bytes())));
        digest
    }

    fn got(bodies: &Bodies, digest: &Sha256) -> Option<String> {
        let mut text = String::new();
        bodies.open(digest)?.read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn what_is_not_what_it_is_called_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = Bodies::of(folder.path());
        let (one, other) = (put(&bodies, "one"), put(&bodies, "other"));
        assert_eq!(got(&bodies, &one).as_deref(), Some("one"));
        fs::copy(bodies.path(&one), bodies.path(&other)).unwrap();
        assert_eq!(got(&bodies, &other), None);
        fs::write(bodies.path(&one), "no zstd at all").unwrap();
        assert_eq!(got(&bodies, &one), None);
        assert!(!bodies.path(&one).exists());
    }

    #[test]
    fn what_nobody_wants_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let bodies = Bodies::of(folder.path());
        bodies.tidy(&HashSet::new());
        let (one, other) = (put(&bodies, "one"), put(&bodies, "other"));
        bodies.tidy(&HashSet::from([other]));
        assert_eq!((got(&bodies, &one), got(&bodies, &other).as_deref()), (None, Some("other")));
    }
}
