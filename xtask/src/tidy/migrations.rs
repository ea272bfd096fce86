//! Migrations expand first and contract in a later version: during an upgrade, programs of both versions use one database.
//!
//! A migration that removes or renames anything, or that wants a value of rows that an earlier program writes, begins with the line
//! `-- Contracts what version N expanded`, where N is an earlier version of the same tables.

use regex::Regex;

use super::Fault;
use super::source::pattern;
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let rules = Rules::new();
    tree.files
        .iter()
        .filter_map(|file| Some((file, version(&file.path)?)))
        .flat_map(|(file, version)| rules.check_file(file, version))
        .collect()
}

/// The version that a migration leads to: `crates/x/migrations/sqlite/0002_name.sql` leads to 2.
fn version(path: &str) -> Option<u32> {
    let mut parts = path.rsplit('/');
    let name = parts.next()?.strip_suffix(".sql")?;
    let (_dialect, folder) = (parts.next()?, parts.next()?);
    (folder == "migrations").then(|| name.split('_').next()?.parse().ok()).flatten()
}

struct Rules {
    header: Regex,
    comment: Regex,
    contracting: Regex,
    column: Regex,
}

impl Rules {
    fn new() -> Rules {
        Rules {
            header: pattern(r"(?i)^-- contracts what version (\d+) expanded"),
            comment: pattern(r"--[^\n]*"),
            // A dropped index or trigger changes no row. A type is changed by `ALTER COLUMN … TYPE`.
            contracting: pattern(
                r"(?i)\bDROP\s+(TABLE|COLUMN|VIEW|SCHEMA|TYPE)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b",
            ),
            column: pattern(r"(?i)\bADD\s+(COLUMN\s+)?[^;,]*\bNOT\s+NULL\b[^;,]*"),
        }
    }

    fn check_file(&self, file: &File, version: u32) -> Vec<Fault> {
        let expanded =
            self.header.captures(&file.text).and_then(|found| found.get(1)?.as_str().parse::<u32>().ok());
        match expanded {
            Some(expanded) if expanded < version => return Vec::new(),
            Some(_) => {
                return vec![Fault::new(
                    &file.path,
                    1,
                    "a migration contracts what an earlier version expanded",
                )];
            }
            None => {}
        }
        // The same length, so that lines stay where they are.
        let code = self.comment.replace_all(&file.text, |found: &regex::Captures<'_>| {
            " ".repeat(found.get(0).map_or(0, |all| all.len()))
        });
        let line = |at: usize| 1 + code.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let contracting = self.contracting.find_iter(&code).map(|found| {
            let message = format!(
                "`{}` in a migration whose first line is not `-- Contracts what version N expanded`",
                found.as_str()
            );
            Fault::new(&file.path, line(found.start()), message)
        });
        let wanting =
            self.column.find_iter(&code).filter(|found| !found.as_str().to_uppercase().contains("DEFAULT"));
        let wanting = wanting.map(|found| {
            Fault::new(
                &file.path,
                line(found.start()),
                "a new column is NOT NULL without a DEFAULT: an earlier program does not write it",
            )
        });
        contracting.chain(wanting).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_faults(path: &str, text: &str, lines: &[usize]) {
        let found: Vec<usize> =
            check(&Tree::of(&[(path, text)])).into_iter().map(|fault| fault.line).collect();
        assert_eq!(found, lines, "{text}");
    }

    #[test]
    fn a_migration_that_expands_is_fine() {
        let path = "crates/x/migrations/postgres/0002_more.sql";
        check_faults(path, "-- DROP TABLE is only mentioned.\nCREATE TABLE t (x BIGINT NOT NULL);", &[]);
        check_faults(path, "ALTER TABLE t ADD COLUMN y BIGINT NOT NULL DEFAULT 0;\nDROP INDEX t_x;", &[]);
        check_faults("crates/x/sql/drop.sql", "DROP TABLE t", &[]);
    }

    #[test]
    fn a_migration_that_contracts_names_the_version_that_expanded() {
        let path = "crates/x/migrations/sqlite/0003_less.sql";
        for contracting in [
            "DROP TABLE t;",
            "ALTER TABLE t DROP COLUMN x;",
            "ALTER TABLE t RENAME COLUMN x TO y;",
            "ALTER TABLE t ALTER COLUMN x TYPE TEXT;",
            "ALTER TABLE t ALTER x SET NOT NULL;",
            "ALTER TABLE t ADD COLUMN y BIGINT NOT NULL;",
        ] {
            check_faults(path, &format!("-- Less.\n\n{contracting}"), &[3]);
            check_faults(path, &format!("-- Contracts what version 2 expanded.\n{contracting}"), &[]);
            check_faults(path, &format!("-- Contracts what version 3 expanded.\n{contracting}"), &[1]);
        }
    }
}
