//! Any sequence of events, held against a model: a plain list of hosts with everything that ever happened to them.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Those who share the gate.
const USERS: usize = 2;

/// What may happen. Hosts are numbers, and a host's address depends on it unless it moves.
#[derive(Debug, Clone)]
enum Event {
    Want {
        user: usize,
        host: u8,
        count: u32,
        moves: bool,
    },
    Leave {
        user: usize,
        host: u8,
    },
    /// Asks for the next until there is none.
    Next,
    /// Ends one of the requests under way, by its place.
    Done {
        which: usize,
        went: Went,
    },
    Lose {
        which: usize,
    },
    CrawlDelay {
        host: u8,
        seconds: Option<u64>,
    },
    Pace {
        host: u8,
        pace: Option<Pace>,
    },
    Pass {
        ms: u64,
    },
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let host = 0..12_u8;
    let went = prop_oneof![
        4 => Just(OK),
        1 => Just(Went::Failed),
        1 => Just(Went::Unused),
        1 => Just(Went::Answered { status: 503, retry_after: None }),
        1 => (0..50_u64).prop_map(|wait| Went::Answered { status: 429, retry_after: Some(at(wait)) }),
    ];
    let pace = (proptest::option::of(0..3_u64), proptest::option::of(0..4_u16))
        .prop_map(|(delay, at_once)| Pace { delay: delay.map(at), at_once });
    let event = prop_oneof![
        4 => (0..USERS, host.clone(), 1..5_u32, any::<bool>())
            .prop_map(|(user, host, count, moves)| Event::Want { user, host, count, moves }),
        1 => (0..USERS, host.clone()).prop_map(|(user, host)| Event::Leave { user, host }),
        6 => Just(Event::Next),
        6 => (any::<usize>(), went).prop_map(|(which, went)| Event::Done { which, went }),
        1 => any::<usize>().prop_map(|which| Event::Lose { which }),
        1 => (host.clone(), proptest::option::of(0..90_u64)).prop_map(|(host, seconds)| Event::CrawlDelay { host, seconds }),
        1 => (host, proptest::option::of(pace)).prop_map(|(host, pace)| Event::Pace { host, pace }),
        5 => (0..5000_u64).prop_map(|ms| Event::Pass { ms }),
    ];
    proptest::collection::vec(event, 0..200)
}

/// What the model knows of a host.
#[derive(Default, Clone)]
struct Known {
    address: Option<IpAddr>,
    waiting: [u32; USERS],
    active: u16,
    free_at: Duration,
    crawl_delay: Option<Duration>,
    pace: Pace,
    failures: u8,
    last: Option<(Duration, Duration)>,
}

struct Model {
    gate: Gate,
    users: Vec<Gate>,
    settings: Settings,
    now: Duration,
    hosts: HashMap<String, Known>,
    under_way: Vec<(Permit, Duration)>,
    /// What the gate last said about waiting.
    wait_until: Option<Duration>,
}

impl Model {
    fn new() -> Model {
        // Nothing is forgotten early, so that the model need not forget either.
        let settings = Settings { remember: Duration::from_secs(1 << 30), ..settings() };
        let gate = Gate::new(settings);
        Model {
            users: (0..USERS).map(|_| gate.for_another()).collect(),
            gate,
            settings,
            now: Duration::ZERO,
            hosts: HashMap::new(),
            under_way: Vec::new(),
            wait_until: None,
        }
    }

