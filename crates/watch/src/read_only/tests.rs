//! The three ways to read a database whose folder cannot be written. They are told apart by the files alone, so that these tests also work as root.

use std::fs;

use sqlx::sqlite::SqliteJournalMode;

use super::*;

/// Opens a database as a process that writes does.
async fn writer(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection =
        SqliteConnection::connect_with(&options.journal_mode(SqliteJournalMode::Wal)).await.unwrap();
    if schema::version(&mut connection).await.unwrap() < schema::VERSION {
        schema::migrate(&mut connection, None).await.unwrap();
    }
    connection
}

async fn add(connection: &mut SqliteConnection, name: &str) {
    let add = sqlx::query("INSERT INTO person (name, added_at) VALUES (?1, 0)").bind(name.to_owned());
    add.execute(connection).await.unwrap();
}

async fn names(found: &ReadOnlyDatabase) -> Vec<String> {
    let mut connection = SqliteConnection::connect_with(&options(found)).await.unwrap();
    let names = sqlx::query_scalar("SELECT name FROM person ORDER BY name");
    let names = names.fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    names
}

fn options(found: &ReadOnlyDatabase) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(&found.path).read_only(true).immutable(found.is_quiet)
}

#[tokio::test]
async fn a_database_that_no_process_has_open_is_read_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.db");
    let mut connection = writer(&path).await;
    add(&mut connection, "ann").await;
    connection.close().await.unwrap();
    let found = find(&path).await.unwrap();
    assert!(found.copy.is_none());
    assert_eq!(names(&found).await, ["ann"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Its WAL is empty until it writes.
#[tokio::test]
async fn a_database_that_another_process_has_opened_shows_its_later_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.db");
    writer(&path).await.close().await.unwrap();
    let mut connection = writer(&path).await;
    assert_eq!(fs::metadata(beside(&path, "-wal")).unwrap().len(), 0);
    let found = find(&path).await.unwrap();
    add(&mut connection, "ann").await;
    assert_eq!(names(&found).await, ["ann"]);
}

#[tokio::test]
async fn a_wal_that_a_crash_has_left_is_read() {
    let (folder, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (path, left) = (folder.path().join("watch.db"), crashed.path().join("watch.db"));
    let mut connection = writer(&path).await;
    add(&mut connection, "ann").await;
    fs::copy(&path, &left).unwrap();
    fs::copy(beside(&path, "-wal"), beside(&left, "-wal")).unwrap();
    assert!(fs::metadata(beside(&left, "-wal")).unwrap().len() > 0);
    let found = find(&left).await.unwrap();
    assert_eq!(names(&found).await, ["ann"]);
}

#[tokio::test]
async fn a_database_of_version_2_is_migrated_in_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.db");
    let mut connection = writer(&path).await;
    add(&mut connection, "ann").await;
    let older = sqlx::raw_sql("DROP INDEX watch_ahead; PRAGMA user_version = 2;");
    older.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let found = find(&path).await.unwrap();
    assert!(found.copy.is_some());
    assert_eq!(names(&found).await, ["ann"]);
    assert_eq!(version(&options(&found)).await.unwrap(), schema::VERSION);
    let original = SqliteConnectOptions::new().filename(&path).read_only(true).immutable(true);
    assert_eq!(version(&original).await.unwrap(), 2);
}

#[tokio::test]
async fn an_archive_without_a_database_is_read_as_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let found = find(&folder.path().join("watch.db")).await.unwrap();
    assert!(names(&found).await.is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
