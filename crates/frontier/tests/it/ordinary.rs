//! What a frontier does on an ordinary day.

use frontier::{Counts, End, Error, Frontier, Offered, Settings, Settled, Turn, Wish};
use jiff::Timestamp;
use tempfile::TempDir;

pub(crate) fn open(folder: &TempDir) -> Frontier {
    Frontier::open(&folder.path().join("frontier"), &Settings::default()).unwrap()
}

/// `a.example/1` at precedence 0.
pub(crate) fn wish(host: &str, path: &str, precedence: u8) -> Wish {
    let url = format!("http://{host}/{path}");
    Wish { url, host: host.to_owned(), precedence, ..Wish::default() }
}

pub(crate) fn done(turn: &Turn, found: Vec<Wish>) -> Settled {
    Settled { id: turn.id, end: End::Done, found }
}

fn again(turn: &Turn, second: i64) -> Settled {
    let wish = Wish { tries: turn.wish.tries + 1, ..turn.wish.clone() };
    Settled { id: turn.id, end: End::Again { wish, not_before: time(second) }, found: Vec::new() }
}

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn urls(frontier: &Frontier, host: &str) -> Vec<String> {
    std::iter::from_fn(|| frontier.take(host).unwrap()).map(|turn| turn.wish.url).collect()
}

#[test]
fn the_lowest_precedence_comes_first_then_the_oldest() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    let offers = [("x", 5), ("y", 1), ("z", 5), ("robots.txt", 0), ("w", 1)];
    frontier.offer(offers.map(|(path, precedence)| wish("a", path, precedence)).to_vec()).unwrap();
    let taken = urls(&frontier, "a");
    assert_eq!(taken, ["http://a/robots.txt", "http://a/y", "http://a/w", "http://a/x", "http://a/z"]);
    assert_eq!(frontier.take("nobody").unwrap(), None);
}

#[test]
fn a_url_is_queued_once_however_often_it_is_offered() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    let same = vec![wish("a", "1", 0), wish("a", "1", 3), wish("b", "1", 0), wish("a", "1", 0)];
    let offered = frontier.offer(same.clone()).unwrap();
    let hosts = vec![("a".to_owned(), 1), ("b".to_owned(), 1)];
    assert_eq!(offered, Offered { hosts, new: 2, seen: 2, over_width: 0 });
    let turn = frontier.take("a").unwrap().unwrap();
    let offered = frontier.settle(vec![done(&turn, same.clone())], b"m").unwrap();
    assert_eq!(offered, Offered { seen: 4, ..Offered::default() });
    drop(frontier);
    let frontier = open(&folder);
    assert!(!frontier.has_seen_lately("http://a/1"));
    assert!(frontier.has_seen("http://a/1").unwrap());
    assert!(frontier.has_seen_lately("http://a/1"));
    assert!(!frontier.has_seen("http://a/2").unwrap());
    assert_eq!(frontier.offer(same).unwrap().seen, 4);
}

#[test]
fn what_was_in_flight_is_at_the_front_again_after_opening() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    frontier.offer((0..5).map(|n| wish("a", &n.to_string(), 0)).collect()).unwrap();
    let [zero, one] = [(); 2].map(|()| frontier.take("a").unwrap().unwrap());
    assert_eq!(zero.wish.url, "http://a/0");
    frontier.settle(vec![done(&one, vec![wish("b", "new", 0)])], b"mark").unwrap();
    assert_eq!(frontier.counts().in_flight, 1);
    drop(frontier);

    let frontier = open(&folder);
    let counts = Counts { queued: 5, seen: 6, done: 1, hosts: 2, ..Counts::default() };
    assert_eq!(frontier.counts(), counts);
    assert_eq!(frontier.mark().as_deref(), Some(b"mark".as_slice()));
    let mut waiting = frontier.waiting();
    waiting.sort();
    assert_eq!(waiting, [("a".to_owned(), 4), ("b".to_owned(), 1)]);
    assert_eq!(urls(&frontier, "a"), ["http://a/0", "http://a/2", "http://a/3", "http://a/4"]);
}

