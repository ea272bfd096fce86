//! Looks at what lies in a tree, in a fixed order, without following anything.

use std::collections::BTreeMap;
use std::io::Read as _;

use crate::error::Error;
use crate::limits::Limits;
use crate::tree::{Entry, EntryKind, Tree};

/// Paths of files with their lengths.
pub(crate) type Files = BTreeMap<String, u64>;

/// Everything below a folder.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) files: Files,
    /// Paths of folders without anything in them.
    pub(crate) empty: Vec<String>,
    /// What is neither file nor folder, or has a name that no path can hold.
    pub(crate) odd: Vec<(String, EntryKind)>,
}

/// What lies directly in a folder, by name. Names that are no names (`..`, with a slash) become nameless: no path is made of them.
pub(crate) fn list<T: Tree>(tree: &T, folder: &str, limits: &Limits) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for entry in tree.list(folder).map_err(Error::read(folder))? {
        let mut entry = entry.map_err(Error::read(folder))?;
        if matches!(entry.name.as_str(), "" | "." | "..") || entry.name.contains(['/', '\0']) {
            entry.kind = EntryKind::Nameless;
        }
        if entries.len() >= limits.entries {
            return Err(Error::Limit { what: "files and folders", limit: limits.entries as u64 });
        }
        entries.push(entry);
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// Everything below a folder; the paths begin with it.
pub(crate) fn walk<T: Tree>(tree: &T, folder: &str, limits: &Limits) -> Result<Survey, Error> {
    let mut survey = Survey::default();
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let entries = list(tree, &folder, limits)?;
        if entries.is_empty() {
            survey.empty.push(folder.clone());
        }
        seen += entries.len();
        if seen > limits.entries {
            return Err(Error::Limit { what: "files and folders", limit: limits.entries as u64 });
        }
        for entry in entries {
            let path = join(&folder, &entry.name);
            if path.len() > limits.path_bytes {
                return Err(Error::Limit { what: "bytes of a path", limit: limits.path_bytes as u64 });
            }
            match entry.kind {
                EntryKind::File => drop(survey.files.insert(path, entry.bytes)),
                EntryKind::Folder => folders.push(path),
                kind => survey.odd.push((path, kind)),
            }
        }
    }
    survey.empty.sort();
    survey.odd.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(survey)
}

/// A small file, whole.
pub(crate) fn whole<T: Tree>(tree: &T, path: &str, what: &'static str, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let source = tree.open(path).map_err(Error::read(path))?;
    source.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::read(path))?;
    if bytes.len() as u64 > limit {
        return Err(Error::Limit { what, limit });
    }
    Ok(bytes)
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
