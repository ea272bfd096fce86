//! Several users of one gate: turns of their own, politeness in common.

use proptest::prelude::*;

use super::*;

#[test]
fn each_user_gets_its_own_turns_and_the_pause_is_common() {
    let gate = Gate::new(settings());
    let other = gate.for_another(settings());
    gate.want("a", None, 1, at(0));
    gate.want("b", None, 1, at(0));
    other.want("a", None, 2, at(0));
    let permit = go(&other, at(0));
    assert_eq!(permit.host(), "a");
    let b = go(&gate, at(0));
    assert_eq!(b.host(), "b");
    assert_eq!((said(&gate, at(0)), said(&other, at(0))), ("busy".into(), "busy".into()));
    permit.done(OK, at(0));
    b.done(OK, at(0));
    assert_eq!(said(&gate, at(0)), "wait until 1");
    go(&gate, at(1)).done(OK, at(1));
    assert_eq!(said(&gate, at(1)), "idle");
    assert_eq!(said(&other, at(1)), "wait until 2");
    assert_eq!((gate.leave("a", at(1)), other.leave("a", at(1))), (0, 1));
    assert_eq!(said(&other, at(9)), "idle");
}

#[test]
fn who_is_gone_wants_nothing_and_keeps_nobody_waiting() {
    let gate = Gate::new(Settings { per_address: 1, ..settings() });
    let other = gate.for_another(settings());
    other.want("a", ip(1), 5, at(0));
    let permit = go(&other, at(0));
    for host in ["b", "c"] {
        other.want(host, ip(1), 1, at(0));
        gate.want("d", ip(1), 1, at(0));
    }
    assert_eq!((said(&gate, at(0)), said(&other, at(0))), ("busy".into(), "busy".into()));
    // The place at the address is free, and the other user does not ask.
    permit.done(OK, at(0));
    assert_eq!(said(&gate, at(0)), "go d");
    drop(other);
    assert_eq!(gate.counts().wanting, 1);
    let counts = format!("{gate:?} {:?}", go(&gate, at(1)));
    assert!(counts.len() < 300, "{counts}");
}

/// As `settings`, with this pause.
fn with_delay(seconds: u64) -> Settings {
    Settings { delay_min: at(seconds), delay_max: at(seconds), ..settings() }
}

#[test]
fn the_strictest_user_that_has_to_do_with_a_host_holds() {
    let fast = Gate::new(Settings { per_host: 3, ..with_delay(1) });
    let slow = fast.for_another(with_delay(60));
    fast.want("a", None, 9, at(0));
    let (one, two) = (go(&fast, at(0)), go(&fast, at(0)));
    // Who comes to want it brings a pause and a limit along, which count for what is under way.
    slow.want("a", None, 1, at(0));
    assert_eq!(said(&fast, at(0)), "busy");
    one.done(OK, at(0));
    two.done(OK, at(0));
    assert_eq!((said(&fast, at(0)), said(&slow, at(0))), ("wait until 60".into(), "wait until 60".into()));
    let third = go(&slow, at(60));
    assert_eq!(said(&fast, at(60)), "busy");
    third.done(OK, at(60));
    assert_eq!(said(&fast, at(60)), "wait until 120");
    // The slow one wants nothing more.
    go(&fast, at(120)).done(OK, at(120));
    assert_eq!(said(&fast, at(120)), "wait until 121");
    // It comes again: its pause counts from the last request, whoever made that.
    slow.want("a", None, 1, at(130));
    assert_eq!(said(&slow, at(130)), "wait until 180");
    // Other hosts are none of its business.
    fast.want("b", None, 2, at(130));
    go(&fast, at(130)).done(OK, at(130));
    assert_eq!(fast.when("b", at(130)), When::At(at(131)));
}

