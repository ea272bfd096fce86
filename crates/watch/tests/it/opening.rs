//! Databases that are damaged, of another version, or none at all.

use std::os::unix::fs::PermissionsExt as _;

use sqlx::{Connection as _, SqliteConnection};
use watch::{Error, Monitor, Outcome};

use crate::world::World;

/// Statements of somebody who has the file in his hands.
async fn tamper(world: &World, statements: &'static str) {
    let url = format!("sqlite://{}", world.folder.path().join("watch.db").display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(statements).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn open(world: &World) -> Result<Monitor, Error> {
    Monitor::open(&world.archive, world.settings()).await
}

#[tokio::test]
async fn a_later_version_is_left_alone() {
    let world = World::new().await;
    tamper(&world, "PRAGMA user_version = 99").await;
    let error = open(&world).await.unwrap_err();
    assert!(matches!(error, Error::Later { found: 99, known: 4, .. }), "{error}");
}

#[tokio::test]
async fn what_is_no_database_is_an_error() {
    let world = World::new().await;
    world.monitor.clone().close().await;
    let path = world.folder.path().join("watch.db");
    for name in ["watch.db-wal", "watch.db-shm"] {
        let _ = std::fs::remove_file(world.folder.path().join(name));
    }
    std::fs::write(&path, "a text of some length that is no database at all".repeat(100)).unwrap();
    let error = open(&world).await.unwrap_err();
    assert!(matches!(error, Error::Open(_)) && error.is_damaged(), "{error}");
}

/// Pages full of rubbish: whatever is asked is answered or refused, and the pages tell.
#[tokio::test]
async fn a_database_that_is_damaged_inside_says_so() {
    let world = World::new().await;
    for number in 0..60 {
        let path = format!("/{number}");
        world.site.page(&path, &path);
        world.check(&path).await;
    }
    assert!(world.monitor.is_whole().await.unwrap());
    tamper(&world, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    world.monitor.clone().close().await;
    let path = world.folder.path().join("watch.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let length = bytes.len();
    for page in (4..length / 4096).step_by(2) {
        bytes[page * 4096..(page + 1) * 4096].fill(0xee);
    }
    std::fs::write(&path, bytes).unwrap();
    let _ = std::fs::remove_file(world.folder.path().join("watch.db-wal"));
    let Ok(monitor) = open(&world).await else { return };
    assert!(!monitor.is_whole().await.unwrap());
    world.later();
    let mut refused = 0;
    for number in 0..60 {
        let resource = monitor.resource(&world.site.url(&format!("/{number}"))).unwrap();
        refused += usize::from(resource.check().await.is_err());
        let _ = resource.availability().await;
        let _ = resource.versions(0, 10).await;
    }
    assert!(refused > 0);
}

/// Rows that cannot be are told, never a panic.
#[tokio::test]
async fn rows_that_make_no_sense_are_told() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    let page = world.resource("/");
    tamper(&world, "UPDATE look SET outcome = 'splendid'").await;
    assert!(page.availability().await.unwrap_err().is_damaged());
    tamper(&world, "UPDATE version SET number = 9999999999").await;
    assert!(page.versions(0, 10).await.unwrap_err().is_damaged());
    tamper(&world, "UPDATE resource SET newest = -1").await;
    world.later();
    assert!(page.check().await.unwrap_err().is_damaged());
}

#[tokio::test]
async fn what_was_put_in_is_there_again() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    let world = world.reopen().await;
    assert_eq!(world.outcome("/").await, Outcome::Unchanged);
    assert_eq!(world.site.last("/").fields("if-none-match").len(), 1);
    assert_eq!(world.resource("/").availability().await.unwrap().len(), 2);
}

/// A monitor that is closed says so.
#[tokio::test]
async fn a_closed_monitor_checks_nothing() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.monitor.clone().close().await;
    assert!(world.resource("/").check().await.is_err());
    assert!(world.monitor.commit().await.is_err());
}

/// A database of version 1, with a watch that has seen two versions, is brought up to date: what was before is no news.
#[tokio::test]
async fn a_database_of_version_1_is_opened_for_ever() {
    let world = World::new().await;
    world.monitor.clone().close().await;
    for name in ["watch.db", "watch.db-wal", "watch.db-shm"] {
        let _ = std::fs::remove_file(world.folder.path().join(name));
    }
    let url = format!("sqlite://{}?mode=rwc", world.folder.path().join("watch.db").display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(include_str!("../../migrations/sqlite/0001_watch.sql"))
        .execute(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql(
        "INSERT INTO job VALUES (1, 'watch-20261101000000', 1793491200000, NULL, 1793491200000);
         INSERT INTO resource (id, url, key, added_at, newest, digest) VALUES (1, 'http://a.example/', 'example,a)/', 0, 2, zeroblob(32));
         INSERT INTO version VALUES (1, 1, 1793491200000, zeroblob(32), 3, 'text/html', NULL, 'http://a.example/', NULL, 1);
         INSERT INTO version VALUES (1, 2, 1793491300000, zeroblob(32), 3, 'text/html', NULL, 'http://a.example/', NULL, 1);
         INSERT INTO person VALUES (1, 'me', 0);
         INSERT INTO watch (owner, resource, every, due_at, added_at) VALUES (1, 1, 3600, 0, 0);",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();
    let monitor = open(&world).await.unwrap();
    let [watch] = monitor.watches(None, 0, 10).await.unwrap().try_into().unwrap();
    assert_eq!((watch.owner.as_str(), &watch.wish), ("me", &watch::Wish::default()));
    assert_eq!(monitor.judge().await.unwrap(), []);
    assert_eq!(monitor.state(watch.id, 5).await.unwrap().newest, 2);
}

#[tokio::test]
async fn other_users_can_read_neither_the_database_nor_the_bodies() {
    let world = World::new().await;
    let at = |name: &str| world.folder.path().join(name);
    let mode = |name: &str| at(name).metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(
        [mode("watch.db"), mode("watch.db-wal"), mode("watch.db-shm"), mode("watch")],
        [0o600, 0o600, 0o600, 0o700]
    );
    // As an earlier version made them.
    for (name, before) in [("watch.db", 0o644), ("watch", 0o755)] {
        std::fs::set_permissions(at(name), std::fs::Permissions::from_mode(before)).unwrap();
    }
    open(&world).await.unwrap();
    assert_eq!([mode("watch.db"), mode("watch")], [0o600, 0o700]);
}
