//! Several users of one gate: turns of their own, politeness in common.

use proptest::prelude::*;

use super::*;

#[test]
fn each_user_gets_its_own_turns_and_the_pause_is_common() {
    let gate = Gate::new(settings());
    let other = gate.for_another();
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
    let other = gate.for_another();
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
    let other = gate.for_another();
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
    let other = gate.for_another();
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
    let other = gate.for_another();
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
