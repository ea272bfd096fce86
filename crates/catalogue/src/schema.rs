//! The tables, version by version. A database of an older version is brought up to date when it is opened.

use db::Schema;

/// The steps from each version to the next.
pub(crate) const SCHEMA: Schema = Schema {
    name: "catalogue",
    sqlite: &[
        include_str!("../migrations/sqlite/0001_files.sql"),
        include_str!("../migrations/sqlite/0002_totals.sql"),
        include_str!("../migrations/sqlite/0003_not_copied.sql"),
        include_str!("../migrations/sqlite/0004_times.sql"),
        include_str!("../migrations/sqlite/0005_times_contract.sql"),
    ],
    postgres: &[include_str!("../migrations/postgres/0001_catalogue.sql")],
    seeded: &["total"],
};
