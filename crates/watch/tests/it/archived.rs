//! A check is a capture: found in the archive like any other, stored once, and read again from there.

use std::io::Read as _;

use archive::Form;
use watch::{Monitor, Outcome};

use crate::world::World;

/// The captures of a page, as the index has them: status, whether it is a revisit.
fn captures(world: &World, path: &str) -> Vec<(Option<u16>, bool)> {
    let key = urlkey::key(&world.site.url(path));
    let rows = world.archive.snapshot().unwrap();
    rows.versions(&key).map(Result::unwrap).map(|row| (row.status, row.is_revisit())).collect()
}

pub(crate) async fn versions_are_found_in_the_archive_after_a_commit() {
    let world = World::new().await;
    for text in ["one", "two"] {
        world.site.page("/", text);
        world.check("/").await;
        // "Not modified" to what this very job has stored is a revisit all the same.
        assert_eq!(world.check("/").await.status, Some(304));
    }
    world.site.remove("/");
    world.check("/").await;
    assert_eq!(captures(&world, "/"), []);
    let committed = world.monitor.commit().await.unwrap().unwrap();
    assert_eq!(committed.captures, 5);
    let expect = [(200, false), (304, true), (200, false), (304, true), (404, false)];
    assert_eq!(captures(&world, "/"), expect.map(|(status, is_revisit)| (Some(status), is_revisit)));
    let snapshot = world.archive.snapshot().unwrap();
    for (row, text) in world.rows().iter().zip(["one", "one", "two", "two"]) {
        let found = world.archive.found(row, &snapshot).unwrap().unwrap();
        let mut payload = String::new();
        found.payload(Form::Decoded).unwrap().read_to_string(&mut payload).unwrap();
        assert_eq!((payload.as_str(), found.status()), (text, Some(200)));
    }
    let [commit] = snapshot.commits() else { panic!("one job") };
    assert!(archive::is_watch(commit) && commit.name.starts_with("watch-2026"), "{commit:?}");
    assert!(world.monitor.commit().await.unwrap().is_none());
    assert_eq!(std::fs::read_dir(world.archive.work()).unwrap().count(), 0);
}

/// A page that was away and is back "as before" is as before it was away.
pub(crate) async fn not_modified_after_a_failure_means_the_version_before_it() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    world.monitor.commit().await.unwrap();
    world.site.remove("/");
    world.check("/").await;
    world.monitor.commit().await.unwrap();
    world.site.page("/", "one");
    assert_eq!(world.check("/").await.status, Some(304));
    world.monitor.commit().await.unwrap();
    let found = world.archive.get(&world.site.url("/"), None).unwrap().unwrap();
    let mut text = String::new();
    found.payload(Form::Decoded).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), found.is_revisit()), ("one", true));
    // That it was gone is marked.
    assert_eq!(world.rows().iter().filter(|row| row.extra("gone").is_some()).count(), 1);
}

pub(crate) async fn e4_the_same_under_several_urls_is_stored_once() {
    let world = World::new().await;
    world.site.page("/a", "the same document");
    world.site.page("/b", "the same document");
    world.site.redirect("/short", "301 Moved", "/a");
    for path in ["/a", "/b", "/short"] {
        assert_eq!(world.outcome(path).await, Outcome::First);
    }
    world.monitor.commit().await.unwrap();
    let rows = world.rows();
    let stored = rows.iter().filter(|row| row.status == Some(200) && !row.is_revisit()).count();
    assert_eq!((rows.len(), stored), (4, 1));
    assert_eq!(captures(&world, "/short"), [(Some(301), false)]);
    // And once in the cache.
    assert_eq!(bodies(&world), 1);
}

fn bodies(world: &World) -> usize {
    let folders = std::fs::read_dir(world.folder.path().join("watch/bodies")).unwrap();
    folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap()).count()
}

/// Old versions leave the cache when the archive has them, and are read from there.
pub(crate) async fn payloads_come_from_the_archive_where_the_cache_has_none() {
    let world = World::new().await;
    for text in ["one", "two", "three"] {
        world.site.page("/", text);
        world.check("/").await;
    }
    assert_eq!(bodies(&world), 3);
    world.monitor.commit().await.unwrap();
    assert_eq!(bodies(&world), 1);
    std::fs::remove_dir_all(world.folder.path().join("watch/bodies")).unwrap();
    for (number, text) in [(1, "one"), (2, "two"), (3, "three")] {
        let version = world.resource("/").version(number).await.unwrap();
        assert_eq!(world.text("/", &version).await, text);
    }
}

