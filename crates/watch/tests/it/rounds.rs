//! The rounds: what is due is checked, once, and nothing is lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use watch::{Event, Made, Pace, Rounds, Tempo, Wish};

use crate::world::{World, at};

const HOUR: Duration = Duration::from_secs(3600);

async fn watch_pages(world: &World, count: usize) {
    let me = world.monitor.person("me").await.unwrap();
    for number in 0..count {
        let path = format!("/{number}");
        world.site.page(&path, &format!("<p>{number}"));
        let wish = Wish { pace: Pace::Every(HOUR), ..Wish::default() };
        world.monitor.add_watch(&me, &world.site.url(&path), &wish).await.unwrap();
    }
}

async fn rounds(world: &World, tempo: Tempo) -> Rounds {
    Rounds::begin(&world.monitor, tempo).await.unwrap().unwrap()
}

fn unspread() -> Tempo {
    Tempo { spread_from: u32::MAX, per_host: 64, ..Tempo::default() }
}

pub(crate) async fn what_is_due_is_checked_once() {
    let world = World::new().await;
    watch_pages(&world, 30).await;
    let mut rounds = rounds(&world, unspread()).await;
    assert_eq!(rounds.once().await.unwrap(), Made { checks: 30, ..Made::default() });
    assert_eq!(rounds.once().await.unwrap(), Made::default());
    world.site.page("/7", "<p>seven is another number");
    world.site.remove("/9");
    world.turn_to(3600);
    let made = rounds.once().await.unwrap();
    assert_eq!(made, Made { checks: 30, changed: 1, missing: 1, failed: 0, news: 1 });
    assert_eq!(rounds.made().checks, 60);
}

pub(crate) async fn several_who_watch_one_page_share_its_checks() {
    let world = World::new().await;
    watch_pages(&world, 1).await;
    let you = world.monitor.person("you").await.unwrap();
    let wish = Wish { pace: Pace::Every(3 * HOUR), ..Wish::default() };
    let yours = world.monitor.add_watch(&you, &world.site.url("/0"), &wish).await.unwrap().id;
    let mut rounds = rounds(&world, unspread()).await;
    assert_eq!(rounds.once().await.unwrap().checks, 1);
    assert_eq!(world.monitor.watch(yours).await.unwrap().due_at, at(3 * 3600));
    world.turn_to(3600);
    world.site.page("/0", "<p>something else");
    // Each of them is told.
    assert_eq!(rounds.once().await.unwrap(), Made { checks: 1, changed: 1, news: 2, ..Made::default() });
}

pub(crate) async fn one_process_makes_the_rounds() {
    let world = World::new().await;
    let first = rounds(&world, Tempo::default()).await;
    assert!(Rounds::begin(&world.monitor, Tempo::default()).await.unwrap().is_none());
    drop(first);
    assert!(Rounds::begin(&world.monitor, Tempo::default()).await.unwrap().is_some());
}

/// After a long time away everything is overdue: it is spread evenly, the longest overdue first.
pub(crate) async fn what_is_overdue_is_spread_and_not_stampeded() {
    let world = World::new().await;
    watch_pages(&world, 100).await;
    drop(rounds(&world, unspread()).await);
    world.turn_to(100_000);
    let _rounds = rounds(&world, Tempo::default()).await;
    let due: Vec<i64> =
        world.monitor.watches(None, 0, 200).await.unwrap().iter().map(|w| w.due_at.as_second()).collect();
    let first = at(100_000).as_second();
    let minutes = due.iter().fold(BTreeMap::new(), |mut map, due| {
        *map.entry((due - first) / 60).or_insert(0) += 1;
        map
    });
    assert_eq!(minutes.len(), 10, "{minutes:?}");
    assert!(minutes.values().all(|count| *count == 10), "{minutes:?}");
    assert!(due.is_sorted());
}

pub(crate) async fn a_few_that_are_overdue_are_checked_at_once() {
    let world = World::new().await;
    watch_pages(&world, 20).await;
    world.turn_to(100_000);
    assert_eq!(rounds(&world, Tempo::default()).await.once().await.unwrap().checks, 20);
}