#[test]
fn what_is_given_back_is_next_again() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    frontier.offer((0..3).map(|n| wish("a", &n.to_string(), 0)).collect()).unwrap();
    let turn = frontier.take("a").unwrap().unwrap();
    frontier.give_back(turn.clone());
    frontier.give_back(turn.clone());
    assert_eq!(frontier.counts().queued, 3);
    assert!(matches!(frontier.settle(vec![done(&turn, vec![])], b""), Err(Error::NotTaken(_))));
    assert_eq!(urls(&frontier, "a").len(), 3);
}

#[test]
fn nothing_is_settled_where_one_turn_is_not_in_flight() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    frontier.offer(vec![wish("a", "1", 0), wish("a", "2", 0)]).unwrap();
    let [one, two] = [(); 2].map(|()| frontier.take("a").unwrap().unwrap());
    let twice = vec![done(&one, vec![wish("c", "1", 0)]), done(&two, vec![]), done(&one, vec![])];
    assert!(matches!(frontier.settle(twice, b"m"), Err(Error::NotTaken(id)) if id == one.id));
    assert_eq!((frontier.counts().in_flight, frontier.counts().done), (2, 0));
    assert_eq!(frontier.mark(), None);
    assert!(!frontier.has_seen("http://c/1").unwrap());
    frontier.settle(vec![done(&one, vec![]), done(&two, vec![])], b"m").unwrap();
    assert_eq!((frontier.counts().in_flight, frontier.counts().done), (0, 2));
}

#[test]
fn what_is_postponed_comes_when_its_time_has_come() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], None));
    frontier.offer(vec![wish("a", "1", 7), wish("a", "2", 7), wish("b", "1", 0)]).unwrap();
    let turns = ["a", "a", "b"].map(|host| frontier.take(host).unwrap().unwrap());
    let settled = turns.iter().zip([30, 10, 20]).map(|(turn, second)| again(turn, second)).collect();
    frontier.settle(settled, b"m").unwrap();
    assert_eq!((frontier.counts().postponed, frontier.counts().hosts), (3, 0));
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], Some(time(10))));
    drop(frontier);

    let frontier = open(&folder);
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], Some(time(10))));
    let times: Vec<i64> = frontier.postponed().map(|item| item.unwrap().0.as_second()).collect();
    assert_eq!(times, [10, 20, 30]);
    let hosts = vec![("a".to_owned(), 1), ("b".to_owned(), 1)];
    assert_eq!(frontier.due(time(20)).unwrap(), (hosts, Some(time(30))));
    let turn = frontier.take("a").unwrap().unwrap();
    assert_eq!((turn.wish.url.as_str(), turn.wish.tries, turn.wish.precedence), ("http://a/2", 1, 7));
    assert_eq!(frontier.take("a").unwrap(), None);
    assert_eq!(frontier.due(time(30)).unwrap(), (vec![("a".to_owned(), 1)], None));
    assert_eq!(urls(&frontier, "a"), ["http://a/1"]);
}

#[test]
fn what_was_postponed_while_the_clock_was_ahead_comes_at_once() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    assert_eq!(frontier.return_beyond(time(0)).unwrap(), []);
    frontier.offer(vec![wish("a", "1", 0), wish("a", "2", 0), wish("b", "1", 0)]).unwrap();
    let [soon, ahead, far] = ["a", "a", "b"].map(|host| frontier.take(host).unwrap().unwrap());
    let five_years = 5 * 365 * 86_400;
    let settled = vec![again(&soon, 30), again(&ahead, five_years), again(&far, five_years + 60)];
    frontier.settle(settled, b"m").unwrap();
    // A longer pause than 60 seconds is never given.
    assert_eq!(frontier.return_beyond(time(five_years + 60)).unwrap(), []);
    drop(frontier);

    let frontier = open(&folder);
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], Some(time(30))));
    let hosts = vec![("a".to_owned(), 1), ("b".to_owned(), 1)];
    assert_eq!(frontier.return_beyond(time(9 + 60)).unwrap(), hosts);
    assert_eq!(frontier.return_beyond(time(9 + 60)).unwrap(), []);
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], Some(time(30))));
    let turn = frontier.take("a").unwrap().unwrap();
    assert_eq!(turn.wish.url, "http://a/2");
    // The same in a running frontier, and with nothing else postponed.
    assert_eq!(frontier.due(time(30)).unwrap(), (vec![("a".to_owned(), 1)], None));
    frontier.settle(vec![again(&turn, five_years)], b"m").unwrap();
    assert_eq!(frontier.return_beyond(time(99)).unwrap(), [("a".to_owned(), 1)]);
    assert_eq!(frontier.due(time(99)).unwrap(), (vec![], None));
}

