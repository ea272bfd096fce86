//! The database is lost: what the archive's files know of it is brought back.

use watch::{Monitor, NewsKind, Pace, Telling, Wish};

use crate::world::World;

async fn world() -> World {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let rules = diff::RuleSet { never: vec!["css:.advert".into()], ..diff::RuleSet::default() };
    let telling = Telling { to: vec!["https://hooks.example.org/secret".to_owned()], ..Telling::default() };
    let pace = Pace::Every(std::time::Duration::from_secs(7200));
    let wish = Wish { title: "Tides".to_owned(), rules, telling, pace, ..Wish::default() };
    world.monitor.add_watch(&me, &world.site.url("/a"), &wish).await.unwrap();
    for text in ["<p>one", "<p>one", "<p>two things"] {
        world.site.page("/a", text);
        world.check("/a").await;
        world.check("/gone").await;
    }
    world.monitor.commit().await.unwrap();
    world.site.page("/a", "<p>three other things");
    world.check("/a").await;
    world.monitor.commit().await.unwrap();
    world
}

#[tokio::test]
async fn checks_versions_and_watches_come_back_from_the_files() {
    let world = world().await;
    let before = world.resource("/a").checks(0, 100).await.unwrap();
    let versions = world.resource("/a").versions(0, 100).await.unwrap();
    world.monitor.clone().close().await;
    for name in ["watch.db", "watch.db-wal", "watch.db-shm"] {
        let _ = std::fs::remove_file(world.folder.path().join(name));
    }
    assert!(!watch::is_usable(world.folder.path(), None).await.unwrap());
    let remade = watch::remake(&world.archive, crate::world::at(900)).await.unwrap();
    assert_eq!(
        (remade.jobs, remade.checks, remade.versions, remade.watches, remade.left_out),
        (2, 7, 3, 1, 0)
    );
    assert!(watch::is_usable(world.folder.path(), None).await.unwrap());
    let monitor = Monitor::open(&world.archive, world.settings()).await.unwrap();
    let page = monitor.resource(&world.site.url("/a")).unwrap();
    let strip = |checks: Vec<watch::Check>| {
        checks.into_iter().map(|c| watch::Check { id: 0, ..c }).collect::<Vec<_>>()
    };
    assert_eq!(strip(page.checks(0, 100).await.unwrap()), strip(before));
    let again = page.versions(0, 100).await.unwrap();
    let told = |v: &watch::Version| (v.number, v.at, v.digest, v.length, v.media_type.clone(), v.url.clone());
    assert_eq!(again.iter().map(told).collect::<Vec<_>>(), versions.iter().map(told).collect::<Vec<_>>());
    assert_eq!(world.text("/a", &again[1]).await, "<p>two things");
    // Who is told is a secret, and is in no file of the archive.
    let [watch] = monitor.watches(None, 0, 10).await.unwrap().try_into().unwrap();
    assert_eq!(
        (watch.owner.as_str(), watch.wish.title.as_str(), watch.wish.rules.never.len()),
        ("me", "Tides", 1)
    );
    assert_eq!(watch.wish.telling.to, Vec::<String>::new());
    // It goes on from there: nothing old is news, and something new is.
    assert_eq!(monitor.judge().await.unwrap(), []);
    world.later();
    world.site.page("/a", "<p>four");
    let (_, news) = monitor.check_watch(watch.id).await.unwrap();
    assert_eq!(
        news.iter().map(|n| (n.kind, n.before.unwrap().0)).collect::<Vec<_>>(),
        [(NewsKind::Changed, 3)]
    );
}

#[tokio::test]
async fn the_list_of_watches_is_noted_when_it_has_changed_and_names_no_address() {
    let world = world().await;
    let jobs: Vec<String> =
        world.archive.snapshot().unwrap().commits().iter().map(|commit| commit.name.clone()).collect();
    let list = |job: &str| {
        let mut text = String::new();
        let note = world.archive.note(job, "watches.jsonl").unwrap()?;
        std::io::Read::read_to_string(&mut { note }, &mut text).unwrap();
        Some(text)
    };
    let first = list(&jobs[0]).unwrap();
    assert!(first.contains("Tides") && !first.contains("hooks.example.org"), "{first}");
    assert_eq!(list(&jobs[1]), None);
}

pub(crate) async fn a_copy_is_made_while_it_is_used_and_restored_into_an_empty_place() {
    let mut world = world().await;
    let copy = world.folder.path().join("copy.db");
    assert!(watch::back_up(world.folder.path(), world.database.as_ref(), &copy).await.unwrap());
    let into = |world: &World| (world.folder.path().to_owned(), world.database.clone());
    let (folder, database) = into(&world);
    assert!(watch::restore(&folder, database.as_ref(), &copy).await.is_err());
    world.monitor.clone().close().await;
    for name in ["watch.db", "watch.db-wal", "watch.db-shm"] {
        let _ = std::fs::remove_file(world.folder.path().join(name));
    }
    world.database = crate::world::database();
    let (folder, database) = into(&world);
    if database.is_none() {
        let other = world.folder.path().join("other.db");
        assert!(!watch::back_up(&folder, None, &other).await.unwrap());
    }
    watch::restore(&folder, database.as_ref(), &copy).await.unwrap();
    let monitor = Monitor::open(&world.archive, world.settings()).await.unwrap();
    let watches = monitor.watches(None, 0, 10).await.unwrap();
    assert_eq!(watches[0].wish.telling.to, ["https://hooks.example.org/secret"]);
}

/// Lines that are no checks, and a database that is damaged, which is put aside.
#[tokio::test]
async fn a_damaged_database_is_put_aside() {
    let world = world().await;
    world.monitor.clone().close().await;
    std::fs::write(world.folder.path().join("watch.db"), "no database at all ".repeat(300)).unwrap();
    let _ = std::fs::remove_file(world.folder.path().join("watch.db-wal"));
    assert!(!watch::is_usable(world.folder.path(), None).await.unwrap());
    assert_eq!(watch::remake(&world.archive, crate::world::at(900)).await.unwrap().checks, 7);
    let aside = std::fs::read_dir(world.folder.path()).unwrap().flatten();
    assert!(
        aside
            .map(|entry| entry.file_name())
            .any(|name| name.to_string_lossy().starts_with("watch.db.aside-"))
    );
}
