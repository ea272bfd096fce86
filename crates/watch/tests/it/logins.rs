//! Issue 20, point 5: a database that was made before version 4 may have user names and passwords in its URLs. They move out when it is opened.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex};

use sqlx::{Connection as _, SqliteConnection};
use urlkey::Login;
use watch::{Error, Monitor, Settings, Wish};

use crate::world::World;

/// Statements that make the database what version 2 has made of a watch of a URL with a password: rows of every table that has URLs, an old row
/// that was deleted, and the version.
const OF_VERSION_2: &str = "
INSERT INTO resource (id, url, key, added_at, newest, digest, asked_url, record_url)
    VALUES (50, 'http://me:sentinel@a.test/p?q', 'x', 0, 1, zeroblob(32), 'http://me:sentinel@a.test/p?q', 'http://me:sentinel@a.test/p?q'),
           (51, 'http://me:sentinel@a.test/both', 'x', 0, 0, NULL, NULL, NULL),
           (52, 'http://a.test/both', 'x', 0, 7, zeroblob(32), NULL, NULL),
           (53, 'http://a.test/@sentry:x', 'x', 0, 0, NULL, NULL, NULL);
INSERT INTO job (id, name, began_at, committed_at) VALUES (50, 'old', 0, 1);
INSERT INTO version (resource, number, at, digest, length, media_type, url, job)
    VALUES (50, 1, 0, zeroblob(32), 5, 'text/html', 'http://me:sentinel@a.test/p?q', 50);
INSERT INTO look (id, resource, job, at, outcome, final_url, took_ms, version)
    VALUES (50, 50, 50, 0, 'first', 'http://me:sentinel@a.test/p?q', 1, 1);
INSERT INTO person (id, name, added_at) VALUES (50, 'ann', 0), (51, 'bob', 0);
INSERT INTO watch (id, owner, resource, every, due_at, added_at, title, rules, notify)
    VALUES (50, 50, 50, 60, 0, 0, 'http://me:sentinel@a.test/p?q', '', ''), (51, 50, 51, 60, 0, 0, '', '', ''),
           (52, 51, 51, 60, 0, 0, '', '', ''), (53, 51, 52, 60, 0, 0, '', '', '');
INSERT INTO news (id, watch, kind, at, mark, summary, text, html)
    VALUES (50, 50, 'changed', 0, 1, 's', 'http://me:sentinel@a.test/p', '<a href=\"http://me:sentinel@a.test/p\">');
INSERT INTO person (id, name, added_at) VALUES (90, 'http://me:sentinel@gone.test/', 0);
DELETE FROM person WHERE id = 90;
DROP INDEX watch_ahead;
PRAGMA user_version = 2;
";

/// A world whose database is of version 2.
async fn world_of_version_2() -> World {
    let world = World::new().await;
    world.monitor.clone().close().await;
    let mut connection = connect(&world).await;
    sqlx::raw_sql(OF_VERSION_2).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    assert!(is_in_files(&world));
    world
}

async fn connect(world: &World) -> SqliteConnection {
    let url = format!("sqlite://{}", world.folder.path().join("watch.db").display());
    SqliteConnection::connect(&url).await.unwrap()
}

/// Whether the password is anywhere in the files of the database.
fn is_in_files(world: &World) -> bool {
    let names = ["watch.db", "watch.db-wal"];
    let has = |bytes: &[u8]| bytes.windows(8).any(|window| window == b"sentinel");
    names.iter().any(|name| fs::read(world.folder.path().join(name)).is_ok_and(|bytes| has(&bytes)))
}

/// Settings that keep logins in a list.
fn keeping(world: &World, kept: &Arc<Mutex<Vec<Login>>>) -> Settings {
    let kept = kept.clone();
    let keep = move |logins: Vec<Login>| -> io::Result<()> {
        kept.lock().unwrap().extend(logins);
        Ok(())
    };
    Settings { keep_logins: Some(Arc::new(keep)), ..world.settings() }
}

#[tokio::test]
async fn passwords_move_out_of_a_database_of_version_2() {
    let world = world_of_version_2().await;
    let kept = Arc::default();
    let monitor = Monitor::open(&world.archive, keeping(&world, &kept)).await.unwrap();
    let origins: Vec<String> = kept.lock().unwrap().iter().map(|login| login.origin.clone()).collect();
    assert_eq!(origins, ["http://a.test", "http://a.test"]);
    assert_eq!(kept.lock().unwrap()[0].password, b"sentinel");
    // History and watches go with the page.
    let watch = monitor.watch(50).await.unwrap();
    assert_eq!((watch.url.as_str(), watch.wish.title.as_str()), ("http://a.test/p?q", "http://a.test/p?q"));
    let page = monitor.resource("http://a.test/p?q").unwrap();
    assert_eq!(page.versions_before(None, 9).await.unwrap()[0].url, "http://a.test/p?q");
    // Of two that have become one, those who watched the one watch the other; bob, who watched both, watches it once.
    assert_eq!(monitor.watch(51).await.unwrap().url, "http://a.test/both");
    assert!(matches!(monitor.watch(52).await, Err(Error::NoWatch(52))));
    assert_eq!(monitor.watches_named("http://a.test/both", None, 9).await.unwrap().len(), 2);
    // What only looks like one stays.
    monitor.resource("http://a.test/@sentry:x").unwrap().versions_before(None, 1).await.unwrap();
    monitor.close().await;
    assert!(!is_in_files(&world));
    // The second time there is nothing to do.
    kept.lock().unwrap().clear();
    Monitor::open(&world.archive, keeping(&world, &kept)).await.unwrap().close().await;
    assert!(kept.lock().unwrap().is_empty());
}

#[tokio::test]
async fn passwords_stay_until_they_are_stored() {
    let world = world_of_version_2().await;
    let refuse = |_: Vec<Login>| -> io::Result<()> { Err(io::Error::other("the disk is full")) };
    let settings = Settings { keep_logins: Some(Arc::new(refuse)), ..world.settings() };
    let error = Monitor::open(&world.archive, settings).await.unwrap_err();
    assert!(matches!(error, Error::Open(_)), "{error}");
    // Who looks at the database without a place to store them leaves them there.
    assert!(watch::is_usable(world.folder.path(), None).await.unwrap());
    assert!(is_in_files(&world));
    let kept = Arc::default();
    Monitor::open(&world.archive, keeping(&world, &kept)).await.unwrap().close().await;
    assert_eq!((kept.lock().unwrap().len(), is_in_files(&world)), (2, false));
}

#[tokio::test]
async fn a_watch_never_has_a_password_in_its_url() {
    let world = World::new().await;
    let person = world.monitor.person("ann").await.unwrap();
    let url = world.site.url("/").replace("http://", "http://me:sentinel@");
    let watch = world.monitor.add_watch(&person, &url, &Wish::default()).await.unwrap();
    assert_eq!(watch.url, world.site.url("/"));
    world.site.page("/", "one");
    world.monitor.resource(&url).unwrap().check().await.unwrap();
    world.monitor.clone().close().await;
    assert!(!is_in_files(&world));
}
