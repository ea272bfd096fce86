//! Opening, migrating, copying, several at once.

use std::os::unix::fs::PermissionsExt as _;

use catalogue::{AuditKind, Catalogue, Error, Kind, Replica, State, Sums};
use sqlx::{Connection as _, SqliteConnection};

use crate::world::{World, at, sha256};

/// Statements of somebody who has the file in his hands.
#[track_caller]
pub(crate) fn tamper(world: &World, statements: &'static str) {
    try_to_tamper(world, statements).unwrap();
}

/// The same, where it may be refused.
pub(crate) fn try_to_tamper(world: &World, statements: &'static str) -> sqlx::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}", world.catalogue.path().display());
        let mut connection = SqliteConnection::connect(&url).await?;
        sqlx::raw_sql(statements).execute(&mut connection).await?;
        connection.close().await
    })
}

#[test]
fn what_was_put_in_is_there_again() {
    let world = World::new();
    let file = world.file(7);
    let again = Catalogue::open(world.catalogue.path()).unwrap();
    assert_eq!(again.file("job/7.warc.gz").unwrap(), Some(file));
    assert_eq!(again.file("job/8.warc.gz").unwrap(), None);
    let names: Vec<String> = again.replicas().unwrap().into_iter().map(|replica| replica.name).collect();
    assert_eq!(names, ["one", "two"]);
}

#[test]
fn a_later_version_is_left_alone() {
    let world = World::new();
    tamper(&world, "PRAGMA user_version = 99");
    let error = Catalogue::open(world.catalogue.path()).unwrap_err();
    assert!(matches!(error, Error::Later { found: 99, known: 3, .. }), "{error}");
}

/// D21: what an earlier version made is brought up to date, and nothing of it is lost.
#[test]
fn d21_a_catalogue_of_version_1_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalogue.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}?mode=rwc", path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        let made = include_str!("../../migrations/sqlite/0001_files.sql");
        sqlx::raw_sql(made).execute(&mut connection).await.unwrap();
        let rows = "INSERT INTO replica VALUES (1, 'one', 'folder', '2026-11-18T00:00:00.000Z');
            INSERT INTO file VALUES (1, 'job/a', 10, printf('%064d', 1), '2026-11-18T00:00:00.000Z', '2026-11-18T01:00:00.000Z');
            INSERT INTO file VALUES (2, 'job/b', 5, printf('%064d', 2), '2026-11-18T00:00:00.000Z', NULL);
            INSERT INTO copy (file, replica, state, due_at) VALUES (1, 1, 'verified', ''), (2, 1, 'wanted', '');
            INSERT INTO audit (replica, kind, state, began_at, files) VALUES (1, 'checksum', 'done', '2026-11-18T02:00:00.000Z', 1);";
        sqlx::raw_sql(rows).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
    let catalogue = Catalogue::open(&path).unwrap();
    assert_eq!(catalogue.sums().unwrap(), Sums { files: 2, bytes: 15, accepted: 1 });
    let audit = catalogue.last_audit("one", AuditKind::Checksum).unwrap().unwrap();
    assert_eq!((audit.files, audit.not_copied), (1, 0));
    let unverified = catalogue.unverified("one", None, 10).unwrap();
    assert_eq!(unverified.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["job/b"]);
    assert_eq!(catalogue.unverified("one", unverified.last(), 10).unwrap(), []);
    catalogue.change(|change| change.add_file("job/c", 7, &sha256(3), at(0))).unwrap();
    assert_eq!(catalogue.sums().unwrap(), Sums { files: 3, bytes: 22, accepted: 1 });
}

#[test]
fn a_database_that_is_damaged_inside_says_so() {
    let world = World::new();
    (0..500).for_each(|number| drop(world.file(number)));
    assert!(world.catalogue.is_whole().unwrap());
    let copy = world.folder.path().join("copy.db");
    world.catalogue.back_up(&copy).unwrap();
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0xee);
    std::fs::write(&copy, bytes).unwrap();
    assert!(!Catalogue::open(&copy).unwrap().is_whole().unwrap());
}

