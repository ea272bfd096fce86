//! Any sequence of events, held against a model: a plain list of hosts with everything that ever happened to them.
//!
//! Claims and the queue take turns, which `alternation.rs` tests. The model does not know whose turn it is: it demands that nobody goes in
//! too early, that whoever can goes where no claim waits, and that in the end everybody has gone.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::gate::claim::Claim;
use crate::gate::ledger::Answer;

/// Those who share the gate.
const USERS: usize = 3;

/// Each has settings of its own: none is the strictest in everything. Nothing is forgotten early, so that the model need not forget either.
fn settings_of(user: usize) -> Settings {
    let usual = Settings { remember: Duration::from_secs(1 << 30), ..settings() };
    match user {
        0 => usual,
        1 => Settings { delay_min: 3 * PAUSE, per_host: 2, per_address: 3, retry_after_max: at(20), ..usual },
        _ => Settings {
            delay_min: PAUSE / 2,
            delay_max: 4 * PAUSE,
            per_host: 3,
            per_address: 1,
            crawl_delay_max: at(80),
            backoff_first: at(1),
            backoff_max: at(2),
            ..usual
        },
    }
}

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
    /// Somebody waits for one host by itself.
    Claim {
        user: usize,
        host: u8,
        moves: bool,
    },
    /// One of those asks.
    Ask {
        which: usize,
    },
    /// One of those loses patience.
    Unclaim {
        which: usize,
    },
    /// Ends one of the requests under way, by its place.
    Done {
        which: usize,
        went: Went,
    },
    /// A permit is dropped, before its request was sent or after.
    Lose {
        which: usize,
        is_sent: bool,
    },
    CrawlDelay {
        user: usize,
        host: u8,
        seconds: Option<u64>,
    },
    Pace {
        user: usize,
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
        1 => Just(Went::GivenUp),
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
        2 => (0..USERS, host.clone(), any::<bool>()).prop_map(|(user, host, moves)| Event::Claim { user, host, moves }),
        6 => any::<usize>().prop_map(|which| Event::Ask { which }),
        1 => any::<usize>().prop_map(|which| Event::Unclaim { which }),
        6 => (any::<usize>(), went).prop_map(|(which, went)| Event::Done { which, went }),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(which, is_sent)| Event::Lose { which, is_sent }),
        1 => (0..USERS, host.clone(), proptest::option::of(0..90_u64))
            .prop_map(|(user, host, seconds)| Event::CrawlDelay { user, host, seconds }),
        1 => (0..USERS, host, proptest::option::of(pace)).prop_map(|(user, host, pace)| Event::Pace { user, host, pace }),
        5 => (0..5000_u64).prop_map(|ms| Event::Pass { ms }),
    ];
    proptest::collection::vec(event, 0..200)
}

/// What the model knows of a host.
#[derive(Default, Clone)]
struct Known {
    address: Option<IpAddr>,
    waiting: [u32; USERS],
    claims: [u16; USERS],
    active: [u16; USERS],
    free_at: Duration,
    /// As each user has read it.
    crawl_delays: [Option<Duration>; USERS],
    paces: [Pace; USERS],
    failures: u8,
    last: Option<(Duration, Duration)>,
}

impl Known {
    /// Those who have to do with it.
    fn interested(&self) -> impl Iterator<Item = usize> {
        (0..USERS).filter(|user| self.is_waiting(*user) || self.active[*user] > 0)
    }

    fn is_waiting(&self, user: usize) -> bool {
        self.waiting[user] > 0 || self.claims[user] > 0
    }

    fn has_claims(&self) -> bool {
        self.claims != [0; USERS]
    }

    fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delays.into_iter().flatten().max()
    }

    fn under_way(&self) -> u16 {
        self.active.iter().sum()
    }
}

struct Model {
    gate: Gate,
    users: Vec<Gate>,
    now: Duration,
    hosts: HashMap<String, Known>,
    under_way: Vec<(Permit, usize, Duration)>,
    claims: Vec<(Claim, usize, String)>,
    /// What the gate last said about waiting.
    wait_until: Option<Duration>,
}

