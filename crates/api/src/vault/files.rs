//! The files that are kept, with their copies: all of them by name, or those of a replica that are not as they should be.

use catalogue::{Copy, File, State};
use serde::Serialize;

use super::Keeping;
use crate::error::Error;

/// Which files are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Those behind this one, in the order of the list.
    pub behind: String,
    /// So many.
    pub most: u32,
    /// Only those whose copy in this replica is in that state.
    pub bad: Option<(String, State)>,
}

/// Some of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilePage {
    /// The files.
    pub files: Vec<FileRow>,
    /// Further ones are those behind this; `None` at the end.
    pub next: Option<String>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// `<job>/<file>`.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// When every replica was found to have it.
    pub accepted_at: Option<String>,
    /// How it stands with it in each replica.
    pub copies: Vec<CopyRow>,
}

/// A file in a replica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CopyRow {
    /// Which replica.
    pub replica: String,
    /// `wanted`, `uploading`, `uploaded`, `verified`, `failed`, `missing` or `changed`.
    pub state: &'static str,
    /// The checksum that was found, where it is not the right one.
    pub found: Option<String>,
    /// Why it failed.
    pub why: Option<String>,
    /// How often making it has failed since it last succeeded.
    pub tries: u32,
    /// When it is to be tried next, if it is.
    pub due_at: Option<String>,
    /// When it was last found to be as it should.
    pub checked_at: Option<String>,
}

impl Wanted {
    /// Those of a replica that are in a bad state, by their words.
    ///
    /// # Errors
    /// When only one of both is said, or the state is not a bad one.
    pub fn bad(replica: Option<&str>, state: Option<&str>) -> Result<Option<(String, State)>, Error> {
        let states = [State::Failed, State::Missing, State::Changed];
        match (replica, state) {
            (None, None) => Ok(None),
            (Some(replica), Some(word)) => {
                let state = states.into_iter().find(|state| state.name() == word);
                let state = state.ok_or_else(|| {
                    Error::bad("files can be listed that are `failed`, `missing` or `changed`")
                })?;
                Ok(Some((replica.to_owned(), state)))
            }
            _ => Err(Error::bad("`replica` and `state` go together")),
        }
    }
}

impl Keeping {
    /// Some of the files: all by their names, or those of a replica that are not as they should be.
    ///
    /// # Errors
    /// When there is no such replica, the file to go on behind is not known, or the catalogue cannot be read.
    pub fn files(&self, wanted: &Wanted) -> Result<FilePage, Error> {
        let most = wanted.most.min(self.limits.kept_files).max(1);
        let catalogue = self.catalogue();
        // One more tells whether there are more.
        let mut files = match &wanted.bad {
            None => catalogue.files(&wanted.behind, most + 1)?,
            Some((replica, state)) => {
                let behind = self.behind(&wanted.behind)?;
                catalogue.bad(replica, *state, behind.as_ref(), most + 1)?
            }
        };
        let is_more = files.len() > most as usize;
        files.truncate(most as usize);
        let next = files.last().filter(|_| is_more).map(|file| file.name.clone());
        let rows = files.iter().map(|file| self.row(file)).collect::<Result<_, Error>>()?;
        Ok(FilePage { files: rows, next })
    }

    /// The file to go on behind. One that is not known must not begin the list anew: whoever reads it page by page would never end.
    fn behind(&self, name: &str) -> Result<Option<File>, Error> {
        if name.is_empty() {
            return Ok(None);
        }
        let file = self.catalogue().file(name)?;
        let file = file.ok_or_else(|| Error::bad(format!("no file `{name}` is kept to go on behind")))?;
        Ok(Some(file))
    }

    /// One file.
    ///
    /// # Errors
    /// When there is none of that name, or the catalogue cannot be read.
    pub fn file(&self, name: &str) -> Result<FileRow, Error> {
        let file = self.catalogue().file(name)?;
        let file = file.ok_or_else(|| Error::NotFound(format!("no file `{name}` is kept")))?;
        self.row(&file)
    }

    fn row(&self, file: &File) -> Result<FileRow, Error> {
        let copies = self.catalogue().copies(file)?;
        // One of a replica that was given up is nobody's concern.
        let places = self.keeper.vault().places();
        let is_here = |copy: &Copy| places.iter().any(|place| place.name == copy.replica);
        Ok(FileRow {
            name: file.name.clone(),
            bytes: file.bytes,
            sha256: file.sha256.clone(),
            accepted_at: file.accepted_at.map(|at| at.to_string()),
            copies: copies.into_iter().filter(is_here).map(CopyRow::of).collect(),
        })
    }
}

impl CopyRow {
    fn of(copy: Copy) -> CopyRow {
        let is_due = matches!(copy.state, State::Wanted | State::Uploading | State::Uploaded | State::Failed);
        CopyRow {
            replica: copy.replica,
            state: copy.state.name(),
            found: copy.found,
            why: copy.why,
            tries: copy.tries,
            due_at: is_due.then(|| copy.due_at.to_string()),
            checked_at: copy.checked_at.map(|at| at.to_string()),
        }
    }
}