/// What is recorded of a file can be put right; what was counted follows.
#[test]
fn d12_a_corrected_file_is_wanted_again_everywhere() {
    let world = World::new();
    let file = world.file(7);
    let before = world.catalogue.sums().unwrap();
    world.catalogue.change(|change| change.correct_file(&file, file.bytes + 5, &sha256(99), at(9))).unwrap();
    let corrected = world.catalogue.file(&file.name).unwrap().unwrap();
    assert_eq!((corrected.bytes, corrected.sha256.as_str()), (file.bytes + 5, sha256(99).as_str()));
    assert_eq!(world.catalogue.sums().unwrap(), Sums { bytes: before.bytes + 5, accepted: 0, ..before });
    for tally in world.catalogue.tallies().unwrap().into_iter().filter(|tally| tally.files > 0) {
        assert_eq!((tally.state, tally.bytes), (State::Wanted, before.bytes + 5), "{}", tally.replica);
    }
}

#[test]
fn what_is_no_database_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalogue.db");
    std::fs::write(&path, "a text of some length that is no database at all".repeat(100)).unwrap();
    assert!(matches!(Catalogue::open(&path), Err(Error::Open { .. })));
    assert!(matches!(Catalogue::open(&folder.path().join("no/such/folder.db")), Err(Error::Open { .. })));
}

#[test]
fn a_change_that_fails_leaves_nothing() {
    let world = World::new();
    let failed: Result<(), Error> = world.catalogue.change(|change| {
        change.add_file("job/a", 1, &sha256(1), at(0))?;
        Err(Error::NoFile("whatever".to_owned()))
    });
    assert!(failed.is_err());
    assert_eq!(world.catalogue.sums().unwrap().files, 0);
    // The next is not hindered by it.
    world.file(1);
}

#[test]
fn d21_a_copy_is_made_while_it_is_used() {
    let world = World::new();
    let file = world.file(3);
    let to = world.folder.path().join("copy.db");
    world.catalogue.back_up(&to).unwrap();
    world.file(4);
    let copy = Catalogue::open(&to).unwrap();
    assert_eq!(copy.files("", 10).unwrap(), [file]);
    assert!(matches!(world.catalogue.back_up(&to), Err(Error::Exists(_))));
}

#[test]
fn a_copy_has_its_name_when_it_is_whole() {
    let world = World::new();
    world.file(3);
    // What a crash has left of an earlier one is no hindrance.
    let (to, part) = (world.folder.path().join("copy.db"), world.folder.path().join("copy.db.part"));
    std::fs::write(&part, "half a copy").unwrap();
    world.catalogue.back_up(&to).unwrap();
    assert!(!part.exists());
    assert_eq!(Catalogue::open(&to).unwrap().sums().unwrap().files, 1);
    // One that fails leaves nothing.
    let nowhere = world.folder.path().join("no/such/folder.db");
    assert!(world.catalogue.back_up(&nowhere).is_err());
    assert!(!nowhere.exists());
}

#[test]
fn changes_of_several_wait_for_each_other() {
    let world = World::new();
    std::thread::scope(|scope| {
        for part in 0..4_u64 {
            let path = world.catalogue.path();
            scope.spawn(move || {
                let own = Catalogue::open(path).unwrap();
                for number in 0..25 {
                    let number = part * 100 + number;
                    own.change(|change| {
                        change.add_file(&format!("job/{number}"), number, &sha256(number), at(0))?;
                        change.log(at(0), catalogue::Happened::default())
                    })
                    .unwrap();
                }
            });
        }
    });
    assert_eq!(world.catalogue.sums().unwrap().files, 100);
    assert!(matches!(
        world.catalogue.verify_log(None).unwrap(),
        catalogue::Verified::Sound { events: 100, .. }
    ));
}

#[test]
fn a_replica_does_not_change_its_kind() {
    let world = World::new();
    let other = Replica { name: "one".to_owned(), kind: Kind::Bucket };
    let refused = world.catalogue.change(|change| change.add_replica(&other, at(1)));
    assert!(matches!(refused, Err(Error::OtherKind(_))));
}

#[test]
fn other_users_can_read_neither_the_catalogue_nor_its_copies() {
    let world = World::new();
    world.file(7);
    let path = world.catalogue.path().to_owned();
    let beside = |ending: &str| std::path::PathBuf::from(format!("{}{ending}", path.display()));
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o7777;
    for file in [path.clone(), beside("-wal"), beside("-shm")] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    // As an earlier version made it.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let again = Catalogue::open(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
    again.back_up(&beside(".copy")).unwrap();
    assert_eq!(mode(&beside(".copy")), 0o600);
}
