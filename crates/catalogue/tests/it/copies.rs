//! Files and their copies: states, what is due, what is counted.

use std::collections::BTreeMap;

use catalogue::{AuditKind, AuditState, Error, Kind, Moved, State};
use proptest::prelude::*;
use testkit::postgres::{Kind as DatabaseKind, run};

use crate::world::{World, at, sha256};

pub(crate) fn d11_a_file_of_another_content_is_refused() {
    let world = World::new();
    let file = world.file(5);
    assert_eq!(world.file(5), file);
    let other = world.catalogue.change(|change| change.add_file(&file.name, 5, &sha256(6), at(1)));
    assert!(matches!(other, Err(Error::Taken(_))));
    let longer = world.catalogue.change(|change| change.add_file(&file.name, 6, &sha256(5), at(1)));
    assert!(matches!(longer, Err(Error::Taken(_))));
}

pub(crate) fn d11_a_file_is_accepted_when_every_replica_has_it() {
    let world = World::new();
    let file = world.file(5);
    let accept = || world.catalogue.change(|change| change.accept(&file, at(9))).unwrap();
    assert!(!accept());
    for (from, to) in [
        (State::Wanted, State::Uploading),
        (State::Uploading, State::Uploaded),
        (State::Uploaded, State::Verified),
    ] {
        assert!(world.go(&file, "one", from, to, 1).unwrap());
        assert!(!accept());
    }
    assert!(world.go(&file, "two", State::Wanted, State::Verified, 2).unwrap());
    assert!(accept() && !accept());
    let found = world.catalogue.file(&file.name).unwrap().unwrap();
    assert_eq!(found.accepted_at, Some(at(9)));
    assert_eq!(world.catalogue.sums().unwrap().accepted, 1);
}

pub(crate) fn jobs_are_told_once_each() {
    let world = World::new();
    assert_eq!(world.catalogue.jobs().unwrap(), [""; 0]);
    let add = |name: &str| {
        world.catalogue.change(|change| change.add_file(name, 1, &sha256(1), at(1))).unwrap();
    };
    ["b/1", "b/2", "b-1/x", "b.c/x", "b0/x", "a/z", "zz/a", "b/"].into_iter().for_each(add);
    assert_eq!(world.catalogue.jobs().unwrap(), ["a", "b-1", "b.c", "b", "b0", "zz"]);
    // Names of no job are none of ours, and hide no others.
    ["/x", "b0", "c"].into_iter().for_each(add);
    assert_eq!(world.catalogue.jobs().unwrap(), ["a", "b-1", "b.c", "b", "b0", "zz"]);
}

pub(crate) fn who_is_slower_changes_nothing() {
    let world = World::new();
    let file = world.file(5);
    assert!(world.go(&file, "one", State::Wanted, State::Uploading, 1).unwrap());
    assert!(!world.go(&file, "one", State::Wanted, State::Uploading, 1).unwrap());
    assert_eq!(world.catalogue.copies(&file).unwrap()[0].state, State::Uploading);
    assert!(world.go(&file, "three", State::Wanted, State::Uploading, 1).is_err());
}

pub(crate) fn there_are_ways_that_nothing_goes() {
    let world = World::new();
    let file = world.file(5);
    for (from, to) in [
        (State::Wanted, State::Uploaded),
        (State::Verified, State::Wanted),
        (State::Missing, State::Uploaded),
    ] {
        assert!(world.go(&file, "one", from, to, 1).is_err(), "{from} to {to}");
    }
}

pub(crate) fn what_failed_is_due_later() {
    let world = World::new();
    let file = world.file(5);
    assert!(world.go(&file, "one", State::Wanted, State::Uploading, 1).unwrap());
    let why = Some("no route to the bucket".to_owned());
    let moved = Moved {
        why: why.clone(),
        retry_at: Some(at(60)),
        ..Moved::new(State::Uploading, State::Failed, at(2))
    };
    assert!(world.catalogue.change(|change| change.move_copy(&file, "one", &moved)).unwrap());
    let copy = world.catalogue.copies(&file).unwrap().remove(0);
    assert_eq!((copy.tries, copy.due_at, copy.why), (1, at(60), why));
    let due = |seconds| world.catalogue.due("one", at(seconds), 10).unwrap().len();
    assert_eq!((due(59), due(60)), (0, 1));
    assert_eq!(world.catalogue.bad("one", State::Failed, None, 10).unwrap().len(), 1);
    assert_eq!(world.catalogue.bad("one", State::Failed, Some(&file), 10).unwrap(), []);
}

