//! Many URLs at once: E6.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use testkit::server::reply;
use watch::{How, Outcome};

use crate::world::World;

pub(crate) async fn e6_many_are_checked_at_once_and_told_in_their_order() {
    let world = World::new().await;
    let paths: Vec<String> = (0..200).map(|number| format!("/{number}")).collect();
    for (number, path) in paths.iter().enumerate() {
        if number % 10 != 0 {
            world.site.page(path, path);
        }
    }
    let mut urls: Vec<String> = paths.iter().map(|path| world.site.url(path)).collect();
    urls.push("no url".to_owned());
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    world.later();
    let checks = world.monitor.check_many(&urls, How::default()).await;
    assert!(checks[200].is_err());
    for (number, check) in checks[..200].iter().enumerate() {
        let check = check.as_ref().unwrap();
        let expect = if number % 10 == 0 { Outcome::Unavailable } else { Outcome::First };
        assert_eq!((check.outcome, check.url.as_str()), (expect, urls[number]));
    }
    world.later();
    let again = world.monitor.check_many(&urls, How::default()).await;
    assert_eq!(again.iter().flatten().filter(|check| check.outcome == Outcome::Unchanged).count(), 180);
    let committed = world.monitor.commit().await.unwrap().unwrap();
    assert_eq!(committed.captures, 400);
}

/// Politeness: however many are wanted, a host is asked as often at once as the gate lets through.
pub(crate) async fn a_host_is_asked_by_as_many_at_once_as_the_gate_allows() {
    let world = World::with(|settings| settings.gate.per_host = 2).await;
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for number in 0..50 {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        world.site.answer(&format!("/{number}"), move |_, _| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            now.fetch_sub(1, Ordering::SeqCst);
            reply("200 OK", &[], b"text")
        });
    }
    let urls: Vec<String> = (0..50).map(|number| world.site.url(&format!("/{number}"))).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let checks = world.monitor.check_many(&urls, How::default()).await;
    assert_eq!(checks.iter().flatten().count(), 50);
    assert!(most.load(Ordering::SeqCst) <= 2);
}

/// A thousand URLs of one host: one after another, with the pause between them, and none is forgotten.
pub(crate) async fn a_thousand_of_one_host_are_asked_one_by_one() {
    const PAUSE: Duration = Duration::from_millis(1);
    let world = World::with(|settings| {
        (settings.gate.per_host, settings.gate.delay_min) = (1, PAUSE);
    })
    .await;
    let answered: Arc<Mutex<Option<Instant>>> = Arc::default();
    let pauses: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let urls: Vec<String> = (0..1_000)
        .map(|number| {
            let (answered, pauses) = (Arc::clone(&answered), Arc::clone(&pauses));
            let path = format!("/{number}");
            world.site.answer(&path, move |_, _| {
                let mut answered = answered.lock().unwrap();
                pauses.lock().unwrap().extend(answered.map(|before| before.elapsed()));
                *answered = Some(Instant::now());
                reply("200 OK", &[], b"text")
            });
            world.site.url(&path)
        })
        .collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let checks = world.monitor.check_many(&urls, How::default()).await;
    assert_eq!(checks.iter().flatten().filter(|check| check.outcome == Outcome::First).count(), 1_000);
    let pauses = pauses.lock().unwrap();
    assert_eq!(pauses.len(), 999);
    assert!(pauses.iter().all(|pause| *pause >= PAUSE), "{:?}", pauses.iter().min());
}