/// The lax user fetches its last page of a host, and the strict one, who was not interested in it until then, comes a second later.
#[test]
fn a_strict_user_waits_its_pause_after_the_last_request_of_a_lax_user() {
    let lax = Gate::new(with_delay(0));
    let strict = lax.for_another(with_delay(60));
    lax.want("cdn.example", None, 1, at(0));
    go(&lax, at(0)).done(OK, at(0));
    assert_eq!(said(&lax, at(1)), "idle");
    strict.want("cdn.example", None, 1, at(1));
    assert_eq!(said(&strict, at(1)), "wait until 60");
    // The host is forgotten when the longest pause is over.
    go(&strict, at(60)).done(OK, at(60));
    assert_eq!((said(&lax, at(119)), lax.counts().hosts), ("idle".into(), 1));
    assert_eq!((said(&lax, at(120)), lax.counts().hosts), ("idle".into(), 0));
}

#[test]
fn a_user_that_leaves_all_hosts_slows_no_other() {
    let lax = Gate::new(with_delay(0));
    let strict = lax.for_another(Settings { per_address: 1, ..with_delay(60) });
    for host in ["a", "b"] {
        strict.want(host, ip(1), 9, at(0));
        lax.want(host, ip(1), 9, at(0));
    }
    let permit = go(&lax, at(0));
    assert_eq!(said(&lax, at(0)), "busy");
    strict.leave_all(at(0));
    assert_eq!((strict.wanting(), said(&strict, at(0))), (0, "idle".into()));
    permit.done(OK, at(0));
    for _ in 0..9 {
        go(&lax, at(0)).done(OK, at(0));
    }
}

#[test]
fn hosts_remembered_for_a_longer_pause_of_another_user_are_limited() {
    let lax = Gate::new(Settings { remembered_max: 10, ..with_delay(0) });
    let _strict = lax.for_another(with_delay(60));
    for number in 0..100_u64 {
        lax.want(&number.to_string(), None, 1, at(1));
        go(&lax, at(1)).done(OK, at(1));
    }
    assert_eq!(lax.counts().hosts, 10);
}

#[test]
fn the_strictest_user_that_has_to_do_with_an_address_holds() {
    let many = Gate::new(Settings { per_address: 4, ..settings() });
    let few = many.for_another(Settings { per_address: 1, ..settings() });
    for host in ["a", "b", "c", "d"] {
        many.want(host, ip(1), 1, at(0));
    }
    few.want("e", ip(1), 1, at(0));
    let a = go(&many, at(0));
    assert_eq!((said(&many, at(0)), said(&few, at(0))), ("busy".into(), "busy".into()));
    // Without it there is room for all.
    few.leave("e", at(0));
    let others = [go(&many, at(0)), go(&many, at(0)), go(&many, at(0))];
    few.want("e", ip(1), 1, at(0));
    a.done(OK, at(0));
    assert_eq!(said(&few, at(0)), "busy");
    others.into_iter().for_each(|permit| permit.done(OK, at(0)));
    let e = go(&few, at(0));
    many.want("f", ip(1), 1, at(0));
    // It wants nothing more, and its request is still under way.
    assert_eq!(said(&many, at(0)), "busy");
    e.done(OK, at(0));
    assert_eq!(said(&many, at(0)), "go f");
}

/// A user that ignores robots.txt does not make another that obeys it ask more often, even if that one waits for no page of the host just now.
#[test]
fn a_crawl_delay_holds_until_its_reader_changes_it() {
    let obeys = Gate::new(settings());
    let ignores = obeys.for_another(settings());
    obeys.want("a", None, 2, at(0));
    obeys.set_crawl_delay("a", Some(at(20)), at(0));
    ignores.want("a", None, 9, at(0));
    ignores.set_crawl_delay("a", None, at(0));
    go(&ignores, at(0)).done(OK, at(0));
    assert_eq!(said(&ignores, at(0)), "wait until 20");
    obeys.leave("a", at(20));
    ignores.set_crawl_delay("a", None, at(20));
    go(&ignores, at(20)).done(OK, at(20));
    assert_eq!(said(&ignores, at(20)), "wait until 40");
    // A longer one of another user replaces no shorter one.
    ignores.set_crawl_delay("a", Some(at(30)), at(40));
    go(&ignores, at(50)).done(OK, at(50));
    assert_eq!(said(&ignores, at(50)), "wait until 80");
    ignores.set_crawl_delay("a", None, at(80));
    go(&ignores, at(80)).done(OK, at(80));
    assert_eq!(said(&ignores, at(80)), "wait until 100");
    obeys.set_crawl_delay("a", None, at(100));
    go(&ignores, at(100)).done(OK, at(100));
    assert_eq!(said(&ignores, at(100)), "wait until 101");
}

