//! The frontier against one that is plain to see through: three maps.

use std::collections::{BTreeMap, BTreeSet};

use frontier::{Counts, End, Frontier, Offered, Settings, Settled, Turn, Wish};
use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;

const HOSTS: [&str; 4] = ["a.example", "b.example:81", "", "d"];

/// What is done to both.
#[derive(Debug, Clone)]
enum Act {
    Offer(Vec<Link>),
    Take(u8),
    GiveBack(u8),
    /// So many of those in flight are done, and this is found in the last.
    Settle(u8, Vec<Link>),
    /// One of those in flight comes again, after so many seconds.
    Postpone(u8, u8),
    Due(u8),
    Forget(u8),
    Reopen,
}

/// Host, page, precedence, hops.
type Link = (u8, u8, u8, u8);

fn link() -> impl Strategy<Value = Link> {
    (0..4_u8, 0..40_u8, 0..3_u8, 0..3_u8)
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => prop::collection::vec(link(), 0..12).prop_map(Act::Offer),
        10 => (0..4_u8).prop_map(Act::Take),
        3 => any::<u8>().prop_map(Act::GiveBack),
        6 => (1..4_u8, prop::collection::vec(link(), 0..6)).prop_map(|(n, links)| Act::Settle(n, links)),
        3 => (any::<u8>(), 0..20_u8).prop_map(|(n, seconds)| Act::Postpone(n, seconds)),
        2 => (0..20_u8).prop_map(Act::Due),
        1 => (0..4_u8).prop_map(Act::Forget),
        1 => Just(Act::Reopen),
    ]
}

fn wish((host, page, precedence, hops): Link) -> Wish {
    let host = HOSTS[host as usize].to_owned();
    // Some are too long for several of them to be kept in memory.
    let url = format!("http://{host}/{page}{}", "x".repeat(page as usize * 10));
    Wish { url, host, precedence, hops: "L".repeat(hops as usize), ..Wish::default() }
}

fn time(second: u8) -> Timestamp {
    Timestamp::from_second(i64::from(second)).unwrap()
}

/// What the frontier should be.
#[derive(Default)]
struct Model {
    width: Option<u32>,
    queue: BTreeMap<(String, u8, u64), Wish>,
    flying: BTreeMap<(String, u8, u64), Wish>,
    postponed: BTreeMap<(Timestamp, u64), Wish>,
    seen: BTreeSet<String>,
    widths: BTreeMap<u32, u32>,
    mark: Option<Vec<u8>>,
    counts: Counts,
    next: u64,
}

impl Model {
    fn queue(&mut self, wish: Wish) {
        self.next += 1;
        self.queue.insert((wish.host.clone(), wish.precedence, self.next), wish);
    }

    fn offer(&mut self, wishes: &[Wish]) -> Offered {
        let mut offered = Offered::default();
        for wish in wishes {
            if self.seen.contains(&wish.url) {
                offered.seen += 1;
                continue;
            }
            if wish.distance() > 0 {
                let count = self.widths.entry(wish.distance()).or_default();
                if self.width.is_some_and(|width| *count >= width) {
                    offered.over_width += 1;
                    continue;
                }
                *count += 1;
            }
            offered.new += 1;
            self.seen.insert(wish.url.clone());
            match offered.hosts.iter_mut().find(|(host, _)| *host == wish.host) {
                Some((_, count)) => *count += 1,
                None => offered.hosts.push((wish.host.clone(), 1)),
            }
            self.queue(wish.clone());
        }
        self.counts.over_width += offered.over_width;
        offered
    }

    fn take(&mut self, host: &str) -> Option<Wish> {
        let key = self.queue.keys().find(|(name, ..)| name == host)?.clone();
        let wish = self.queue.remove(&key).unwrap();
        self.flying.insert(key, wish.clone());
        Some(wish)
    }

    /// The wish in flight with this URL.
    fn land(&mut self, url: &str) -> ((String, u8, u64), Wish) {
        let key = self.flying.iter().find(|(_, wish)| wish.url == url).unwrap().0.clone();
        let wish = self.flying.remove(&key).unwrap();
        (key, wish)
    }

    fn due(&mut self, now: Timestamp) -> (Vec<(String, u32)>, Option<Timestamp>) {
        let mut hosts = BTreeMap::new();
        while let Some(entry) = self.postponed.first_entry().filter(|entry| entry.key().0 <= now) {
            let wish = entry.remove();
            *hosts.entry(wish.host.clone()).or_default() += 1;
            self.queue(wish);
        }
        (hosts.into_iter().collect(), self.postponed.keys().next().map(|(time, _)| *time))
    }

    fn forget(&mut self, host: &str) -> u64 {
        let before = self.queue.len() + self.postponed.len();
        self.queue.retain(|(name, ..), _| name != host);
        self.postponed.retain(|_, wish| wish.host != host);
        let dropped = (before - self.queue.len() - self.postponed.len()) as u64;
        self.counts.forgotten += dropped;
        dropped
    }

    fn waiting(&self) -> BTreeMap<String, u32> {
        let mut waiting = BTreeMap::new();
        self.queue.keys().for_each(|(host, ..)| *waiting.entry(host.clone()).or_default() += 1);
        waiting
    }

    fn counts(&self) -> Counts {
        let hosts: BTreeSet<&str> =
            self.queue.keys().chain(self.flying.keys()).map(|(host, ..)| host.as_str()).collect();
        Counts {
            queued: self.queue.len() as u64,
            in_flight: self.flying.len() as u64,
            postponed: self.postponed.len() as u64,
            seen: self.seen.len() as u64,
            hosts: hosts.len() as u64,
            ..self.counts
        }
    }
}

