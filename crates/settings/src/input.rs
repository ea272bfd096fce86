//! Opens a file that an option or a setting names, or standard input for `-`.

use std::fs::{self, File};
use std::io::{self, Read, Stdin};
use std::path::Path;

use super::{Error, Explain as _, failure};

/// An opened input.
#[derive(Debug)]
pub struct Input {
    /// As the user wrote it; `-` for standard input.
    pub name: String,
    /// How long it is, where that is known before reading.
    pub size_bytes: Option<u64>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Stdin(Stdin),
    File(File),
    Closed,
}

impl Input {
    /// Opens a file by its path, or standard input if the path is `-` (a file of that name is `./-`).
    ///
    /// Pipes and devices are fine. A folder is refused here, because reading from it fails with words nobody understands.
    ///
    /// # Errors
    /// When there is no such file, or it may not be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.to_string_lossy().into_owned();
        if path.as_os_str() == "-" {
            tracing::info!("reading standard input");
            return Ok(Self { name, size_bytes: None, source: Source::Stdin(io::stdin()) });
        }
        let file = File::open(path).map_err(|error| explain(path, error))?;
        let metadata = file.metadata().with_context(|| format!("cannot look at `{name}`"))?;
        if metadata.is_dir() {
            let example = path.join("*.warc.gz");
            let hint = format!("name the files in it, for example `{}`", example.display());
            return Err(failure!("`{name}` is a folder, not a file").with_hint(hint));
        }
        let size_bytes = metadata.is_file().then_some(metadata.len());
        tracing::info!(size_bytes, "reading {}", name.escape_debug());
        Ok(Self { name, size_bytes, source: Source::File(file) })
    }

    /// Gives the file back to the system; there is nothing more to read from here.
    pub fn close(&mut self) {
        self.source = Source::Closed;
    }

    /// The file, for verbs that jump about in it; a pipe or standard input is `None`.
    #[must_use]
    pub fn seekable(&self) -> Option<&File> {
        match &self.source {
            Source::File(file) if self.size_bytes.is_some() => Some(file),
            _ => None,
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::Stdin(stdin) => stdin.read(buffer),
            Source::File(file) => file.read(buffer),
            Source::Closed => Ok(0),
        }
    }
}

/// Says why a file could not be opened, and what may have been meant.
fn explain(path: &Path, error: io::Error) -> Error {
    let name = path.display();
    let kind = error.kind();
    match kind {
        io::ErrorKind::NotFound => {
            let error = failure!("there is no file `{name}`");
            match near(path) {
                Some(hint) => error.with_hint(hint),
                None => error,
            }
        }
        io::ErrorKind::PermissionDenied => {
            let error = failure!("you may not read `{name}`");
            error.with_hint("its owner can let you with `chmod u+r` or `chmod a+r`")
        }
        _ => Error::above(format!("cannot open `{name}`"), error),
    }
}

/// What the user may have meant by a name that is not there.
fn near(path: &Path) -> Option<String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Some(format!("there is no folder `{}` either", folder.display()));
    }
    let mut longer = path.as_os_str().to_owned();
    longer.push(".gz");
    let shorter = path.extension().filter(|extension| *extension == "gz").map(|_| path.with_extension(""));
    let candidates = [Some(longer.into()), shorter];
    let found = candidates.into_iter().flatten().find(|candidate| fs::metadata(candidate).is_ok())?;
    Some(format!("there is `{}`", found.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message and hints of a failed opening, with the folder's name taken out.
    fn failure(folder: &Path, name: &str) -> (String, Vec<String>) {
        let error = Input::open(&folder.join(name)).unwrap_err();
        let strip = |text: &str| text.replace(&format!("{}/", folder.display()), "");
        (strip(&error.to_string()), error.hints().into_iter().map(strip).collect())
    }

    #[test]
    fn a_file_has_a_size_and_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        fs::write(&path, "abc").unwrap();
        let mut input = Input::open(&path).unwrap();
        assert_eq!(input.size_bytes, Some(3));
        assert!(input.seekable().is_some());
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }

    #[test]
    fn a_dash_is_standard_input() {
        let input = Input::open(Path::new("-")).unwrap();
        assert!(matches!(input.source, Source::Stdin(_)));
        assert!(input.size_bytes.is_none() && input.seekable().is_none());
    }

    #[test]
    fn a_missing_file_brings_its_neighbour_to_mind() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.warc.gz"), "").unwrap();
        fs::write(folder.path().join("b.warc"), "").unwrap();
        let told = |name| failure(folder.path(), name);
        assert_eq!(told("a.warc"), ("there is no file `a.warc`".into(), vec!["there is `a.warc.gz`".into()]));
        assert_eq!(told("b.warc.gz").1, ["there is `b.warc`"]);
        assert_eq!(told("c.warc").1, Vec::<String>::new());
        assert_eq!(told("x/c.warc").1, ["there is no folder `x` either"]);
    }

    #[test]
    fn a_folder_is_named_as_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("d")).unwrap();
        let (message, hints) = failure(folder.path(), "d");
        assert_eq!(message, "`d` is a folder, not a file");
        assert_eq!(hints, ["name the files in it, for example `d/*.warc.gz`"]);
    }
}
