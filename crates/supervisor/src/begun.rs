//! That an archive has a vault, and which replicas were begun, in a file of its own: with the catalogue lost, a disk that is not mounted
//! must not be taken for a replica that is new, nor the archive for one that never had a catalogue.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use settings::{Error, Explain as _, failure};

/// The names of the replicas, a line each, behind the version.
const BEGUN: &str = "vault.begun";
const VERSION: &str = "varve-vault 1";
/// Is there while the catalogue is made again.
const REBUILDING: &str = "catalogue.rebuilding";
/// What stands in it when all was done but for replicas that could not be reached.
const WAITING: &str = "waiting\n";
/// Bytes of either that are read: names of thousands of replicas.
const BYTES_MAX: u64 = 1 << 20;

/// The replicas that were begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Begun {
    /// Their names.
    pub names: BTreeSet<String>,
}

impl Begun {
    /// Those of an archive; `None` where nothing was begun yet.
    ///
    /// # Errors
    /// When the file cannot be read, or a later version made it.
    pub fn of(archive: &Path) -> Result<Option<Begun>, Error> {
        let path = archive.join(BEGUN);
        let Some(text) = read(&path)? else { return Ok(None) };
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            let error = failure!("`{}` was made by a later version of this program", path.display());
            return Err(error.with_hint(format!("its first line is `{VERSION}` where it is not")));
        }
        Ok(Some(Begun { names: lines.map(str::to_owned).collect() }))
    }

    /// Writes them down: all of them are on the disk then, or the old ones still.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, archive: &Path) -> Result<(), Error> {
        let names = self.names.iter().map(String::as_str);
        let text: String = [VERSION].into_iter().chain(names).flat_map(|line| [line, "\n"]).collect();
        let written = private::replace(&archive.join(BEGUN), text.as_bytes());
        written.map(drop).context("cannot write which replicas were begun")
    }
}

/// How far making the catalogue again has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rebuilding {
    /// Nobody is at it.
    No,
    /// It was begun; what the catalogue has is not all.
    Begun,
    /// What could be reached is in it. It can be used, and the rest is still to be looked through.
    Waiting,
}

impl Rebuilding {
    /// Reads it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(archive: &Path) -> Result<Rebuilding, Error> {
        Ok(match read(&archive.join(REBUILDING))?.as_deref() {
            None => Rebuilding::No,
            Some(WAITING) => Rebuilding::Waiting,
            Some(_) => Rebuilding::Begun,
        })
    }

    /// Writes it down, so that it outlasts whatever ends this program.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(self, archive: &Path) -> Result<(), Error> {
        let path = archive.join(REBUILDING);
        let text = match self {
            Rebuilding::Begun => "begun\n",
            Rebuilding::Waiting => WAITING,
            Rebuilding::No => {
                let removed = match fs::remove_file(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    removed => removed.and_then(|()| File::open(archive)?.sync_all()),
                };
                return removed.with_context(|| format!("cannot remove `{}`", path.display()));
            }
        };
        let written = private::replace(&path, text.as_bytes());
        written.map(drop).with_context(|| format!("cannot write `{}`", path.display()))
    }
}

/// The text of a file; `None` where there is none.
fn read(path: &Path) -> Result<Option<String>, Error> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text));
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(|_| Some(text)).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_down_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Begun::of(folder.path()).unwrap(), None);
        for names in [&[][..], &["cellar", "notary"]] {
            let begun = Begun { names: names.iter().map(|&name| name.to_owned()).collect() };
            begun.write(folder.path()).unwrap();
            assert_eq!(Begun::of(folder.path()).unwrap(), Some(begun));
        }
        fs::write(folder.path().join(BEGUN), "varve-vault 2\n").unwrap();
        assert!(Begun::of(folder.path()).unwrap_err().to_string().contains("later version"));
        for state in [Rebuilding::Begun, Rebuilding::Waiting, Rebuilding::No, Rebuilding::No] {
            state.write(folder.path()).unwrap();
            assert_eq!(Rebuilding::of(folder.path()).unwrap(), state);
        }
    }
}
