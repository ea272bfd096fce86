//! Everything is dropped at any step, and nothing is lost or there twice.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use archive::disk::Disk;
use watch::{Monitor, Outcome};

use crate::world::World;

/// A disk that ends the process, so to say, at one of its operations: from then on nothing is done any more.
#[derive(Debug)]
struct Mortal(AtomicI64);

impl Mortal {
    fn live(&self) -> io::Result<()> {
        match self.0.fetch_sub(1, Ordering::SeqCst) {
            1.. => Ok(()),
            _ => Err(io::Error::other("the process has been killed")),
        }
    }
}

impl Disk for Mortal {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        self.live()?;
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.live()?;
        file.sync_data()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live()?;
        fs::rename(from, to)
    }
}

/// For each check that is written down there is one capture, and for each capture one check.
#[track_caller]
fn is_whole(world: &World, checks: &[watch::Check], what: &str) {
    let mut rows = world.rows();
    rows.sort_by_key(|row| row.extra("date").map(|date| date.as_str().to_owned()));
    let statuses: Vec<Option<u16>> = rows.iter().map(|row| row.status).collect();
    let expect: Vec<Option<u16>> = checks.iter().map(|check| check.status).collect();
    assert_eq!(statuses, expect, "{what}");
    let snapshot = world.archive.snapshot().unwrap();
    for row in &rows {
        assert!(world.archive.found(row, &snapshot).unwrap().is_some(), "{what}");
    }
    for file in world.archive.store().files().unwrap() {
        assert_eq!(
            world.archive.store().verify(&file.unwrap().name).unwrap(),
            store::Verdict::Sound,
            "{what}"
        );
    }
    assert_eq!(fs::read_dir(world.archive.work()).unwrap().count(), 0, "{what}");
}

/// The process ends at any write, sync or rename of the archive's, and another goes on.
pub(crate) async fn a_crash_at_any_write_loses_nothing_and_doubles_nothing() {
    for operations in 0.. {
        let disk = Arc::new(Mortal(AtomicI64::new(operations)));
        let world = World::with(|settings| settings.disk = disk).await;
        world.site.page("/", "one");
        let mut settled = 0;
        let mut has_died = false;
        for text in ["one", "one", "two", "three"] {
            world.site.page("/", text);
            world.later();
            match world.resource("/").check().await {
                Ok(_) => settled += 1,
                Err(_) => has_died = true,
            }
        }
        has_died |= world.monitor.commit().await.is_err();
        let world = world.reopen().await;
        let what = format!("{operations} operations, {settled} settled");
        let checks = world.resource("/").checks(0, 100).await.unwrap_or_default();
        assert_eq!(checks.len(), settled, "{what}");
        is_whole(&world, &checks, &what);
        // What was not settled is checked again.
        world.check("/").await;
        world.monitor.commit().await.unwrap().unwrap();
        let checks = world.resource("/").checks(0, 100).await.unwrap();
        is_whole(&world, &checks, &what);
        let version = world.resource("/").version(checks.last().unwrap().version.unwrap()).await.unwrap();
        assert_eq!(world.text("/", &version).await, "three", "{what}");
        if !has_died {
            assert!(operations > 20, "{operations}");
            return;
        }
    }
}

/// Killed between the flush of the files and the transaction: the files are ahead of the database, and are cut back to its mark.
#[tokio::test]
async fn a_crash_between_files_and_database_has_it_checked_again() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    let before = world.folder.path().join("before.db");
    copy_database(&world, &before).await;
    world.site.page("/", "two");
    assert_eq!(world.outcome("/").await, Outcome::Changed);
    // The database is as it was before the second check, the job's files are not.
    world.monitor.clone().close().await;
    for name in ["watch.db-wal", "watch.db-shm"] {
        let _ = fs::remove_file(world.folder.path().join(name));
    }
    fs::rename(&before, world.folder.path().join("watch.db")).unwrap();
    let monitor = Monitor::open(&world.archive, world.settings()).await.unwrap();
    let world = World { monitor, ..world };
    assert_eq!(world.rows().len(), 1, "what was not settled is not in the archive");
    assert_eq!(world.outcome("/").await, Outcome::Changed);
    world.monitor.commit().await.unwrap().unwrap();
    let checks = world.resource("/").checks(0, 10).await.unwrap();
    assert_eq!(checks.len(), 2);
    is_whole(&world, &checks, "cut back");
}

/// Killed after the archive has the job and before the database knows it.
#[tokio::test]
async fn a_crash_after_the_commit_commits_nothing_twice() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    let before = world.folder.path().join("before.db");
    copy_database(&world, &before).await;
    world.monitor.commit().await.unwrap().unwrap();
    world.monitor.clone().close().await;
    for name in ["watch.db-wal", "watch.db-shm"] {
        let _ = fs::remove_file(world.folder.path().join(name));
    }
    fs::rename(&before, world.folder.path().join("watch.db")).unwrap();
    let monitor = Monitor::open(&world.archive, world.settings()).await.unwrap();
    let world = World { monitor, ..world };
    let checks = world.resource("/").checks(0, 10).await.unwrap();
    assert_eq!(checks.len(), 1);
    is_whole(&world, &checks, "committed before");
    world.check("/").await;
    world.monitor.commit().await.unwrap().unwrap();
    assert_eq!(world.rows().len(), 2);
}

async fn copy_database(world: &World, to: &Path) {
    use sqlx::{Connection as _, SqliteConnection};
    let url = format!("sqlite://{}", world.folder.path().join("watch.db").display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    let copied = sqlx::query("VACUUM INTO ?1").bind(to.to_string_lossy().into_owned());
    copied.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// A full disk: the check is an error, nothing is settled, and it goes on when there is room.
pub(crate) async fn a_full_disk_is_told_and_survived() {
    let disk = archive::disk::Small::new(1 << 20);
    let world = World::with(|settings| settings.disk = disk.clone()).await;
    world.site.page("/", "one");
    world.check("/").await;
    disk.set_left(10);
    world.later();
    world.site.page("/", "two");
    let error = world.resource("/").check().await.unwrap_err();
    assert!(error.is_full(), "{error}");
    disk.set_left(1 << 20);
    world.later();
    assert_eq!(world.resource("/").check().await.unwrap().outcome, Outcome::Changed);
    world.monitor.commit().await.unwrap();
    let checks = world.resource("/").checks(0, 10).await.unwrap();
    is_whole(&world, &checks, "full");
}
