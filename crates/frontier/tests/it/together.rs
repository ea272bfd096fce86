//! Several threads at one frontier.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use frontier::{End, Frontier, Settings, Settled, Wish};
use tempfile::TempDir;

const PAGES: u64 = 3_000;
const HOSTS: u64 = 5;

fn wish(page: u64) -> Wish {
    let host = format!("h{}", page % HOSTS);
    Wish { url: format!("http://{host}/{page}"), host, ..Wish::default() }
}

/// Each page links to the next three, so every page is found three times, by whichever thread.
fn work(frontier: &Frontier, done: &AtomicU64, taken: &Mutex<BTreeSet<String>>) {
    for round in 0.. {
        if done.load(Ordering::SeqCst) == PAGES {
            return;
        }
        let Some(turn) = frontier.take(&format!("h{}", round % HOSTS)).unwrap() else { continue };
        if round % 7 == 0 {
            frontier.give_back(turn);
            continue;
        }
        assert!(taken.lock().unwrap().insert(turn.wish.url.clone()), "{} twice", turn.wish.url);
        let page: u64 = turn.wish.url.rsplit('/').next().unwrap().parse().unwrap();
        let found: Vec<Wish> = (page + 1..=page + 3).filter(|page| *page < PAGES).map(wish).collect();
        if round % 2 == 0 {
            frontier.offer(found.clone()).unwrap();
        }
        frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], b"m").unwrap();
        done.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn it_can_be_shared_and_its_lists_sent() {
    fn shared<T: Send + Sync + 'static>() {}
    fn sent<T: Send + 'static>() {}
    shared::<Frontier>();
    sent::<frontier::Queued>();
    sent::<frontier::Postponed>();
}

#[test]
fn every_page_is_taken_once_whoever_takes_it() {
    let folder = TempDir::new().unwrap();
    let settings =
        Settings { ahead_bytes: 2000, lately_bytes: 256, log_bytes: 10_000, ..Settings::default() };
    let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
    frontier.offer(vec![wish(0)]).unwrap();
    let (done, taken) = (AtomicU64::new(0), Mutex::new(BTreeSet::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| work(&frontier, &done, &taken));
        }
    });
    let counts = frontier.counts();
    assert_eq!((counts.done, counts.queued, counts.in_flight, counts.hosts), (PAGES, 0, 0, 0));
    assert_eq!(frontier.waiting(), []);
}