/// What only the open job has is committed when somebody wants to read it.
pub(crate) async fn a_lost_cache_is_no_loss_before_the_commit_either() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    std::fs::remove_dir_all(world.folder.path().join("watch/bodies")).unwrap();
    let version = world.resource("/").version(1).await.unwrap();
    assert_eq!(world.text("/", &version).await, "one");
    assert_eq!(world.rows().len(), 1);
}

/// Every check is written down with the job, failures too, so that history can be made again from the archive.
pub(crate) async fn every_check_is_noted_in_the_jobs_metadata() {
    let world = World::new().await;
    world.site.page("/", "one");
    world.check("/").await;
    world.site.answer("/", |_, _| Vec::new());
    world.check("/").await;
    world.monitor.commit().await.unwrap();
    let job = world.archive.snapshot().unwrap().commits()[0].name.clone();
    let mut text = String::new();
    world.archive.note(&job, "checks.jsonl").unwrap().unwrap().read_to_string(&mut text).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (lines[0]["outcome"].as_str(), lines[0]["at"].as_str()),
        (Some("first"), Some("2026-11-18T00:01:00.000Z"))
    );
    assert_eq!((lines[1]["outcome"].as_str(), lines[1]["status"].as_u64()), (Some("unreachable"), None));
    assert!(lines[1]["why"].as_str().is_some_and(|why| !why.is_empty()));
}

/// A job in which nobody answered is committed for its note alone.
pub(crate) async fn failures_alone_are_committed_too() {
    let world = World::new().await;
    world.site.answer("/", |_, _| Vec::new());
    world.check("/").await;
    let committed = world.monitor.commit().await.unwrap().unwrap();
    assert_eq!((committed.captures, committed.files.len()), (0, 1));
}

/// Two processes watch the same archive: each has a job of its own, and versions are counted in one row.
pub(crate) async fn two_monitors_of_one_archive_do_not_hinder_each_other() {
    let world = World::new().await;
    let other = Monitor::open(&world.archive, world.settings()).await.unwrap();
    world.site.page("/", "one");
    assert_eq!(world.outcome("/").await, Outcome::First);
    world.site.page("/", "two");
    world.later();
    let check = other.resource(&world.site.url("/")).unwrap().check().await.unwrap();
    assert_eq!((check.outcome, check.version), (Outcome::Changed, Some(2)));
    assert_eq!(world.outcome("/").await, Outcome::Unchanged);
    world.monitor.commit().await.unwrap().unwrap();
    other.commit().await.unwrap().unwrap();
    assert_eq!(world.archive.snapshot().unwrap().commits().len(), 2);
    assert_eq!(captures(&world, "/").len(), 3);
}

/// Two processes ask at once, and the one that asked first is answered last: what the other found stays the newest.
pub(crate) async fn an_answer_that_comes_late_is_no_new_version() {
    let world = World::new().await;
    let other = Monitor::open(&world.archive, world.settings()).await.unwrap();
    world.site.page("/", "one");
    world.check("/").await;
    // The first sees the old page, and is held up until the second has seen the new one.
    let (asked, is_asked) = std::sync::mpsc::channel();
    let (go, may_go) = std::sync::mpsc::channel::<()>();
    let doors = std::sync::Mutex::new((asked, may_go));
    world.site.answer("/", move |_, count| {
        if count == 0 {
            let doors = doors.lock().unwrap();
            doors.0.send(()).unwrap();
            doors.1.recv().unwrap();
            return testkit::server::reply("200 OK", &[], b"between");
        }
        testkit::server::reply("200 OK", &[], b"two")
    });
    world.later();
    let resource = world.resource("/");
    let slow = tokio::spawn(async move { resource.check().await });
    tokio::task::spawn_blocking(move || is_asked.recv().unwrap()).await.unwrap();
    // Answers of one page come one after the other, so the quick one asks another way to the same document.
    world.later();
    world.site.page("/", "two");
    let quick = other.resource(&world.site.url("/")).unwrap().check().await.unwrap();
    assert_eq!((quick.outcome, quick.version), (Outcome::Changed, Some(2)));
    go.send(()).unwrap();
    let slow = slow.await.unwrap().unwrap();
    assert_eq!((slow.outcome, slow.version), (Outcome::Unchanged, Some(2)));
    world.later();
    assert_eq!(world.resource("/").check().await.unwrap().outcome, Outcome::Unchanged);
}
