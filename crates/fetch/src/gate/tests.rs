//! The gate against a model of it that is too simple to be wrong, and against its promises one by one.

mod alternation;
mod door;
mod model;
mod users;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use super::{Gate, Next, Pace, Permit, Settings, Went, When};

/// No request takes any time in these tests unless it says so, so the pause is the least one.
const PAUSE: Duration = Duration::from_secs(1);
const OK: Went = Went::Answered { status: 200, retry_after: None };

fn settings() -> Settings {
    Settings { delay_min: PAUSE, delay_max: 10 * PAUSE, per_address: 2, ..Settings::default() }
}

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn ip(last: u8) -> Option<IpAddr> {
    Some(Ipv4Addr::new(192, 0, 2, last).into())
}

#[track_caller]
fn go(gate: &Gate, now: Duration) -> Permit {
    match gate.next(now) {
        Next::Go(permit) => permit,
        other => panic!("{other:?}"),
    }
}

/// What the gate says at a time, without the permit.
fn said(gate: &Gate, now: Duration) -> String {
    match gate.next(now) {
        Next::Go(permit) => {
            let host = permit.host().to_owned();
            permit.done(Went::Unused, now);
            format!("go {host}")
        }
        Next::WaitUntil(time) => format!("wait until {}", time.as_secs_f64()),
        Next::Busy => "busy".into(),
        Next::Idle => "idle".into(),
    }
}

#[test]
fn one_request_at_a_time_and_a_pause_after_it() {
    let gate = Gate::new(settings());
    assert_eq!(said(&gate, at(0)), "idle");
    gate.want("a", None, 2, at(0));
    let permit = go(&gate, at(0));
    assert_eq!((permit.host(), permit.address()), ("a", None));
    assert_eq!(said(&gate, at(1)), "busy");
    assert_eq!(gate.when("a", at(1)), When::Busy);
    // It took two seconds, and the factor is two.
    permit.done(OK, at(2));
    assert_eq!(said(&gate, at(2)), "wait until 6");
    assert_eq!(gate.when("a", at(2)), When::At(at(6)));
    go(&gate, at(6)).done(OK, at(6));
    assert_eq!(said(&gate, at(100)), "idle");
    assert_eq!(gate.when("b", at(0)), When::Now);
}

#[test]
fn the_host_ready_for_longest_goes_first_however_much_another_wants() {
    let gate = Gate::new(settings());
    gate.want("large", None, 1_000_000, at(0));
    gate.want("small", None, 10, at(0));
    let mut order = String::new();
    for second in 0..4 {
        while let Next::Go(permit) = gate.next(at(second)) {
            order.push_str(if permit.host() == "large" { "L" } else { "s" });
            permit.done(OK, at(second));
        }
    }
    assert_eq!(order, "LsLsLsLs");
}

#[test]
fn hosts_that_share_an_address_share_its_limit() {
    let gate = Gate::new(settings());
    for host in ["a", "b", "c"] {
        gate.want(host, ip(1), 1, at(0));
    }
    gate.want("elsewhere", ip(2), 1, at(0));
    let (a, b) = (go(&gate, at(0)), go(&gate, at(0)));
    assert_eq!((a.host(), b.host(), b.address()), ("a", "b", ip(1)));
    assert_eq!(gate.when("c", at(0)), When::Busy);
    let elsewhere = go(&gate, at(0));
    assert_eq!(elsewhere.host(), "elsewhere");
    assert_eq!(said(&gate, at(0)), "busy");
    a.done(OK, at(1));
    assert_eq!(go(&gate, at(1)).host(), "c");
}

#[test]
fn a_lost_permit_frees_its_place() {
    let gate = Gate::new(settings());
    gate.want("a", ip(1), 2, at(0));
    let mut permit = go(&gate, at(0));
    permit.sending();
    drop(permit);
    // Nobody knows when it ended, so the pause counts from when the gate hears the time again.
    assert_eq!(said(&gate, at(1)), "wait until 3");
    assert_eq!(gate.counts().active, 0);
}

#[test]
fn a_permit_that_was_not_used_owes_no_pause() {
    let gate = Gate::new(settings());
    gate.want("a", ip(1), 2, at(0));
    drop(go(&gate, at(0)));
    assert_eq!(gate.when("a", at(0)), When::Now);
    assert_eq!(said(&gate, at(0)), "go a");
}

