//! Opening, migrating, copying, several at once.

use std::os::unix::fs::PermissionsExt as _;

use catalogue::{AuditKind, Catalogue, Error, Kind, Replica, State, Sums};
use db::Location;
use sqlx::{Connection as _, PgConnection, SqliteConnection};

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
        match &world.url {
            None => {
                let mut connection =
                    SqliteConnection::connect(&format!("sqlite://{}", world.path().display())).await?;
                sqlx::raw_sql(statements).execute(&mut connection).await?;
                connection.close().await
            }
            Some(url) => {
                let mut connection = PgConnection::connect(url).await?;
                sqlx::raw_sql("SET search_path = catalogue").execute(&mut connection).await?;
                sqlx::raw_sql(statements).execute(&mut connection).await?;
                connection.close().await
            }
        }
    })
}

pub(crate) fn what_was_put_in_is_there_again() {
    let world = World::new();
    let file = world.file(7);
    let again = Catalogue::open_at(world.catalogue.location(), &world.path()).unwrap();
    assert_eq!(again.file("job/7.warc.gz").unwrap(), Some(file));
    assert_eq!(again.file("job/8.warc.gz").unwrap(), None);
    let names: Vec<String> = again.replicas().unwrap().into_iter().map(|replica| replica.name).collect();
    assert_eq!(names, ["one", "two"]);
}

pub(crate) fn a_later_version_is_left_alone() {
    let world = World::new();
    let known = if world.url.is_none() { 5 } else { 1 };
    tamper(
        &world,
        if world.url.is_none() {
            "PRAGMA user_version = 99"
        } else {
            "UPDATE schema_version SET version = 99"
        },
    );
    let error = Catalogue::open_at(world.catalogue.location(), &world.path()).unwrap_err();
    assert!(matches!(error, Error::Later { found: 99, known: is_known, .. } if is_known == known), "{error}");
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
            INSERT INTO audit (replica, kind, state, began_at, files) VALUES (1, 'checksum', 'done', '2026-11-18T02:00:00.500Z', 1);";
        sqlx::raw_sql(rows).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
    let catalogue = Catalogue::open(&path).unwrap();
    assert_eq!(catalogue.sums().unwrap(), Sums { files: 2, bytes: 15, accepted: 1 });
    let audit = catalogue.last_audit("one", AuditKind::Checksum).unwrap().unwrap();
    assert_eq!((audit.files, audit.not_copied), (1, 0));
    assert_eq!(audit.began_at, "2026-11-18T02:00:00.5Z".parse().unwrap());
    let accepted = catalogue.file("job/a").unwrap().unwrap().accepted_at;
    assert_eq!(accepted, Some("2026-11-18T01:00:00Z".parse().unwrap()));
    let unverified = catalogue.unverified("one", None, 10).unwrap();
    assert_eq!(unverified.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["job/b"]);
    assert_eq!(catalogue.unverified("one", unverified.last(), 10).unwrap(), []);
    catalogue.change(|change| change.add_file("job/c", 7, &sha256(3), at(0))).unwrap();
    assert_eq!(catalogue.sums().unwrap(), Sums { files: 3, bytes: 22, accepted: 1 });
}

