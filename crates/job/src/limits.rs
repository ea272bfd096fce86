//! Limits that the operator has changed while a job runs: a file in its folder, a line of JSON for each change.
//!
//! A change is on the disk before anybody is told that it holds, so that a job that is killed and resumed keeps it. The file goes into the
//! archive with the job.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Its name in the job's folder.
pub const NAME: &str = "limits.jsonl";

/// The version of the lines.
const FORMAT: u32 = 1;

/// Nobody writes a longer one.
const BYTES_MAX: u64 = 1 << 20;

/// A change of limits. A limit that is `None` stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitChange {
    /// Of one domain, or `*` for each; else of the whole job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<u64>,
    /// Bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl LimitChange {
    /// Whether nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_none() && self.bytes.is_none() && self.seconds.is_none()
    }
}

#[derive(Serialize, Deserialize)]
struct Line {
    format: u32,
    at: String,
    #[serde(flatten)]
    change: LimitChange,
}

/// The changes of a job, the oldest first, each with its time; none where nobody has changed anything.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn read(folder: &Path) -> Result<Vec<(Timestamp, LimitChange)>, Error> {
    let path = folder.join(NAME);
    let damaged = |what: String| Error::Damaged { path: path.clone(), what };
    let parse = |line: &str| {
        let Line { format, at, change } =
            serde_json::from_str(line).map_err(|error| damaged(error.to_string()))?;
        if format > FORMAT {
            let what = format!("its format is {format}, and this program knows those up to {FORMAT}");
            return Err(damaged(what));
        }
        let at = at.parse().map_err(|_| damaged(format!("`{at}` is no time")))?;
        Ok((at, change))
    };
    text(&path)?.lines().map(parse).collect()
}

/// Writes a change down. When this returns, a crash does not undo it.
///
/// # Errors
/// When the file cannot be written, or has too many changes.
pub fn append(folder: &Path, at: Timestamp, change: &LimitChange) -> Result<(), Error> {
    let path = folder.join(NAME);
    let mut text = text(&path)?;
    let line = Line { format: FORMAT, at: at.to_string(), change: change.clone() };
    // Texts and numbers can always be written.
    text.push_str(&serde_json::to_string(&line).unwrap_or_default());
    text.push('\n');
    if text.len() as u64 > BYTES_MAX {
        let what = format!("it would be longer than {BYTES_MAX} bytes: the limits were changed too often");
        return Err(Error::Damaged { path, what });
    }
    let next = path.with_extension("next");
    let file = private::options().write(true).create(true).truncate(true).open(&next);
    let mut file = file.map_err(Error::file(&next))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::file(&next))?;
    fs::rename(&next, &path).map_err(Error::file(&path))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file(folder))
}

fn text(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    match private::read(path) {
        Ok(file) => {
            file.take(BYTES_MAX).read_to_string(&mut text).map_err(Error::file(path))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(Error::file(path)(error)),
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_in_the_order_in_which_they_were_made() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap(), []);
        let job = LimitChange { objects: Some(5), seconds: Some(60), ..LimitChange::default() };
        let domain = LimitChange { domain: Some("*".to_owned()), bytes: Some(1), ..LimitChange::default() };
        let at = Timestamp::from_second(1_794_960_000).unwrap();
        for change in [&job, &domain] {
            append(folder.path(), at, change).unwrap();
        }
        assert_eq!(read(folder.path()).unwrap(), [(at, job), (at, domain)]);
        let text = text(&folder.path().join(NAME)).unwrap();
        assert_eq!(
            text.lines().next().unwrap(),
            r#"{"format":1,"at":"2026-11-18T00:00:00Z","objects":5,"seconds":60}"#
        );
    }

    #[test]
    fn lines_of_a_later_format_and_damaged_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for line in [r#"{"format":2,"at":"2026-11-18T00:00:00Z"}"#, r#"{"format":1,"at":"now"}"#, "{"] {
            fs::write(folder.path().join(NAME), format!("{line}\n")).unwrap();
            assert!(matches!(read(folder.path()), Err(Error::Damaged { .. })), "{line}");
        }
    }
}