#[test]
fn a_crawl_delay_of_a_user_that_is_gone_holds_until_another_reads_robots_txt() {
    let gate = Gate::new(settings());
    let gone = gate.for_another(settings());
    gone.set_crawl_delay("a", Some(at(20)), at(0));
    drop(gone);
    gate.want("a", None, 9, at(0));
    go(&gate, at(0)).done(OK, at(0));
    assert_eq!(said(&gate, at(0)), "wait until 20");
    gate.set_crawl_delay("a", None, at(20));
    go(&gate, at(20)).done(OK, at(20));
    assert_eq!(said(&gate, at(20)), "wait until 21");
}

#[test]
fn a_pace_of_its_own_is_one_users() {
    let gate = Gate::new(settings());
    let other = gate.for_another(settings());
    gate.set_pace("a", Some(Pace { delay: Some(at(0)), at_once: Some(9) }), at(0));
    other.set_pace("a", Some(Pace { delay: Some(at(7)), at_once: None }), at(0));
    gate.want("a", None, 9, at(0));
    go(&gate, at(0)).done(OK, at(0));
    assert_eq!(gate.when("a", at(0)), When::Now);
    other.want("a", None, 1, at(0));
    assert_eq!(said(&gate, at(0)), "wait until 7");
    drop(other);
    go(&gate, at(7)).done(OK, at(7));
    assert_eq!(gate.when("a", at(7)), When::Now);
}

/// However many harvests a process has seen, and however different their settings were.
#[test]
fn users_and_hosts_are_forgotten() {
    let gate = Gate::new(settings());
    for number in 0..1000_u64 {
        let user = gate.for_another(with_delay(number % 7));
        let host = number.to_string();
        user.set_pace(&host, Some(Pace { delay: Some(at(1)), at_once: None }), at(number));
        user.want(&host, ip((number % 200) as u8), 2, at(number));
        let mut permit = go(&user, at(number));
        if number % 2 == 0 {
            permit.done(OK, at(number));
        } else {
            permit.sending();
            // Its user goes with it.
            drop(permit);
        }
    }
    // The last of those that were given up has its pause from when the gate hears the time again.
    for second in 0..1000 {
        assert_eq!(said(&gate, at(100_000 + second)), "idle");
    }
    let counts = gate.counts();
    assert_eq!((counts.users, counts.hosts, counts.addresses, counts.active), (1, 0, 0, 0));
}

/// The pause of a request whose user is gone is that of its user.
#[test]
fn a_user_that_goes_with_its_request_leaves_its_pause() {
    let gate = Gate::new(with_delay(1));
    let slow = gate.for_another(with_delay(60));
    slow.want("a", None, 1, at(0));
    let mut permit = go(&slow, at(0));
    permit.sending();
    drop((slow, permit));
    gate.want("a", None, 1, at(2));
    assert_eq!(said(&gate, at(2)), "wait until 62");
}

/// Two requests of `other` keep an address busy, and `other` waits with two more hosts.
fn busy_address(gate: &Gate, other: &Gate) -> [Permit; 2] {
    for host in ["a", "b", "c", "d"] {
        other.want(host, ip(1), 1, at(0));
    }
    let permits = [go(other, at(0)), go(other, at(0))];
    assert_eq!((said(gate, at(0)), said(other, at(0))), ("idle".into(), "busy".into()));
    permits
}

