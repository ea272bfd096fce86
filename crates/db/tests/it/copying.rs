//! Backups, restoring, and whether a database is whole.

use std::fs;

use db::{Database, Error, Settings};
use testkit::postgres::{Kind, kind};

use crate::world::{SCHEMA, World, add, texts, total, wait};

pub(crate) fn a_backup_is_restored_whole() {
    let world = World::new();
    let to = world.folder.path().join("copy");
    wait(async {
        let database = world.open().await;
        for text in ["one", "", "tab\tand\nlines\\.\n\\.", "č"] {
            add(&database, text).await.unwrap();
        }
        database.back_up(&to).await.unwrap();
        let before = texts(&database).await;
        add(&database, "later").await.unwrap();
        let place = world.empty_place("restored.db");
        let restored = Database::restore(&to, &place, SCHEMA, Settings::default()).await.unwrap();
        assert_eq!((texts(&restored).await, total(&restored).await), (before, 4));
        // Numbers and counts go on from there.
        add(&restored, "five").await.unwrap();
        assert_eq!((texts(&restored).await.len(), total(&restored).await), (5, 5));
    });
}

pub(crate) fn a_backup_is_restored_only_into_an_empty_place() {
    let world = World::new();
    let to = world.folder.path().join("copy");
    wait(async {
        let database = world.open().await;
        add(&database, "one").await.unwrap();
        database.back_up(&to).await.unwrap();
        assert!(matches!(database.back_up(&to).await, Err(Error::Exists(_))));
        let refused = Database::restore(&to, &world.location, SCHEMA, Settings::default()).await;
        assert!(matches!(refused, Err(Error::NotEmpty { .. })));
        assert_eq!(texts(&database).await, ["one"]);
    });
}

pub(crate) fn a_damaged_backup_is_refused() {
    let world = World::new();
    let (to, bad) = (world.folder.path().join("copy"), world.folder.path().join("bad"));
    wait(async {
        let database = world.open().await;
        for _ in 0..200 {
            add(&database, "a text that is long enough to fill some pages of the database").await.unwrap();
        }
        database.back_up(&to).await.unwrap();
        let sound = fs::read(&to).unwrap();
        let cut = sound[..sound.len() / 2].to_vec();
        let mut flipped = sound.clone();
        // A whole page: SQLite has no checksums, and a bit in a text is a text.
        let middle = sound.len() / 2 / 4096 * 4096;
        let end = flipped.len().min(middle + 4096);
        flipped[middle..end].fill(0xee);
        for bytes in [cut, flipped, Vec::new(), b"no backup at all".to_vec()] {
            fs::write(&bad, &bytes).unwrap();
            let place = world.empty_place("restored.db");
            let refused = Database::restore(&bad, &place, SCHEMA, Settings::default()).await;
            assert!(matches!(refused, Err(Error::Dump { .. })), "{} bytes: {refused:?}", bytes.len());
            // The place is as empty as before.
            let restored = Database::restore(&to, &place, SCHEMA, Settings::default()).await.unwrap();
            assert_eq!(texts(&restored).await.len(), 200);
            restored.close().await;
            if let Some(path) = place.path() {
                fs::remove_file(path).unwrap();
            }
        }
    });
}

pub(crate) fn a_sound_database_is_whole() {
    let world = World::new();
    wait(async {
        let database = world.open().await;
        add(&database, "one").await.unwrap();
        assert!(database.is_whole().await.unwrap());
    });
}

#[test]
fn a_dump_with_a_changed_bit_anywhere_is_refused() {
    testkit::postgres::run(Kind::Postgres, || {
        assert_eq!(kind(), Kind::Postgres);
        let world = World::new();
        let (to, bad) = (world.folder.path().join("copy"), world.folder.path().join("bad"));
        wait(async {
            let database = world.open().await;
            add(&database, "one").await.unwrap();
            database.back_up(&to).await.unwrap();
            let sound = fs::read(&to).unwrap();
            let place = world.empty_place("restored");
            for place_of_bit in 0..sound.len() {
                let mut bytes = sound.clone();
                bytes[place_of_bit] ^= 1;
                fs::write(&bad, bytes).unwrap();
                let refused = Database::restore(&bad, &place, SCHEMA, Settings::default()).await;
                assert!(matches!(refused, Err(Error::Dump { .. })), "byte {place_of_bit}");
            }
        });
    });
}
