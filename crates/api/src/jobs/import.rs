//! What became of an import, file by file: from its `import.jsonl`.

use archive::Archive;
use serde::{Deserialize, Serialize};

use super::files;

/// The note in which an import says it.
pub const FILE: &str = "import.jsonl";

/// One line of it is a few hundred bytes.
const BYTES_MAX: u64 = 64 << 20;

/// What became of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Import {
    /// Files that it was about.
    pub files: u64,
    /// Files that are in the archive by it: copied, referenced, or indexed in another collection, too.
    pub imported: u64,
    /// Files of which the readable part is.
    pub salvaged: u64,
    /// Files that were in the archive before.
    pub known: u64,
    /// Files of which nothing was taken because they are damaged.
    pub damaged: u64,
    /// Files that could not be read at all.
    pub failed: u64,
    /// Captures that came with them.
    pub captures: u64,
    /// Bytes of the files that were taken.
    pub bytes: u64,
}

#[derive(Deserialize)]
struct Line {
    outcome: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    captures: u64,
}

impl Import {
    /// From the note of a job; `None` if it has none.
    #[must_use]
    pub fn read(archive: &Archive, job: &str) -> Option<Import> {
        let text = files::text(archive, job, FILE, BYTES_MAX)?;
        Some(Import::parse(&text))
    }

    fn parse(text: &str) -> Import {
        let mut sum = Import::default();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
            sum.files += 1;
            let count = match line.outcome.as_str() {
                "imported" | "referenced" | "indexed" => &mut sum.imported,
                "salvaged" => &mut sum.salvaged,
                "known" => &mut sum.known,
                "damaged" => &mut sum.damaged,
                _ => &mut sum.failed,
            };
            *count += 1;
            if matches!(line.outcome.as_str(), "imported" | "referenced" | "indexed" | "salvaged") {
                (sum.captures, sum.bytes) = (sum.captures + line.captures, sum.bytes + line.bytes);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_by_what_became_of_them() {
        let text = r#"{"outcome":"imported","bytes":9,"captures":2}
{"outcome":"indexed","bytes":8,"captures":1}
{"outcome":"known","bytes":7,"captures":5}
no line
{"outcome":"damaged","bytes":6,"captures":4}"#;
        let sum = Import {
            files: 4,
            imported: 2,
            known: 1,
            damaged: 1,
            captures: 3,
            bytes: 17,
            ..Import::default()
        };
        assert_eq!(Import::parse(text), sum);
    }
}