/// What we do not ask ourselves is told, and does not come again at once.
pub(crate) async fn what_is_not_asked_is_put_off() {
    let world = World::with(|settings| settings.fetch.allowed = fetch::Allowed::default()).await;
    watch_pages(&world, 1).await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&told);
    let listener = Arc::new(move |event: Event<'_>| hears.lock().unwrap().push(format!("{event:?}")));
    let mut rounds = rounds(&world, Tempo { listener, ..unspread() }).await;
    assert_eq!(rounds.once().await.unwrap(), Made { failed: 1, ..Made::default() });
    assert_eq!(rounds.once().await.unwrap(), Made::default());
    let told = std::mem::take(&mut *told.lock().unwrap());
    assert!(matches!(told.as_slice(), [one] if one.starts_with("NotChecked")), "{told:?}");
    assert_eq!(world.monitor.watch(1).await.unwrap().due_at, at(3600));
}

/// Somebody has asked a moment ago: that counts, and nothing is asked twice.
pub(crate) async fn what_was_asked_just_now_is_not_asked_again() {
    let world = World::new().await;
    watch_pages(&world, 1).await;
    world.resource("/0").check().await.unwrap();
    world.monitor.set_due(1, at(0)).await.unwrap();
    world.turn_to(5);
    let mut rounds = rounds(&world, unspread()).await;
    assert_eq!(rounds.once().await.unwrap(), Made::default());
    assert_eq!(world.monitor.watch(1).await.unwrap().due_at, at(3600));
}

/// A host with very many watches takes a few places only: others are checked meanwhile.
pub(crate) async fn a_large_host_keeps_nobody_waiting() {
    let world = World::new().await;
    watch_pages(&world, 1500).await;
    let other = testkit::changing::Changing::start();
    other.page("/", "<p>small");
    let me = world.monitor.person("me").await.unwrap();
    let last = world.monitor.add_watch(&me, &other.url("/"), &Wish::default()).await.unwrap().url;
    let order = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&order);
    let listener = Arc::new(move |event: Event<'_>| {
        if let Event::Checked(check) = event {
            hears.lock().unwrap().push(check.url.clone());
        }
    });
    let tempo = Tempo { listener, per_host: 4, under_way: 16, ..unspread() };
    assert_eq!(rounds(&world, tempo).await.once().await.unwrap().checks, 1501);
    let place = order.lock().unwrap().iter().position(|url| *url == last).unwrap();
    assert!(place < 100, "it was the {place}th");
}

/// What is under way when the rounds end is due again; what was found is in the archive.
pub(crate) async fn rounds_end_when_they_are_told_to() {
    let world = World::new().await;
    watch_pages(&world, 50).await;
    let enough = Arc::new(tokio::sync::Notify::new());
    let rings = Arc::clone(&enough);
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let listener = Arc::new(move |event: Event<'_>| {
        if matches!(event, Event::Checked(_)) && seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 9 {
            rings.notify_one();
        }
    });
    let rounds = rounds(&world, Tempo { listener, per_host: 1, ..unspread() }).await;
    let made = rounds.run(enough.notified()).await.unwrap();
    assert!((10..50).contains(&made.checks), "{made:?}");
    // Those under way at the end may have been written down and not counted.
    let due = world.monitor.due(100).await.unwrap().len() as u64;
    assert!(due <= 50 - made.checks && due + 2 >= 50 - made.checks, "{made:?} {due}");
    assert!(world.rows().len() as u64 >= made.checks);
}

/// A pause shorter than a page may be asked again is no reason to spin.
pub(crate) async fn a_pace_faster_than_pages_may_be_asked_waits() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "<p>one");
    let wish = Wish { pace: Pace::Every(Duration::from_secs(1)), ..Wish::default() };
    world.monitor.add_watch(&me, &world.site.url("/"), &wish).await.unwrap();
    let mut rounds = rounds(&world, unspread()).await;
    for (second, checks) in [(0, 1), (2, 0), (9, 0), (10, 1)] {
        world.turn_to(second);
        assert_eq!(rounds.once().await.unwrap().checks, checks, "{second}");
    }
}

