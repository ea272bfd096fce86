//! Opening and migrating.

use db::{Database, Error, Location, Schema, Settings};

use crate::world::{EARLIER, SCHEMA, World, add, texts, total, wait};

pub(crate) fn rows_are_there_again() {
    let world = World::new();
    wait(async {
        let database = world.open().await;
        add(&database, "one").await.unwrap();
        database.close().await;
        assert_eq!(texts(&world.open().await).await, ["one"]);
    });
}

pub(crate) fn tables_of_an_earlier_version_are_migrated() {
    let world = World::new();
    wait(async {
        let earlier = Database::open(&world.location, EARLIER, Settings::default()).await.unwrap();
        add(&earlier, "one").await.unwrap();
        earlier.close().await;
        let database = world.open().await;
        add(&database, "two").await.unwrap();
        assert_eq!(
            (texts(&database).await, total(&database).await),
            (vec!["one".to_owned(), "two".to_owned()], 2)
        );
    });
}

pub(crate) fn tables_of_a_later_version_are_left_alone() {
    let world = World::new();
    wait(async {
        let database = world.open().await;
        add(&database, "one").await.unwrap();
        let error = Database::open(&world.location, EARLIER, Settings::default()).await.unwrap_err();
        assert!(matches!(error, Error::Later { found: 2, known: 1, .. }), "{error}");
        assert!(error.to_string().contains("later version") && error.hint().is_some());
        assert_eq!(texts(&database).await, ["one"]);
    });
}

pub(crate) fn a_migration_that_fails_changes_nothing() {
    const BROKEN: &[&str] = &["CREATE TABLE half (id INTEGER)", "CREATE TABLE half (id INTEGER)"];
    let broken = Schema { name: "notes", sqlite: BROKEN, postgres: BROKEN, seeded: &[] };
    let world = World::new();
    wait(async {
        let failed = Database::open(&world.location, broken, Settings::default()).await;
        assert!(matches!(failed, Err(Error::Open { .. })));
        let database = world.open().await;
        assert!(db::query("SELECT id FROM half").fetch_all(&database).await.is_err());
    });
}

pub(crate) fn several_migrate_at_once() {
    let world = World::new();
    wait(async {
        let earlier = Database::open(&world.location, EARLIER, Settings::default()).await.unwrap();
        add(&earlier, "one").await.unwrap();
        earlier.close().await;
        let open = || {
            let location = world.location.clone();
            tokio::spawn(async move { Database::open(&location, SCHEMA, Settings::default()).await })
        };
        for opening in [open(), open(), open(), open()] {
            assert_eq!(total(&opening.await.unwrap().unwrap()).await, 1);
        }
    });
}

#[test]
fn a_server_that_is_not_there_is_unreachable_within_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("postgres://varve:hunter2@localhost/x?host={}", folder.path().display());
    let error =
        wait(Database::open(&Location::parse(&url).unwrap(), SCHEMA, Settings::default())).unwrap_err();
    assert!(error.is_unreachable() && !error.is_damaged() && error.hint().is_some(), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}