#[test]
fn who_comes_to_want_a_blocked_host_does_not_wait_for_another_users_turn() {
    let gate = Gate::new(settings());
    let other = gate.for_another(settings());
    let [a, _b] = busy_address(&gate, &other);
    // It is the turn of `c`, which only `other` wants, and `other` does not ask.
    a.done(OK, at(0));
    gate.want("d", ip(1), 1, at(0));
    assert_eq!(gate.when("d", at(0)), When::Now);
    assert_eq!(said(&gate, at(0)), "go d");
}

#[test]
fn who_leaves_a_host_whose_turn_it_is_goes_to_the_next_where_there_is_room() {
    let gate = Gate::new(settings());
    let other = gate.for_another(settings());
    let [a, _b] = busy_address(&gate, &other);
    for host in ["c", "e"] {
        gate.want(host, ip(1), 1, at(0));
    }
    assert_eq!(said(&gate, at(0)), "busy");
    // It is the turn of `c` for both.
    a.done(OK, at(0));
    gate.leave("c", at(0));
    assert_eq!(gate.when("e", at(0)), When::Now);
    assert_eq!(said(&gate, at(0)), "go e");
}

#[tokio::test(start_paused = true)]
async fn whoever_sleeps_is_woken_when_something_changes() {
    let gate = Gate::new(settings());
    let other = gate.for_another(settings());
    gate.want("a", ip(1), 1, at(0));
    other.want("a", ip(1), 1, at(0));
    let permit = go(&other, at(0));
    let check = async |name: &str, change: &mut dyn FnMut()| {
        let changed = gate.changed();
        let _ = said(&gate, at(0));
        change();
        assert!(tokio::time::timeout(at(1), changed).await.is_ok(), "{name}");
    };
    let mut permit = Some(permit);
    check("done", &mut || permit.take().unwrap().done(OK, at(0))).await;
    check("want", &mut || other.want("b", None, 1, at(1))).await;
    check("drop", &mut || drop(go(&other, at(1)))).await;
    check("pace", &mut || other.set_pace("a", None, at(1))).await;
    check("leave", &mut || assert_eq!(other.leave("nobody", at(1)), 0)).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// However many there are, and however little may be remembered.
    #[test]
    fn a_host_in_its_pause_is_not_forgotten(
        visits in proptest::collection::vec((0..40_u8, 0..3_u8, 0..400_u64), 1..200),
        remembered_max in 0..3_usize,
    ) {
        let gate = Gate::new(Settings { remembered_max, ..settings() });
        let mut now = Duration::ZERO;
        let mut free_at = std::collections::HashMap::new();
        for (host, kind, ms) in visits {
            now += Duration::from_millis(ms);
            let name = host.to_string();
            if gate.when(&name, now) == When::Now {
                gate.want(&name, ip(host), 1, now);
                let (went, pause) = match kind {
                    0 => (OK, PAUSE),
                    1 => (Went::Failed, 5 * PAUSE),
                    _ => (Went::Answered { status: 200, retry_after: Some(at(9)) }, at(9)),
                };
                go(&gate, now).done(went, now);
                free_at.insert(name, now + pause);
            }
            for (name, free) in &free_at {
                if *free > now {
                    let when = gate.when(name, now);
                    prop_assert!(matches!(when, When::At(time) if time >= *free), "{name}: {when:?}");
                }
            }
            let resting = free_at.values().filter(|free| **free > now).count();
            // What a failure adds to a pause is not in our list, and little is forgotten at once.
            prop_assert!(gate.counts().remembered >= resting);
        }
        now += at(100_000);
        for _ in 0..100 {
            prop_assert_eq!(said(&gate, now), "idle");
        }
        prop_assert_eq!(gate.counts().hosts, 0);
    }
}