#[test]
fn a_forgotten_host_has_nothing_but_what_is_in_flight() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    frontier.offer((0..10_000).map(|n| wish("a", &n.to_string(), n as u8 % 3)).collect()).unwrap();
    frontier.offer(vec![wish("b", "1", 0)]).unwrap();
    let [zero, one] = [(); 2].map(|()| frontier.take("a").unwrap().unwrap());
    frontier.settle(vec![again(&one, 5)], b"m").unwrap();
    assert_eq!(frontier.forget_host("a").unwrap(), 9_999);
    assert_eq!(frontier.forget_host("a").unwrap(), 0);
    assert_eq!(frontier.forget_host("nobody").unwrap(), 0);
    assert_eq!(frontier.take("a").unwrap(), None);
    let left =
        Counts { queued: 1, in_flight: 1, seen: 10_001, forgotten: 9_999, hosts: 2, ..Counts::default() };
    assert_eq!(frontier.counts(), left);
    frontier.offer(vec![wish("a", "0", 0), wish("a", "new", 0)]).unwrap();
    frontier.settle(vec![done(&zero, vec![])], b"m").unwrap();
    assert_eq!(frontier.due(time(9)).unwrap(), (vec![], None));
    drop(frontier);
    let frontier = open(&folder);
    assert_eq!(urls(&frontier, "a"), ["http://a/new"]);
}

#[test]
fn reports_see_every_host_in_order() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    let mut late = wish("a", "late", 9);
    late.via = Some("http://a/".to_owned());
    late.hops = "LE".to_owned();
    late.tag = vec![1, 0, 255];
    frontier.offer(vec![late.clone(), wish("b", "1", 0), wish("a", "early", 1)]).unwrap();
    frontier.take("a").unwrap().unwrap();
    let all: Vec<Wish> = frontier.queued(None).map(Result::unwrap).collect();
    assert_eq!(all, [wish("a", "early", 1), late, wish("b", "1", 0)]);
    let some: Vec<Wish> = frontier.queued(Some("b")).map(Result::unwrap).collect();
    assert_eq!(some, [wish("b", "1", 0)]);
    assert_eq!(frontier.queued(Some("nobody")).count(), 0);
}

#[test]
fn long_urls_and_strange_hosts_are_only_bytes() {
    let folder = TempDir::new().unwrap();
    let frontier = open(&folder);
    let hosts = ["", "\0", "é:80", "a\nb", &"x".repeat(100_000)];
    let wishes: Vec<Wish> = hosts.iter().map(|host| wish(host, &"y".repeat(8192), 0)).collect();
    assert_eq!(frontier.offer(wishes.clone()).unwrap().new, 5);
    drop(frontier);
    let frontier = open(&folder);
    for (host, wish) in hosts.iter().zip(wishes) {
        assert_eq!(frontier.take(host).unwrap().unwrap().wish, wish);
    }
}

#[test]
fn two_cannot_have_it_open() {
    let folder = TempDir::new().unwrap();
    let _frontier = open(&folder);
    let second = Frontier::open(&folder.path().join("frontier"), &Settings::default());
    assert!(matches!(second, Err(Error::InUse { .. })), "{second:?}");
}