pub(crate) fn the_longest_unchecked_is_audited_first() {
    let world = World::new();
    let files: Vec<_> = (1..=3).map(|number| world.file(number)).collect();
    for (file, seconds) in files.iter().zip([30, 10, 20]) {
        assert!(world.go(file, "one", State::Wanted, State::Verified, seconds).unwrap());
    }
    let next = |before| {
        let found = world.catalogue.to_audit("one", at(before), 10).unwrap();
        found.into_iter().map(|file| file.bytes).collect::<Vec<_>>()
    };
    assert_eq!(next(100), [2, 3, 1]);
    assert_eq!(next(20), [2]);
    assert!(world.go(&files[1], "one", State::Verified, State::Verified, 40).unwrap());
    assert_eq!(next(100), [3, 1, 2]);
}

pub(crate) fn a_new_replica_wants_all_files() {
    let world = World::new();
    world.file(1);
    world.file(2);
    world.replica("three", Kind::Bucket);
    assert_eq!(world.catalogue.due("three", at(0), 10).unwrap().len(), 2);
    world.catalogue.change(|change| change.remove_replica("three")).unwrap();
    assert!(matches!(world.catalogue.due("three", at(0), 10), Err(Error::NoReplica(_))));
    assert!(world.catalogue.tallies().unwrap().iter().all(|tally| tally.replica != "three"));
}

pub(crate) fn d13_audits_are_kept() {
    let world = World::new();
    let mut audit =
        world.catalogue.change(|change| change.begin_audit("one", AuditKind::Checksum, at(5))).unwrap();
    assert_eq!(
        (audit.state, audit.kind, audit.has_findings()),
        (AuditState::Running, AuditKind::Checksum, false)
    );
    (audit.files, audit.changed, audit.reached) = (10, 1, "job/9".to_owned());
    (audit.state, audit.ended_at) = (AuditState::Paused, Some(at(8)));
    world.catalogue.change(|change| change.save_audit(&audit)).unwrap();
    assert_eq!(world.catalogue.audits("one", 10).unwrap(), [audit.clone()]);
    assert!(!audit.is_sound());
    assert_eq!(world.catalogue.audits("two", 10).unwrap(), []);
    for minute in 10..40 {
        world.catalogue.change(|change| change.begin_audit("one", AuditKind::Presence, at(minute))).unwrap();
    }
    assert_eq!(world.catalogue.last_audit("one", AuditKind::Checksum).unwrap(), Some(audit));
    let last = world.catalogue.last_audit("one", AuditKind::Presence).unwrap().unwrap();
    assert_eq!(last.began_at, at(39));
    assert_eq!(world.catalogue.last_audit("two", AuditKind::Presence).unwrap(), None);
}

/// Whatever is done, the tallies are what one would count, and a copy is only ever where a way led.
fn check_tallies(steps: Vec<(u64, usize, usize, usize, bool)>) {
    let world = World::new();
    for (seconds, (number, replica, from, to, is_removed)) in (1..).zip(steps) {
        let file = world.file(number);
        let replica = ["one", "two"][replica];
        if is_removed && number == 0 {
            world.catalogue.change(|change| change.remove_file(&file)).unwrap();
        } else {
            let _ = world.go(&file, replica, State::ALL[from], State::ALL[to], seconds);
        }
    }
    let mut counted = BTreeMap::new();
    for file in world.catalogue.files("", 100).unwrap() {
        for copy in world.catalogue.copies(&file).unwrap() {
            let (files, bytes) = counted.entry((copy.replica, copy.state)).or_insert((0, 0));
            (*files, *bytes) = (*files + 1, *bytes + file.bytes);
        }
    }
    let tallies = world.catalogue.tallies().unwrap();
    let told: BTreeMap<_, _> =
        tallies.into_iter().map(|tally| ((tally.replica, tally.state), (tally.files, tally.bytes))).collect();
    assert_eq!(told, counted);
}

fn steps() -> impl Strategy<Value = Vec<(u64, usize, usize, usize, bool)>> {
    proptest::collection::vec((0..4_u64, 0..2_usize, 0..7_usize, 0..7_usize, any::<bool>()), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tallies_are_what_one_would_count(steps in steps()) {
        run(DatabaseKind::Sqlite, || check_tallies(steps));
    }

    #[test]
    fn tallies_on_a_server_are_what_one_would_count(steps in steps()) {
        run(DatabaseKind::Postgres, || check_tallies(steps));
    }
}
