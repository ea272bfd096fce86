//! A frontier of another version of the program.

use std::path::Path;

use fjall::{Database, KeyspaceCreateOptions, PersistMode};
use frontier::{Error, Frontier, Settings};
use tempfile::TempDir;

/// Puts another version into the ledger, in a database with the keyspaces it has; the older version had no log.
fn make(folder: &Path, version: u16) {
    let database = Database::builder(folder).open().unwrap();
    let hosts = database.keyspace("hosts", KeyspaceCreateOptions::default).unwrap();
    let ledger = [version.to_be_bytes().as_slice(), &[0; 56]].concat();
    hosts.insert("s", ledger).unwrap();
    database.persist(PersistMode::SyncAll).unwrap();
}

#[track_caller]
fn check(folder: &Path, version: u16) {
    let error = Frontier::open(folder, &Settings::default()).unwrap_err();
    assert!(matches!(error, Error::Version { found, .. } if found == version), "{error:?}");
    let place = folder.display();
    let expected = format!("the frontier in `{place}` has format {version}; this program knows 2");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_older_or_newer_frontier_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    for version in [1, 3, u16::MAX] {
        let old = folder.path().join(format!("old-{version}"));
        make(&old, version);
        check(&old, version);
        check(&old, version);
        let current = folder.path().join(format!("current-{version}"));
        drop(Frontier::open(&current, &Settings::default()).unwrap());
        make(&current, version);
        check(&current, version);
    }
}
