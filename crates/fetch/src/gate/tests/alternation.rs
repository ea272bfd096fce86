//! Claims and the queue take turns, on a clock that jumps to whatever is waited for.

use std::sync::{Arc, Mutex};

use tokio::time::{Instant, sleep_until, timeout};

use super::super::Door;
use super::{OK, at, go, ip, settings};
use crate::gate::{Gate, Next, Settings};

/// Who went in: `c` for a claim, `q` for the queue.
type Seen = Arc<Mutex<String>>;

/// Everything that shares one gate and one clock.
struct World {
    gate: Gate,
    epoch: Instant,
    seen: Seen,
    /// How long each request takes.
    takes: u64,
}

impl World {
    fn new(settings: Settings, takes: u64) -> World {
        World { gate: Gate::new(settings), epoch: Instant::now(), seen: Seen::default(), takes }
    }

    fn door(&self) -> Door {
        Door::new(self.gate.clone(), self.epoch)
    }

    /// A watch that asks for the next request as soon as it had one.
    fn watch(&self, host: &str) {
        let (door, host, seen, takes) = (self.door(), host.to_owned(), Arc::clone(&self.seen), self.takes);
        tokio::spawn(async move {
            loop {
                let permit = door.enter(&host, ip(1)).await;
                seen.lock().unwrap().push('c');
                pass(at(takes)).await;
                permit.done(OK);
            }
        });
    }

    /// A harvest that asks as the scheduler of `crawl` does.
    fn harvest(&self, hosts: &[&str]) {
        let gate = self.gate.for_another(settings_of_harvest());
        for host in hosts {
            gate.want(host, ip(1), 1000, self.door().now());
        }
        let (seen, takes, epoch, door) = (Arc::clone(&self.seen), self.takes, self.epoch, self.door());
        tokio::spawn(async move {
            loop {
                let changed = gate.changed();
                match gate.next(door.now()) {
                    Next::Go(permit) => {
                        seen.lock().unwrap().push('q');
                        pass(at(takes)).await;
                        permit.done(OK, door.now());
                    }
                    Next::WaitUntil(time) => tokio::select! {
                        () = changed => {}
                        () = sleep_until(epoch + time) => {}
                    },
                    Next::Busy | Next::Idle => changed.await,
                }
            }
        });
    }

    /// The sides that got a turn within a number of seconds, in order.
    async fn run(&self, seconds: u64) -> String {
        pass(at(seconds)).await;
        self.seen.lock().unwrap().clone()
    }
}

/// Lets time pass on the paused clock, which jumps: no test waits.
async fn pass(time: std::time::Duration) {
    sleep_until(Instant::now() + time).await;
}

fn settings_of_harvest() -> Settings {
    Settings { per_address: 1, ..settings() }
}

/// At most two requests of one side follow each other: the one under way when the other side comes, and the next.
#[track_caller]
fn check_turns(seen: &str, at_least: usize) {
    assert!(seen.len() >= at_least, "{seen}");
    assert!(!seen.contains("ccc") && !seen.contains("qqq"), "{seen}");
    for side in ['c', 'q'] {
        assert!(seen.matches(side).count() >= at_least / 3, "{seen}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_harvest_and_watches_of_one_host_take_turns() {
    for harvest_is_first in [false, true] {
        let world = World::new(settings(), 0);
        if harvest_is_first {
            world.harvest(&["a"]);
        }
        for _ in 0..3 {
            world.watch("a");
        }
        if !harvest_is_first {
            let _ = world.run(10).await;
            world.seen.lock().unwrap().clear();
            world.harvest(&["a"]);
        }
        check_turns(&world.run(60).await, 60);
    }
}

#[tokio::test(start_paused = true)]
async fn a_harvest_and_watches_of_one_address_take_turns() {
    let world = World::new(settings_of_harvest(), 1);
    for host in ["a", "b", "c", "d", "e"] {
        world.watch(host);
    }
    let _ = world.run(10).await;
    world.seen.lock().unwrap().clear();
    world.harvest(&["f", "g", "h", "i", "a"]);
    check_turns(&world.run(120).await, 100);
}

/// A harvest whose places are all taken wants hosts and does not ask.
#[tokio::test(start_paused = true)]
async fn a_queue_that_nobody_asks_for_delays_a_claim_for_a_second() {
    for wanted in ["a", "b"] {
        let world = World::new(settings_of_harvest(), 0);
        let door = world.door();
        world.gate.want("b", ip(1), 1, at(0));
        let permit = go(&world.gate, at(0));
        world.gate.want(wanted, ip(1), 9, at(0));
        permit.done(OK, at(0));
        for _ in 0..5 {
            timeout(at(2) + at(1) / 10, door.enter("a", ip(1))).await.expect("starved").done(OK);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_claim_goes_in_after_the_queue_has_had_its_turn() {
    let world = World::new(settings(), 0);
    let door = world.door();
    door.enter("a", ip(1)).await.done(OK);
    world.gate.want("a", ip(1), 9, at(0));
    let waiting = tokio::spawn(async move { door.enter("a", ip(1)).await.done(OK) });
    pass(at(1)).await;
    assert_eq!(super::said(&world.gate, at(1)), "go a");
    // `said` drops its permit, which was not used: that was the queue's turn.
    waiting.await.unwrap();
    assert_eq!(world.epoch.elapsed().as_secs(), 1);
}
