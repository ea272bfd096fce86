//! Waiting in front of one host, on a clock that jumps to whatever is waited for.

use std::sync::{Arc, Mutex};

use tokio::time::{Instant, timeout};

use super::super::Door;
use super::{OK, at, go, ip, said, settings};
use crate::gate::{Gate, Settings};

fn door(settings: Settings) -> (Door, Gate) {
    let gate = Gate::new(settings);
    (Door::new(gate.clone(), Instant::now()), gate)
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_go_in_one_after_another_with_a_pause() {
    let (door, _) = door(settings());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tasks: Vec<_> = (0..3)
        .map(|number| {
            let (door, seen) = (door.clone(), Arc::clone(&seen));
            tokio::spawn(async move {
                let pass = door.enter("a", ip(1)).await;
                seen.lock().unwrap().push((number, door.now()));
                pass.done(OK);
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let seen: Vec<_> = seen.lock().unwrap().iter().map(|(number, now)| (*number, now.as_secs())).collect();
    assert_eq!(seen, [(0, 0), (1, 1), (2, 2)]);
}

#[tokio::test(start_paused = true)]
async fn hosts_that_share_an_address_wait_for_each_other() {
    let (door, _) = door(Settings { per_address: 1, ..settings() });
    let first = door.enter("a", ip(1)).await;
    assert!(timeout(at(5), door.enter("b", ip(1))).await.is_err());
    let elsewhere = timeout(at(5), door.enter("c", ip(2))).await.unwrap();
    let waiting = tokio::spawn({
        let door = door.clone();
        async move { door.enter("b", ip(1)).await.done(OK) }
    });
    tokio::task::yield_now().await;
    first.done(OK);
    waiting.await.unwrap();
    drop(elsewhere);
}

#[tokio::test(start_paused = true)]
async fn a_lost_pass_and_lost_patience_leave_nothing_behind() {
    let (door, gate) = door(settings());
    let pass = door.enter("a", ip(1)).await;
    assert!(timeout(at(1), door.enter("a", ip(1))).await.is_err());
    drop(pass);
    door.enter("a", ip(1)).await.done(OK);
    assert_eq!(gate.counts().active, 0);
    assert_eq!(said(&gate, at(1000)), "idle");
    assert_eq!((gate.counts().hosts, gate.counts().addresses), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn who_waits_goes_in_after_the_last_request_of_the_queue_of_the_same_host() {
    let (door, gate) = door(settings());
    gate.want("a", ip(1), 100, at(0));
    go(&gate, at(0)).done(OK, at(0));
    let waiting = tokio::spawn({
        let door = door.clone();
        async move { door.enter("a", None).await.done(OK) }
    });
    tokio::task::yield_now().await;
    assert_eq!(said(&gate, at(1)), "busy");
    waiting.await.unwrap();
    assert_eq!(said(&gate, at(2)), "go a");
}

/// Two requests keep an address busy for ever, each followed at once by the next; still somebody else gets in.
#[tokio::test(start_paused = true)]
async fn who_waits_is_not_starved_by_the_queue_of_an_address() {
    let (door, gate) = door(Settings { delay_min: at(0), ..settings() });
    for host in ["a", "b", "c"] {
        gate.want(host, ip(1), 1000, at(0));
    }
    let mut under_way = vec![go(&gate, at(0)), go(&gate, at(0))];
    let waiting = tokio::spawn({
        let door = door.clone();
        async move { door.enter("d", ip(1)).await.done(OK) }
    });
    let mut rounds = 0;
    while !waiting.is_finished() {
        tokio::task::yield_now().await;
        under_way.remove(0).done(OK, at(0));
        if let crate::gate::Next::Go(permit) = gate.next(at(0)) {
            under_way.push(permit);
        }
        if under_way.is_empty() {
            under_way.push(go(&gate, at(0)));
        }
        rounds += 1;
        assert!(rounds < 10, "starved");
        tokio::task::yield_now().await;
    }
}