    fn happen(&mut self, event: Event) {
        let now = self.now;
        match event {
            Event::Want { user, host, count, moves } => {
                let (name, address) = (host.to_string(), ip(if moves { host % 4 } else { host % 3 }));
                self.users[user].want(&name, address, count, now);
                let known = self.known(name);
                known.waiting[user] += count;
                known.address = address;
            }
            Event::Leave { user, host } => {
                let said = self.users[user].leave(&host.to_string(), now);
                let known = self.known(host.to_string());
                assert_eq!(said, std::mem::take(&mut known.waiting[user]));
            }
            Event::Next => self.all_go(),
            Event::Done { which, went } => {
                if let Some((permit, started)) = self.take(which) {
                    self.end(permit.host().to_owned(), started, Some(went));
                    permit.done(went, now);
                }
            }
            Event::Lose { which } => {
                if let Some((permit, started)) = self.take(which) {
                    self.end(permit.host().to_owned(), started, None);
                    drop(permit);
                    // The gate hears the time at once, so that both count from the same.
                    self.gate.want("nobody", None, 0, now);
                }
            }
            Event::CrawlDelay { host, seconds } => {
                self.gate.set_crawl_delay(&host.to_string(), seconds.map(at), now);
                self.known(host.to_string()).crawl_delay = seconds.map(at);
                self.pause(&host.to_string());
            }
            Event::Pace { host, pace } => {
                self.gate.set_pace(&host.to_string(), pace, now);
                self.known(host.to_string()).pace = pace.unwrap_or_default();
                self.pause(&host.to_string());
            }
            Event::Pass { ms } => self.now += Duration::from_millis(ms),
        }
        self.check_questions();
    }

    /// Whoever can go goes, by turns.
    fn all_go(&mut self) {
        self.wait_until = None;
        while (0..USERS).filter(|user| self.next(*user)).count() > 0 {}
    }

    /// Asks once, and checks that the answer is right; says whether somebody went in.
    fn next(&mut self, user: usize) -> bool {
        let free: Vec<String> = self.free_now(user);
        match self.users[user].next(self.now) {
            Next::Go(permit) => {
                assert!(free.iter().any(|host| host == permit.host()), "{} went in", permit.host());
                let known = self.hosts.get_mut(permit.host()).unwrap();
                assert_eq!(permit.address(), known.address);
                known.waiting[user] -= 1;
                known.active += 1;
                self.under_way.push((permit, self.now));
                return true;
            }
            Next::WaitUntil(time) => {
                assert!(free.is_empty(), "{free:?} could go");
                assert!(time > self.now);
                self.wait_until = Some(self.wait_until.map_or(time, |known| known.min(time)));
                let soonest = self
                    .hosts
                    .values()
                    .filter(|known| self.wants(known, user))
                    .map(|known| known.free_at)
                    .min();
                // A host whose time has come may wait for its address instead.
                assert!(soonest.is_some_and(|soonest| soonest <= time), "{soonest:?} {time:?}");
            }
            Next::Busy => {
                assert!(free.is_empty(), "{free:?} could go");
                assert!(self.hosts.values().any(|known| known.waiting[user] > 0));
            }
            Next::Idle => assert!(self.hosts.values().all(|known| known.waiting[user] == 0)),
        }
        false
    }

    fn end(&mut self, name: String, started: Duration, went: Option<Went>) {
        let now = self.now;
        let known = self.hosts.get_mut(&name).unwrap();
        known.active -= 1;
        if went == Some(Went::Unused) {
            return;
        }
        known.last = Some((now, now - started));
        match went {
            Some(Went::Answered { status: 200, .. }) => known.failures = known.failures.saturating_sub(1),
            Some(_) => known.failures += 1,
            None => {}
        }
        if let Some(Went::Answered { retry_after: Some(wait), .. }) = went {
            known.free_at = known.free_at.max(now + wait);
        }
        self.pause(&name);
    }

    fn pause(&mut self, name: &str) {
        let settings = self.settings;
        let known = self.hosts.get_mut(name).unwrap();
        let Some((ended, took)) = known.last else { return };
        let pause = settings.pause(took, known.crawl_delay, known.pace).max(settings.backoff(known.failures));
        known.free_at = known.free_at.max(ended + pause);
    }