impl Model {
    fn new() -> Model {
        // Whose limits bind nobody, and who wants nothing.
        let gate = Gate::new(Settings { per_host: u16::MAX, per_address: u16::MAX, ..settings_of(0) });
        Model {
            users: (0..USERS).map(|user| gate.for_another(settings_of(user))).collect(),
            gate,
            now: Duration::ZERO,
            hosts: HashMap::new(),
            under_way: Vec::new(),
            claims: Vec::new(),
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
                self.pause(&host.to_string());
                self.ask_again(&host.to_string());
            }
            Event::Leave { user, host } => {
                let said = self.users[user].leave(&host.to_string(), now);
                let known = self.known(host.to_string());
                assert_eq!(said, std::mem::take(&mut known.waiting[user]));
            }
            Event::Next => self.all_go(),
            Event::Claim { user, host, moves } => {
                let (name, address) = (host.to_string(), ip(if moves { host % 4 } else { host % 3 }));
                let claim = self.users[user].claim(&name, address, now);
                let known = self.known(name.clone());
                known.claims[user] += 1;
                known.address = address;
                self.pause(&name);
                self.claims.push((claim, user, name.clone()));
                self.ask_again(&name);
            }
            Event::Ask { which } => self.ask(which),
            Event::Unclaim { which } => {
                if !self.claims.is_empty() {
                    self.unclaim(which % self.claims.len());
                }
            }
            Event::Done { which, went } => {
                if let Some((permit, user, started)) = self.take(which) {
                    self.end(permit.host().to_owned(), user, started, went);
                    permit.done(went, now);
                }
            }
            Event::Lose { which, is_sent } => {
                if let Some((mut permit, user, started)) = self.take(which) {
                    let went = if is_sent { Went::GivenUp } else { Went::Unused };
                    self.end(permit.host().to_owned(), user, started, went);
                    if is_sent {
                        permit.sending();
                    }
                    drop(permit);
                    // The gate hears the time at once, so that both count from the same.
                    self.gate.want("nobody", None, 0, now);
                }
            }
            Event::CrawlDelay { user, host, seconds } => {
                self.users[user].set_crawl_delay(&host.to_string(), seconds.map(at), now);
                self.known(host.to_string()).crawl_delays[user] = seconds.map(at);
                self.pause(&host.to_string());
            }
            Event::Pace { user, host, pace } => {
                self.users[user].set_pace(&host.to_string(), pace, now);
                self.known(host.to_string()).paces[user] = pace.unwrap_or_default();
                self.pause(&host.to_string());
            }
            Event::Pass { ms } => self.now += Duration::from_millis(ms),
        }
        self.check_questions();
    }

    /// A claim asks, and goes in no earlier than it may.
    fn ask(&mut self, which: usize) {
        if self.claims.is_empty() {
            return;
        }
        let which = which % self.claims.len();
        let (claim, user, name) = &mut self.claims[which];
        let (user, name) = (*user, name.clone());
        match self.users[user].ask(claim, self.now) {
            Answer::Go(grant) => {
                let known = &self.hosts[&name];
                assert!(
                    known.free_at <= self.now && known.under_way() < self.at_once(known),
                    "{name} went in"
                );
                assert!(self.address_has_room(known.address), "{name} went in");
                let permit = Permit::new(self.users[user].clone(), grant);
                assert_eq!(permit.address(), known.address);
                self.hosts.get_mut(&name).unwrap().active[user] += 1;
                self.under_way.push((permit, user, self.now));
                self.unclaim(which);
            }
            Answer::WaitUntil(time) => {
                let time = Duration::from_nanos(time);
                assert!(time > self.now);
                self.wait_until = Some(self.wait_until.map_or(time, |known| known.min(time)));
            }
            Answer::Busy => {
                let known = &self.hosts[&name];
                let is_full = known.under_way() >= self.at_once(known);
                assert!(is_full || !self.address_has_room(known.address), "{name} could go");
            }
            Answer::Idle => panic!("{name} is claimed"),
        }
    }

    /// A host may have moved: a door asks again then, so that its claim waits at no address that the host has left.
    fn ask_again(&mut self, name: &str) {
        for which in (0..self.claims.len()).rev() {
            if self.claims[which].2 == name {
                self.ask(which);
            }
        }
    }

    fn unclaim(&mut self, which: usize) {
        let (claim, user, name) = self.claims.swap_remove(which);
        self.users[user].unclaim(claim);
        self.hosts.get_mut(&name).unwrap().claims[user] -= 1;
    }

    /// Whoever can go goes, by turns.
    fn all_go(&mut self) {
        self.wait_until = None;
        while (0..USERS).filter(|user| self.next(*user)).count() > 0 {}
    }

    /// Asks once, and checks that the answer is right; says whether somebody went in.
    fn next(&mut self, user: usize) -> bool {
        let may: Vec<String> = self.free_now(user);
        let free: Vec<&String> = may.iter().filter(|name| !self.is_claimed(name)).collect();
        match self.users[user].next(self.now) {
            Next::Go(permit) => {
                assert!(may.iter().any(|host| host == permit.host()), "{} went in", permit.host());
                let known = self.hosts.get_mut(permit.host()).unwrap();
                assert_eq!(permit.address(), known.address);
                known.waiting[user] -= 1;
                known.active[user] += 1;
                self.under_way.push((permit, user, self.now));
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

    fn end(&mut self, name: String, user: usize, started: Duration, went: Went) {
        let now = self.now;
        let known = self.hosts.get_mut(&name).unwrap();
        if went != Went::Unused {
            let took_before =
                known.last.filter(|_| went == Went::GivenUp).map_or(Duration::ZERO, |(_, took)| took);
            known.last = Some((now, (now - started).max(took_before)));
            match went {
                Went::Answered { status: 200, .. } => known.failures = known.failures.saturating_sub(1),
                Went::GivenUp => {}
                _ => known.failures += 1,
            }
            if let Went::Answered { retry_after: Some(wait), .. } = went {
                let most = known.interested().map(|user| settings_of(user).retry_after_max).max().unwrap();
                known.free_at = known.free_at.max(now + wait.min(most));
            }
            self.pause(&name);
        }
        self.hosts.get_mut(&name).unwrap().active[user] -= 1;
    }

    /// The longest pause of all that have to do with a host, from its last request on.
    fn pause(&mut self, name: &str) {
        let known = self.hosts.get_mut(name).unwrap();
        let Some((ended, took)) = known.last else { return };
        let crawl_delay = known.crawl_delay();
        let of = |user: usize| {
            let settings = settings_of(user);
            settings.pause(took, crawl_delay, known.paces[user]).max(settings.backoff(known.failures))
        };
        let pause = known.interested().map(of).max().unwrap_or_default();
        known.free_at = known.free_at.max(ended + pause);
    }

    /// The end of the longest pause that any user makes after the last request to a host, interested or not.
    fn longest_pause_end(&self, name: &str) -> Duration {
        let Some(known) = self.hosts.get(name) else { return Duration::ZERO };
        let Some((ended, took)) = known.last else { return Duration::ZERO };
        let crawl_delay = known.crawl_delay();
        let of = |user: usize, pace: Pace| {
            let settings = settings_of(user);
            settings.pause(took, crawl_delay, pace).max(settings.backoff(known.failures))
        };
        // The gate's first user has the settings of user 0 and no pace.
        let first = of(0, Pace::default());
        ended + (0..USERS).map(|user| of(user, known.paces[user])).fold(first, Duration::max)
    }

    /// A host of which nothing is wanted or remembered is forgotten when the longest pause of all users is over, but for its pace.
    fn known(&mut self, name: String) -> &mut Known {
        let now = self.now;
        let longest_pause_end = self.longest_pause_end(&name);
        let known = self.hosts.entry(name).or_default();
        let is_idle = known.interested().next().is_none();
        if is_idle
            && known.failures == 0
            && known.crawl_delay().is_none()
            && known.free_at.max(longest_pause_end) <= now
        {
            *known = Known { paces: known.paces, ..Known::default() };
        }
        known
    }

    fn take(&mut self, which: usize) -> Option<(Permit, usize, Duration)> {
        let count = self.under_way.len();
        (count > 0).then(|| self.under_way.swap_remove(which % count))
    }

    fn at_once(&self, known: &Known) -> u16 {
        let of = |user: usize| known.paces[user].at_once.unwrap_or(settings_of(user).per_host).max(1);
        known.interested().map(of).min().unwrap_or(u16::MAX)
    }

    fn wants(&self, known: &Known, user: usize) -> bool {
        known.waiting[user] > 0 && known.under_way() < self.at_once(known)
    }

    fn address_has_room(&self, address: Option<IpAddr>) -> bool {
        let there: Vec<usize> = self
            .under_way
            .iter()
            .filter(|(permit, ..)| permit.address() == address)
            .map(|(_, user, _)| *user)
            .collect();
        let here = self.hosts.values().filter(|known| known.address == address);
        let waiting = here.flat_map(|known| (0..USERS).filter(|user| known.is_waiting(*user)));
        let limit = waiting.chain(there.iter().copied()).map(|user| settings_of(user).per_address).min();
        address.is_none() || limit.is_none_or(|limit| there.len() < usize::from(limit))
    }

    /// Whether a claim may go in before the queue of a host.
    fn is_claimed(&self, name: &str) -> bool {
        let address = self.hosts[name].address;
        let is_rival = |(other, known): (&String, &Known)| {
            known.has_claims() && (other == name || address.is_some() && known.address == address)
        };
        self.hosts.iter().any(is_rival)
    }

    fn free_now(&self, user: usize) -> Vec<String> {
        let is_free = |known: &Known| {
            self.wants(known, user) && known.free_at <= self.now && self.address_has_room(known.address)
        };
        self.hosts.iter().filter(|(_, known)| is_free(known)).map(|(name, _)| name.clone()).collect()
    }

    fn check_questions(&self) {
        for (name, known) in &self.hosts {
            let expect = if known.under_way() >= self.at_once(known) {
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
                ours == expect || (ours == When::Now && (0..USERS).all(|user| !known.is_waiting(user))),
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
            for which in (0..self.claims.len()).rev() {
                self.ask(which);
            }
            if self.claims.is_empty()
                && self.hosts.values().all(|known| known.waiting == [0; USERS])
                && self.under_way.is_empty()
            {
                assert_eq!(said(&self.gate, self.now), "idle");
                return;
            }
            if self.under_way.is_empty() {
                let until = self.wait_until.expect("nothing is under way, so there is a time to wait for");
                self.now = self.now.max(until);
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