struct Both {
    folder: TempDir,
    settings: Settings,
    frontier: Option<Frontier>,
    model: Model,
    turns: Vec<Turn>,
}

impl Both {
    fn new(width: Option<u32>, ahead_bytes: usize, log_bytes: usize) -> Both {
        let folder = TempDir::new().unwrap();
        let settings = Settings {
            width,
            ahead_bytes,
            log_bytes,
            lately_bytes: 64,
            sieve_bytes: 64,
            ..Settings::default()
        };
        let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
        let model = Model { width, ..Model::default() };
        Both { folder, settings, frontier: Some(frontier), model, turns: Vec::new() }
    }

    fn do_both(&mut self, act: Act) {
        let (frontier, model) = (self.frontier.as_ref().unwrap(), &mut self.model);
        match act {
            Act::Offer(links) => {
                let wishes: Vec<Wish> = links.into_iter().map(wish).collect();
                let expected = model.offer(&wishes);
                assert_eq!(frontier.offer(wishes).unwrap(), expected);
            }
            Act::Take(host) => {
                let turn = frontier.take(HOSTS[host as usize]).unwrap();
                assert_eq!(turn.as_ref().map(|turn| &turn.wish), model.take(HOSTS[host as usize]).as_ref());
                self.turns.extend(turn);
            }
            Act::GiveBack(_) | Act::Postpone(..) if self.turns.is_empty() => {}
            Act::GiveBack(number) => {
                let turn = self.turns.swap_remove(number as usize % self.turns.len());
                let (key, wish) = model.land(&turn.wish.url);
                model.queue.insert(key, wish);
                frontier.give_back(turn);
            }
            Act::Settle(number, links) => {
                let at = self.turns.len().saturating_sub(number as usize);
                let turns = self.turns.split_off(at);
                let found: Vec<Wish> = links.into_iter().map(wish).collect();
                let expected = if turns.is_empty() { Offered::default() } else { model.offer(&found) };
                let mut settled: Vec<Settled> = Vec::new();
                for turn in turns {
                    model.land(&turn.wish.url);
                    model.counts.done += 1;
                    settled.push(Settled { id: turn.id, end: End::Done, found: Vec::new() });
                }
                if let Some(last) = settled.last_mut() {
                    last.found = found;
                }
                model.mark = Some(vec![number]);
                assert_eq!(frontier.settle(settled, &[number]).unwrap(), expected);
            }
            Act::Postpone(number, second) => {
                let turn = self.turns.swap_remove(number as usize % self.turns.len());
                let (_, wish) = model.land(&turn.wish.url);
                let wish = Wish { tries: wish.tries.wrapping_add(1), precedence: 1, ..wish };
                model.next += 1;
                model.postponed.insert((time(second), model.next), wish.clone());
                model.mark = Some(vec![]);
                let end = End::Again { wish, not_before: time(second) };
                frontier.settle(vec![Settled { id: turn.id, end, found: Vec::new() }], &[]).unwrap();
            }
            Act::Due(second) => {
                let expected = model.due(time(second));
                assert_eq!(frontier.due(time(second)).unwrap(), expected);
            }
            Act::Forget(host) => {
                let expected = model.forget(HOSTS[host as usize]);
                assert_eq!(frontier.forget_host(HOSTS[host as usize]).unwrap(), expected);
            }
            Act::Reopen => self.reopen(),
        }
    }

    fn reopen(&mut self) {
        self.turns.clear();
        self.model.queue.append(&mut self.model.flying);
        self.frontier = None;
        self.frontier = Some(Frontier::open(&self.folder.path().join("f"), &self.settings).unwrap());
    }

    fn compare(&self) {
        let (frontier, model) = (self.frontier.as_ref().unwrap(), &self.model);
        assert_eq!(frontier.counts(), model.counts());
        assert_eq!(frontier.waiting().into_iter().collect::<BTreeMap<_, _>>(), model.waiting());
        assert_eq!(frontier.mark(), model.mark);
    }

    /// What reports say.
    fn compare_lists(&self) {
        let (frontier, model) = (self.frontier.as_ref().unwrap(), &self.model);
        for host in HOSTS {
            let queued: Vec<Wish> = frontier.queued(Some(host)).map(Result::unwrap).collect();
            let mut expected: BTreeMap<_, _> = model.queue.iter().collect();
            expected.extend(&model.flying);
            let expected: Vec<&Wish> =
                expected.into_iter().filter(|((name, ..), _)| name == host).map(|(_, wish)| wish).collect();
            assert_eq!(queued.iter().collect::<Vec<_>>(), expected);
        }
        let postponed: Vec<(Timestamp, Wish)> = frontier.postponed().map(Result::unwrap).collect();
        let expected: Vec<(Timestamp, Wish)> =
            model.postponed.iter().map(|((time, _), wish)| (*time, wish.clone())).collect();
        assert_eq!(postponed, expected);
        for page in 0..40 {
            let url = wish((0, page, 0, 0)).url;
            assert_eq!(frontier.has_seen(&url).unwrap(), model.seen.contains(&url), "{url}");
        }
    }
}

proptest! {
    // Each case makes a database, and that waits for the disk.
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_does_what_three_maps_do(
        acts in prop::collection::vec(act(), 1..150),
        width in prop::option::of(1..20_u32),
        ahead_bytes in prop_oneof![Just(0), Just(800), Just(1 << 20)],
        log_bytes in prop_oneof![Just(0), Just(3000), Just(1 << 20)],
    ) {
        let mut both = Both::new(width, ahead_bytes, log_bytes);
        for act in acts {
            both.do_both(act);
            both.compare();
        }
        both.compare_lists();
        both.reopen();
        both.compare();
        both.compare_lists();
    }
}