/// One row that makes no sense is put off, and keeps nobody from the others.
#[tokio::test]
async fn a_bad_row_stops_nobody() {
    let world = World::new().await;
    watch_pages(&world, 3).await;
    let url = format!("sqlite://{}", world.folder.path().join("watch.db").display());
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::raw_sql("UPDATE watch SET rules = 'only #news' WHERE id = 2")
        .execute(&mut connection)
        .await
        .unwrap();
    let mut rounds = rounds(&world, unspread()).await;
    assert_eq!(rounds.once().await.unwrap().checks, 2);
    world.turn_to(3600);
    assert_eq!(rounds.once().await.unwrap().checks, 2);
}

/// Whoever takes messages slowly keeps no page from being checked, and nobody from ending.
#[tokio::test(flavor = "multi_thread")]
async fn checks_do_not_wait_for_messages() {
    struct Slow(Mutex<std::sync::mpsc::Receiver<()>>);
    impl watch::Courier for Slow {
        fn deliver(&self, _: &watch::Message) -> Result<(), watch::Undelivered> {
            // Until the test is over.
            let _ = self.0.lock().unwrap().recv();
            Ok(())
        }
    }
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "<p>one");
    let telling =
        watch::Telling { to: vec!["https://hooks.example.org/".to_owned()], ..watch::Telling::default() };
    world.monitor.add_watch(&me, &world.site.url("/"), &Wish { telling, ..Wish::default() }).await.unwrap();
    world.check("/").await;
    world.site.page("/", "<p>two things");
    world.check("/").await;
    watch_pages(&world, 5).await;
    let (held, holds) = std::sync::mpsc::channel();
    let (checked, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let listener = Arc::new(move |event: Event<'_>| {
        if matches!(event, Event::Checked(_)) {
            let _ = checked.send(());
        }
    });
    let tempo = Tempo { listener, courier: Some(Arc::new(Slow(Mutex::new(holds)))), ..unspread() };
    let rounds = rounds(&world, tempo).await;
    let five = async {
        for _ in 0..5 {
            seen.recv().await;
        }
    };
    assert_eq!(rounds.run(five).await.unwrap().news, 1);
    drop(held);
}

/// What is due again before all is done is for the next time: `once` ends, however slow the host is.
pub(crate) async fn once_checks_each_watch_once() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let wish = Wish { pace: Pace::Every(Duration::from_secs(30)), ..Wish::default() };
    for number in 0..20 {
        let (path, seconds) = (format!("/{number}"), Arc::clone(&world.seconds));
        // Each request takes a minute.
        world.site.answer(&path, move |_, _| {
            seconds.fetch_add(60, std::sync::atomic::Ordering::SeqCst);
            testkit::server::reply("200 OK", &[], b"text")
        });
        world.monitor.add_watch(&me, &world.site.url(&path), &wish).await.unwrap();
    }
    let mut rounds = rounds(&world, Tempo { per_host: 1, ..unspread() }).await;
    assert_eq!(rounds.once().await.unwrap().checks, 20);
}

/// A thousand watches of one host: it is asked for one page after the other, however many are due.
pub(crate) async fn a_thousand_watches_of_one_host_are_polite() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let world = World::with(|settings| {
        (settings.gate.per_host, settings.gate.per_address) = (1, 1);
        settings.gate.delay_min = Duration::from_millis(1);
    })
    .await;
    let me = world.monitor.person("me").await.unwrap();
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let urls: Vec<String> = (0..1000).map(|number| world.site.url(&format!("/{number}"))).collect();
    for number in 0..1000 {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        world.site.answer(&format!("/{number}"), move |_, _| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            now.fetch_sub(1, Ordering::SeqCst);
            testkit::server::reply("200 OK", &[], b"text")
        });
    }
    let wish = Wish::default();
    let watches: Vec<_> = urls.iter().map(|url| (url.as_str(), &wish, at(0))).collect();
    assert!(world.monitor.add_watches(&me, &watches).await.unwrap().iter().all(Result::is_ok));
    let mut rounds = rounds(&world, unspread()).await;
    assert_eq!(rounds.once().await.unwrap().checks, 1000);
    assert_eq!(most.load(Ordering::SeqCst), 1);
}
