//! A4: whatever is added, ends and passes in whatever order, no two crawls of one domain overlap, and nobody is forgotten.

use std::collections::BTreeMap;
use std::time::Duration;

use crawl_queue::{Crawl, Id, Next, Turns};
use jiff::Timestamp;
use proptest::prelude::*;

/// Something that happens.
#[derive(Debug, Clone)]
enum Event {
    Add { domains: Vec<u8>, every_s: Option<u8> },
    End { which: usize },
    Postpone { which: usize, for_s: u8 },
    Pass { seconds: u8 },
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (prop::collection::vec(0_u8..6, 1..4), prop::option::of(1_u8..20))
            .prop_map(|(domains, every_s)| Event::Add { domains, every_s }),
        4 => any::<usize>().prop_map(|which| Event::End { which }),
        1 => (any::<usize>(), 0_u8..20).prop_map(|(which, for_s)| Event::Postpone { which, for_s }),
        2 => (0_u8..30).prop_map(|seconds| Event::Pass { seconds }),
    ]
}

/// What must be true of the queue, kept in the plainest way.
#[derive(Default)]
struct Plain {
    now_s: i64,
    crawls: BTreeMap<Id, Known>,
}

struct Known {
    domains: Vec<u8>,
    repeats: bool,
    due_s: Option<i64>,
    is_running: bool,
    starts: u32,
}

impl Plain {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.now_s).unwrap()
    }

    fn running(&self) -> Vec<Id> {
        self.crawls.iter().filter(|(_, known)| known.is_running).map(|(id, _)| *id).collect()
    }

    /// Whether this one shares no domain with those that run.
    fn is_free(&self, known: &Known) -> bool {
        let mut busy = self.crawls.values().filter(|other| other.is_running).flat_map(|other| &other.domains);
        !busy.any(|domain| known.domains.contains(domain))
    }

    /// Starts all that the queue says, and checks each and the answer that ends them.
    fn start_all(&mut self, turns: &mut Turns, running_max: usize) {
        loop {
            let next = turns.next(self.now());
            let may_start = |known: &&Known| {
                !known.is_running && known.due_s.is_some_and(|due| due <= self.now_s) && self.is_free(known)
            };
            match next {
                Next::Start(id) => {
                    let known = &self.crawls[&id];
                    assert!(may_start(&known), "one is started that must not be");
                    assert!(self.running().len() < running_max, "too many at once");
                    let known = self.crawls.get_mut(&id).unwrap();
                    known.is_running = true;
                    known.starts += 1;
                }
                _ => {
                    let could = self.crawls.values().find(may_start).is_some();
                    assert!(!could || self.running().len() == running_max, "{next:?}, but one could start");
                    assert_eq!(turns.counts().running, self.running().len());
                    return;
                }
            }
        }
    }

    fn end(&mut self, turns: &mut Turns, which: usize) {
        let running = self.running();
        let Some(id) = running.get(which % running.len().max(1)).copied() else { return };
        turns.ended(id, self.now());
        let known = self.crawls.get_mut(&id).unwrap();
        known.is_running = false;
        // When exactly it comes again is tested elsewhere; here it is not before the time has passed on.
        known.due_s = None;
        if known.repeats {
            known.starts = 0;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a4_no_two_crawls_of_one_domain_overlap(
        running_max in 1_usize..4,
        events in prop::collection::vec(event(), 0..80),
    ) {
        let mut turns = Turns::new(running_max);
        let mut plain = Plain::default();
        for event in events {
            match event {
                Event::Add { domains, every_s } => {
                    let crawl = Crawl::of(domains.iter().map(|domain| format!("d{domain}.example")));
                    let crawl = match every_s {
                        // Far enough that none comes again before the others are done with: see `end`.
                        Some(hours) => crawl.every(Duration::from_secs(u64::from(hours) * 3600)),
                        None => crawl,
                    };
                    let id = turns.add(crawl, plain.now());
                    let (repeats, due_s) = (every_s.is_some(), Some(plain.now_s));
                    plain.crawls.insert(id, Known { domains, repeats, due_s, is_running: false, starts: 0 });
                }
                Event::End { which } => plain.end(&mut turns, which),
                Event::Postpone { which, for_s } => {
                    let running = plain.running();
                    if let Some(id) = running.get(which % running.len().max(1)) {
                        let until_s = plain.now_s + i64::from(for_s);
                        turns.postpone(*id, Timestamp::from_second(until_s).unwrap());
                        let known = plain.crawls.get_mut(id).unwrap();
                        (known.is_running, known.due_s, known.starts) = (false, Some(until_s), 0);
                    }
                }
                Event::Pass { seconds } => plain.now_s += i64::from(seconds),
            }
            plain.start_all(&mut turns, running_max);
        }
        // Everything comes to its end: whoever waits is started, once.
        for _ in 0..plain.crawls.len() {
            plain.now_s += 20;
            plain.start_all(&mut turns, running_max);
            for _ in 0..running_max {
                plain.end(&mut turns, 0);
            }
        }
        plain.start_all(&mut turns, running_max);
        for known in plain.crawls.values().filter(|known| !known.repeats) {
            prop_assert_eq!(known.starts, 1, "a crawl of {:?}", known.domains);
        }
    }
}