/// The hashes of a log that an earlier version wrote are those of this one.
#[test]
fn d21_a_log_of_version_3_stays_sound() {
    let world = World::new();
    let happened = catalogue::Happened { kind: "stored".to_owned(), ..catalogue::Happened::default() };
    let when = "2026-11-18T08:00:00.123Z".parse().unwrap();
    let event = world.catalogue.change(|change| change.log(when, happened)).unwrap();
    let path = world.folder.path().join("earlier.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection =
            SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap();
        for step in [
            include_str!("../../migrations/sqlite/0001_files.sql"),
            include_str!("../../migrations/sqlite/0002_totals.sql"),
            include_str!("../../migrations/sqlite/0003_not_copied.sql"),
        ] {
            sqlx::raw_sql(step).execute(&mut connection).await.unwrap();
        }
        let row = "INSERT INTO event VALUES (1, '2026-11-18T08:00:00.123Z', 'stored', '', '', '', '', $1)";
        sqlx::query(row).bind(event.hash.bytes().to_vec()).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
    let earlier = Catalogue::open(&path).unwrap();
    assert_eq!(earlier.events(0, 10).unwrap(), std::slice::from_ref(&event));
    let sound = catalogue::Verified::Sound { events: 1, hash: event.hash };
    assert_eq!(earlier.verify_log(None).unwrap(), sound);
}

/// Nothing is done twice, and nothing is lost, while the server is away.
#[test]
fn a_server_that_disappears_is_unreachable_until_it_is_back() {
    let Some(mut server) = testkit::postgres::Server::start() else { return };
    let location = Location::parse(&server.database()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalogue.db");
    let catalogue = Catalogue::open_at(&location, &path).unwrap();
    let add = |name: &str| catalogue.change(|change| change.add_file(name, 1, &sha256(1), at(1)));
    add("job/a").unwrap();
    server.stop();
    assert!(catalogue.sums().unwrap_err().is_unreachable());
    assert!(add("job/b").unwrap_err().is_unreachable());
    assert!(Catalogue::open_at(&location, &path).unwrap_err().is_unreachable());
    server.go_on();
    assert_eq!(catalogue.sums().unwrap().files, 1);
    add("job/b").unwrap();
    assert_eq!(catalogue.sums().unwrap().files, 2);
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
pub(crate) fn d12_a_corrected_file_is_wanted_again_everywhere() {
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
    assert!(matches!(Catalogue::open(&path), Err(Error::Open(_))));
    assert!(matches!(Catalogue::open(&folder.path().join("no/such/folder.db")), Err(Error::Open(_))));
}

pub(crate) fn a_change_that_fails_leaves_nothing() {
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

pub(crate) fn d21_a_copy_is_made_while_it_is_used() {
    let world = World::new();
    let file = world.file(3);
    let to = world.folder.path().join("copy.db");
    world.catalogue.change(|change| change.log(at(1), catalogue::Happened::default())).unwrap();
    let before = world.catalogue.tallies().unwrap();
    world.catalogue.back_up(&to).unwrap();
    world.file(4);
    let place = world.empty_place("restored.db");
    let copy = Catalogue::restore(&to, &place, &world.path()).unwrap();
    assert_eq!(copy.files("", 10).unwrap(), [file]);
    assert_eq!(copy.sums().unwrap().files, 1);
    assert_eq!(copy.tallies().unwrap(), before);
    // Counted on from there, and never twice into the same place.
    copy.change(|change| change.add_file("job/other", 1, &sha256(9), at(3))).unwrap();
    assert_eq!(copy.sums().unwrap().files, 2);
    assert!(matches!(
        Catalogue::restore(&to, &place, &world.path()),
        Err(Error::Open(db::Error::NotEmpty { .. }))
    ));
    assert!(matches!(world.catalogue.back_up(&to), Err(Error::BackUp(db::Error::Exists(_)))));
}

pub(crate) fn a_copy_has_its_name_when_it_is_whole() {
    let world = World::new();
    world.file(3);
    // What a crash has left of an earlier one is no hindrance.
    let (to, part) = (world.folder.path().join("copy.db"), world.folder.path().join("copy.db.part"));
    std::fs::write(&part, "half a copy").unwrap();
    world.catalogue.back_up(&to).unwrap();
    assert!(!part.exists());
    let restored = Catalogue::restore(&to, &world.empty_place("restored.db"), &world.path()).unwrap();
    assert_eq!(restored.sums().unwrap().files, 1);
    // One that fails leaves nothing.
    let nowhere = world.folder.path().join("no/such/folder.db");
    assert!(world.catalogue.back_up(&nowhere).is_err());
    assert!(!nowhere.exists());
}

pub(crate) fn changes_of_several_wait_for_each_other() {
    let world = World::new();
    std::thread::scope(|scope| {
        for part in 0..4_u64 {
            let (location, path) = (world.catalogue.location(), world.catalogue.path());
            scope.spawn(move || {
                let own = Catalogue::open_at(location, path).unwrap();
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

pub(crate) fn a_replica_does_not_change_its_kind() {
    let world = World::new();
    let other = Replica { name: "one".to_owned(), kind: Kind::Bucket };
    let refused = world.catalogue.change(|change| change.add_replica(&other, at(1)));
    assert!(matches!(refused, Err(Error::OtherKind(_))));
}

#[test]
fn other_users_can_read_neither_the_catalogue_nor_its_copies() {
    let world = World::new();
    world.file(7);
    let path = world.path();
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