/// The server fails, and the next request is given up: that is no sign that it recovers, nor that it answers quickly.
#[test]
fn a_request_that_is_given_up_does_not_count_as_answered() {
    let gate = Gate::new(settings());
    gate.want("a", None, 9, at(0));
    for (second, pause) in [(0, 5), (5, 10)] {
        go(&gate, at(second)).done(Went::Failed, at(second));
        assert_eq!(gate.when("a", at(second)), When::At(at(second + pause)));
    }
    go(&gate, at(15)).done(Went::GivenUp, at(15));
    assert_eq!(said(&gate, at(15)), "wait until 25");
    let mut permit = go(&gate, at(25));
    permit.sending();
    drop(permit);
    assert_eq!(said(&gate, at(25)), "wait until 35");
    // A slow answer of three seconds, and then one that nobody waited for.
    let gate = Gate::new(settings());
    gate.want("a", None, 9, at(0));
    go(&gate, at(0)).done(OK, at(0));
    let permit = go(&gate, at(1));
    permit.done(OK, at(4));
    assert_eq!(said(&gate, at(4)), "wait until 10");
    go(&gate, at(10)).done(Went::GivenUp, at(10));
    assert_eq!(said(&gate, at(10)), "wait until 16");
}

#[test]
fn crawl_delay_holds_up_to_its_most_and_from_the_last_request_on() {
    let gate = Gate::new(settings());
    gate.want("a", None, 9, at(0));
    go(&gate, at(0)).done(OK, at(0));
    gate.set_crawl_delay("a", Some(at(20)), at(0));
    assert_eq!(said(&gate, at(5)), "wait until 20");
    go(&gate, at(20)).done(OK, at(20));
    assert_eq!(said(&gate, at(20)), "wait until 40");
    gate.set_crawl_delay("a", Some(at(1_000_000)), at(21));
    assert_eq!(said(&gate, at(21)), "wait until 80");
}

#[test]
fn retry_after_holds_up_to_its_most() {
    let gate = Gate::new(settings());
    gate.want("a", None, 9, at(0));
    let answer = |status, seconds| Went::Answered { status, retry_after: Some(at(seconds)) };
    go(&gate, at(0)).done(answer(200, 100), at(0));
    assert_eq!(said(&gate, at(0)), "wait until 100");
    go(&gate, at(100)).done(answer(503, 1_000_000), at(100));
    assert_eq!(said(&gate, at(100)), "wait until 3700");
}

#[test]
fn failures_make_pauses_longer_and_successes_shorter_again() {
    let gate = Gate::new(settings());
    gate.want("a", None, 99, at(0));
    let mut now = at(0);
    let mut pauses = Vec::new();
    let busy = Went::Answered { status: 429, retry_after: None };
    for went in [Went::Failed, busy, Went::Failed, OK, OK, OK, OK] {
        go(&gate, now).done(went, now);
        let When::At(next) = gate.when("a", now) else { panic!() };
        pauses.push((next - now).as_secs());
        now = next;
    }
    assert_eq!(pauses, [5, 10, 20, 10, 5, 1, 1]);
}

#[test]
fn a_pace_of_its_own_holds_for_one_host() {
    let gate = Gate::new(settings());
    gate.set_pace("a", Some(Pace { delay: Some(at(0)), at_once: Some(2) }), at(0));
    gate.set_crawl_delay("a", Some(at(20)), at(0));
    gate.want("a", None, 3, at(0));
    let (one, two) = (go(&gate, at(0)), go(&gate, at(0)));
    assert_eq!(said(&gate, at(0)), "busy");
    one.done(OK, at(5));
    let three = go(&gate, at(5));
    two.done(OK, at(5));
    three.done(OK, at(5));
    gate.set_pace("a", None, at(5));
    gate.want("a", None, 1, at(5));
    assert_eq!(said(&gate, at(5)), "wait until 25");
}

#[test]
fn hosts_are_forgotten_when_nothing_about_them_matters() {
    let gate = Gate::new(Settings { remembered_max: 2, remember: at(100), ..settings() });
    for host in ["a", "b"] {
        gate.want(host, ip(1), 1, at(0));
        go(&gate, at(0)).done(OK, at(0));
    }
    assert_eq!((gate.counts().hosts, gate.counts().remembered), (2, 2));
    assert_eq!(said(&gate, at(1)), "idle");
    assert_eq!((gate.counts().hosts, gate.counts().addresses), (0, 0));
    gate.set_crawl_delay("a", Some(at(5)), at(1));
    gate.set_crawl_delay("b", Some(at(5)), at(2));
    gate.set_crawl_delay("c", Some(at(5)), at(3));
    assert_eq!(gate.counts().remembered, 2);
    assert_eq!(said(&gate, at(200)), "idle");
    assert_eq!(gate.counts().hosts, 0);
    gate.want("a", None, 7, at(200));
    assert_eq!(gate.leave("a", at(200)), 7);
    assert_eq!(gate.counts().hosts, 0);
}

#[test]
fn a_host_that_moves_counts_where_it_is_now() {
    let gate = Gate::new(Settings { per_address: 1, ..settings() });
    gate.want("a", ip(1), 1, at(0));
    gate.want("b", ip(1), 1, at(0));
    let a = go(&gate, at(0));
    assert_eq!(said(&gate, at(0)), "busy");
    gate.want("b", ip(2), 1, at(0));
    assert_eq!(go(&gate, at(0)).address(), ip(2));
    a.done(OK, at(0));
    assert_eq!(gate.counts().addresses, 2);
}
