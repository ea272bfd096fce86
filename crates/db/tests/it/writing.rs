//! Changes: of one, of several, and while the server is away.

use std::time::Duration;

use db::{Attempts, Database, Error, Location, Settings};

use crate::world::{SCHEMA, World, add, texts, total, wait};

pub(crate) fn a_change_is_seen_when_it_is_committed() {
    let world = World::new();
    wait(async {
        let database = world.open().await;
        let mut change = database.begin().await.unwrap();
        let written = db::query("INSERT INTO note (text) VALUES ($1), ($2)").bind("one").bind("two");
        assert_eq!(written.execute(&mut change).await.unwrap(), 2);
        assert_eq!(texts(&database).await, [""; 0]);
        change.commit().await.unwrap();
        assert_eq!(texts(&database).await, ["one", "two"]);
    });
}

pub(crate) fn a_change_that_is_dropped_leaves_nothing() {
    let world = World::new();
    wait(async {
        let database = world.open().await;
        let mut change = database.begin().await.unwrap();
        db::query("INSERT INTO note (text) VALUES ($1)").bind("one").execute(&mut change).await.unwrap();
        drop(change);
        add(&database, "two").await.unwrap();
        assert_eq!(texts(&database).await, ["two"]);
    });
}

/// Each reads what the one before wrote: two opened databases stand for two processes.
pub(crate) fn writers_wait_for_each_other() {
    let world = World::new();
    wait(async {
        let mut writers = Vec::new();
        for _ in 0..2 {
            let database = world.open().await;
            for _ in 0..4 {
                let database = database.clone();
                writers.push(tokio::spawn(async move {
                    for _ in 0..10 {
                        let mut change = database.begin().await.unwrap();
                        let count = db::query("SELECT count(*) AS notes FROM note")
                            .fetch_one(&mut change)
                            .await
                            .unwrap();
                        let text = count.get::<i64>("notes").unwrap().to_string();
                        let insert = db::query("INSERT INTO note (text) VALUES ($1)").bind(text);
                        insert.execute(&mut change).await.unwrap();
                        change.commit().await.unwrap();
                    }
                }));
            }
        }
        for writer in writers {
            writer.await.unwrap();
        }
        let database = world.open().await;
        let expected: Vec<String> = (0..80).map(|number: u32| number.to_string()).collect();
        assert_eq!(texts(&database).await, expected);
        assert_eq!(total(&database).await, 80);
    });
}

pub(crate) fn retry_ends_with_the_last_conflict() {
    let world = World::new();
    wait(async {
        let impatient = Settings { patience: Duration::from_millis(20), ..Settings::default() };
        let database = world.open().await;
        let other = Database::open(&world.location, SCHEMA, impatient).await.unwrap();
        let held = database.begin().await.unwrap();
        let attempts = Attempts { most: 3, pause: Duration::from_millis(1), ..Attempts::default() };
        let mut tries = 0;
        let refused = db::retry(attempts, async || {
            tries += 1;
            add(&other, "one").await
        });
        assert!(refused.await.unwrap_err().is_conflict());
        assert_eq!(tries, 3);
        held.roll_back().await.unwrap();
        db::retry(attempts, async || add(&other, "one").await).await.unwrap();
        // Only conflicts are tried again.
        let mut tries = 0;
        let failed: Result<(), Error> = db::retry(attempts, async || {
            tries += 1;
            db::query("SELECT no_such_column FROM note").fetch_all(&other).await.map(drop)
        })
        .await;
        assert!(failed.is_err());
        assert_eq!((tries, texts(&database).await), (1, vec!["one".to_owned()]));
    });
}

#[test]
fn a_server_that_disappears_is_unreachable_until_it_is_back() {
    let Some(mut server) = testkit::postgres::Server::start() else { return };
    let location = Location::parse(&server.database()).unwrap();
    wait(async {
        let settings = Settings { connect_time: Duration::from_millis(300), ..Settings::default() };
        let database = Database::open(&location, SCHEMA, settings).await.unwrap();
        add(&database, "one").await.unwrap();
        let mut half = database.begin().await.unwrap();
        db::query("INSERT INTO note (text) VALUES ('half')").execute(&mut half).await.unwrap();
        server.stop();
        assert!(half.commit().await.unwrap_err().is_unreachable());
        assert!(add(&database, "two").await.unwrap_err().is_unreachable());
        server.go_on();
        add(&database, "two").await.unwrap();
        assert_eq!(texts(&database).await, ["one", "two"]);
    });
}