    /// A host of which nothing is wanted or remembered is forgotten when its pause is over, but for its pace.
    fn known(&mut self, name: String) -> &mut Known {
        let now = self.now;
        let known = self.hosts.entry(name).or_default();
        let is_idle = known.waiting == [0; USERS] && known.active == 0;
        if is_idle && known.failures == 0 && known.crawl_delay.is_none() && known.free_at <= now {
            *known = Known { pace: known.pace, ..Known::default() };
        }
        known
    }

    fn take(&mut self, which: usize) -> Option<(Permit, Duration)> {
        let count = self.under_way.len();
        (count > 0).then(|| self.under_way.swap_remove(which % count))
    }

    fn at_once(&self, known: &Known) -> u16 {
        known.pace.at_once.unwrap_or(self.settings.per_host).max(1)
    }

    fn wants(&self, known: &Known, user: usize) -> bool {
        known.waiting[user] > 0 && known.active < self.at_once(known)
    }

    fn address_has_room(&self, address: Option<IpAddr>) -> bool {
        let there = self.under_way.iter().filter(|(permit, _)| permit.address() == address).count();
        address.is_none() || there < usize::from(self.settings.per_address)
    }

    fn free_now(&self, user: usize) -> Vec<String> {
        let is_free = |known: &Known| {
            self.wants(known, user) && known.free_at <= self.now && self.address_has_room(known.address)
        };
        self.hosts.iter().filter(|(_, known)| is_free(known)).map(|(name, _)| name.clone()).collect()
    }

    fn check_questions(&self) {
        for (name, known) in &self.hosts {
            let expect = if known.active >= self.at_once(known) {
                When::Busy
            } else if known.free_at > self.now {
                When::At(known.free_at)
            } else if !self.address_has_room(known.address) {
                When::Busy
            } else {
                When::Now
            };
            // Of a host that was forgotten the gate knows no address any more.
            let ours = self.gate.when(name, self.now);
            assert!(
                ours == expect || (ours == When::Now && known.waiting == [0; USERS]),
                "{name}: {ours:?} {expect:?}"
            );
        }
        let counts = self.gate.counts();
        assert_eq!(counts.active, self.under_way.len());
        assert_eq!(counts.wanting, self.hosts.values().filter(|known| known.waiting != [0; USERS]).count());
    }

    /// However it has come to this, everything that is wanted is let in within the time that the pauses take.
    fn drain(&mut self) {
        for _ in 0..10_000 {
            self.all_go();
            if self.hosts.values().all(|known| known.waiting == [0; USERS]) && self.under_way.is_empty() {
                assert_eq!(said(&self.gate, self.now), "idle");
                return;
            }
            if self.under_way.is_empty() {
                self.now = self.wait_until.expect("nothing is under way, so there is a time to wait for");
            }
            while !self.under_way.is_empty() {
                self.happen(Event::Done { which: 0, went: OK });
            }
        }
        panic!("somebody starves");
    }
}

/// Lets all of it happen, and then whatever is wanted go in.
fn replay(events: impl IntoIterator<Item = Event>) {
    let mut model = Model::new();
    for event in events {
        model.happen(event);
    }
    model.drain();
}

/// What the property below found once: host 0 is blocked for user 1 behind host 9, there is room at their address, and then
/// user 0 wants it too.
#[test]
fn who_comes_to_want_a_blocked_host_goes_in_where_there_is_room() {
    let want = |user, host, moves| Event::Want { user, host, count: 1, moves };
    replay([
        want(1, 1, false),
        want(0, 4, true),
        want(1, 9, false),
        want(0, 3, false),
        want(1, 0, false),
        Event::Next,
        Event::Done { which: 1_902_478_337_235_709_655, went: OK },
        want(0, 0, false),
        want(0, 0, false),
    ]);
}

proptest! {
    // As many cases as `PROPTEST_CASES` says: a number written here would override it.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nobody_goes_in_too_early_or_never(events in events()) {
        replay(events);
    }
}
