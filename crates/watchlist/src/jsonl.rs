//! Our own export: one JSON object on a line, and nothing is lost.
//!
//! ```text
//! {"varve-watchlist":1}
//! {"url":"https://example.org/","every":"1h","only":["css:main"]}
//! ```

use serde_json::{Value, json};

use crate::decode::check;
use crate::draft::{Drafts, url_fault};
use crate::{Entry, Error, Limits, List, Place};

/// The word in the first line.
pub(crate) const MARK: &str = "varve-watchlist";

/// The version that is written, and the newest that is read.
const VERSION: u64 = 1;

/// Reads an export. It is ours, so that anything odd in it is an error.
///
/// # Errors
/// If a line is not as it was written; the message names the place.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    let text = check(text, limits)?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
    let version = head.as_ref().and_then(|head| head.get(MARK)).and_then(Value::as_u64);
    match version {
        None => {
            return Err(Error::syntax(
                Place::line(1),
                format!("the first line is not {{\"{MARK}\":{VERSION}}}"),
            ));
        }
        Some(found) if found > VERSION || found == 0 => return Err(Error::Version { found, known: VERSION }),
        Some(_) => {}
    }
    let mut drafts = Drafts::new(limits);
    for (number, line) in lines {
        let line_at = |column| Place::Line { line: number + 1, column };
        let entry: Entry = serde_json::from_str(line)
            .map_err(|error| Error::syntax(line_at(error.column()), crate::json::why(&error)))?;
        if let Some(why) = url_fault(&entry.url).or_else(|| limits.fault(&entry)) {
            return Err(Error::syntax(line_at(0), why));
        }
        drafts.add(line_at(0), entry)?;
    }
    Ok(drafts.finish())
}

/// Writes an export. Pauses over a hundred years are written as a hundred years, numbers that are none cannot be read again.
#[must_use]
pub fn write(entries: &[Entry]) -> String {
    let mut text = format!("{}\n", json!({ MARK: VERSION }));
    for entry in entries {
        // Entries are texts and lists of them, of which all can be written.
        if let Ok(line) = serde_json::to_string(entry) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}
