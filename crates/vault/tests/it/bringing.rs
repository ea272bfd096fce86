//! Every file comes to every replica, whatever goes wrong on the way.

use std::fs;
use std::ops::ControlFlow;

use catalogue::{Moved, State, Verified};
use vault::{Error, Place, Vault};

use crate::faulty::Fault;
use crate::world::{World, go_on};

const ALL: [State; 3] = [State::Verified; 3];

#[test]
fn d11_a_file_is_accepted_when_every_replica_was_read_back() {
    let world = World::new();
    let file = world.seal("a", b"layer");
    assert_eq!(world.states(&file), [State::Wanted; 3]);
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.verified, brought.accepted, brought.failed), (3, 1, 0));
    assert_eq!(world.states(&file), ALL);
    assert_eq!(fs::read(world.path("cellar", &file)).unwrap(), b"layer");
    assert_eq!(world.vault.bring(&mut go_on).unwrap().verified, 0);
    assert_eq!(world.vault.status().unwrap().sums.accepted, 1);
    assert!(matches!(world.vault.catalogue().verify_log(None).unwrap(), Verified::Sound { .. }));
}

#[track_caller]
fn check_comes_later(fault: Fault) {
    let world = World::new();
    world.cellar.jam(Some(fault));
    let file = world.seal("a", b"layer");
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.verified, brought.failed, brought.accepted), (2, 1, 0), "{fault:?}");
    assert_eq!(world.states(&file), [State::Verified, State::Failed, State::Verified], "{fault:?}");
    // Not at once.
    world.cellar.jam(None);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().verified, 0, "{fault:?}");
    world.wait_seconds(31);
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.verified, brought.accepted), (1, 1), "{fault:?}");
    assert_eq!(world.states(&file), ALL, "{fault:?}");
    assert!(world.told().contains(&"failed cellar".to_owned()));
}

#[test]
fn what_fails_is_tried_again_later() {
    for fault in [Fault::Put, Fault::Lost, Fault::Read, Fault::Full] {
        check_comes_later(fault);
    }
}

#[test]
fn a_crash_in_any_state_is_gone_on_from() {
    for states in [&[State::Uploading][..], &[State::Uploading, State::Uploaded]] {
        for is_there in [false, true] {
            let world = World::new();
            let file = world.seal("a", b"layer");
            let known = world.vault.catalogue().file(&file.name).unwrap().unwrap();
            let mut from = State::Wanted;
            for to in states {
                let moved = Moved::new(from, *to, "2026-11-18T00:00:00Z".parse().unwrap());
                let go = world.vault.catalogue().change(|change| change.move_copy(&known, "cellar", &moved));
                assert!(go.unwrap());
                from = *to;
            }
            fs::create_dir(world.folder.path().join("cellar/job")).unwrap();
            fs::write(world.folder.path().join("cellar/job/a.part"), "la").unwrap();
            if is_there {
                fs::write(world.path("cellar", &file), "layer").unwrap();
            }
            let world = world.again();
            assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1, "{states:?} {is_there}");
            assert_eq!(world.states(&file), ALL);
            assert_eq!(fs::read(world.path("cellar", &file)).unwrap(), b"layer");
        }
    }
}

#[test]
fn d11_another_file_in_its_place_is_refused_loudly() {
    let world = World::new();
    let file = world.seal("a", b"layer");
    fs::create_dir(world.folder.path().join("cellar/job")).unwrap();
    fs::write(world.path("cellar", &file), "another").unwrap();
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.refused, brought.accepted), (1, 0));
    assert_eq!(world.states(&file), [State::Verified, State::Changed, State::Verified]);
    assert_eq!(fs::read(world.path("cellar", &file)).unwrap(), b"another");
    assert!(world.told().contains(&"refused cellar".to_owned()));
}

#[test]
fn a_damaged_source_is_not_copied() {
    let world = World::new();
    let file = world.seal("a", b"layer");
    world.overwrite("house", &file, b"laser");
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.verified, brought.accepted), (0, 0));
    assert!(!world.path("cellar", &file).exists());
    assert_eq!(world.states(&file), [State::Changed, State::Failed, State::Failed]);
}

#[test]
fn who_has_had_enough_goes_on_later() {
    let world = World::new();
    world.seal("a", b"layer");
    let brought = world.vault.bring(&mut |_| ControlFlow::Break(())).unwrap();
    assert!(brought.is_stopped);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1);
}

#[test]
fn places_that_make_no_sense_are_refused() {
    let world = World::new();
    let open = |places: Vec<Place>| {
        let clock = std::sync::Arc::new(jiff::Timestamp::now);
        Vault::open(world.vault.catalogue().clone(), places, clock).unwrap_err()
    };
    let places = world.vault.places();
    assert!(matches!(open(Vec::new()), Error::NoFullReplica));
    assert!(matches!(open(vec![places[2].clone()]), Error::NoFullReplica));
    assert!(matches!(open(vec![places[0].clone(), places[0].clone()]), Error::Twice(_)));
}

#[test]
fn what_a_clock_that_was_ahead_put_off_is_brought() {
    const TEN_YEARS: i64 = 10 * 365 * 86_400;
    let world = World::new();
    world.wait_seconds(TEN_YEARS);
    let file = world.seal("a", b"layer");
    world.cellar.jam(Some(Fault::Put));
    assert_eq!(world.vault.bring(&mut go_on).unwrap().failed, 1);
    world.cellar.jam(None);
    let second = world.seal("b", b"another");
    world.wait_seconds(-TEN_YEARS);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 2);
    assert_eq!((world.states(&file), world.states(&second)), (ALL.to_vec(), ALL.to_vec()));
}

#[test]
fn what_a_clock_that_was_ahead_put_off_in_a_full_place_is_put_off_at_once() {
    const TEN_YEARS: i64 = 10 * 365 * 86_400;
    let world = World::new();
    world.wait_seconds(TEN_YEARS);
    for number in 0..10 {
        world.seal(&format!("f{number}"), b"layer");
    }
    world.cellar.jam(Some(Fault::Full));
    assert_eq!(world.vault.bring(&mut go_on).unwrap().failed, 2);
    world.wait_seconds(-TEN_YEARS);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().failed, 2);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().failed, 0);
}

#[test]
fn d11_a_copy_that_was_misread_counts_when_it_turns_out_to_be_sound() {
    let world = World::new();
    world.cellar.jam(Some(Fault::Misread));
    let file = world.seal("a", b"layer");
    assert_eq!(world.vault.bring(&mut go_on).unwrap().refused, 1);
    world.cellar.jam(None);
    assert_eq!(world.repair().len(), 1);
    assert_eq!(world.states(&file), ALL);
    assert_eq!(world.vault.status().unwrap().sums.accepted, 1);
}

/// All that waits for a place that is full is put off in one step, and the others get theirs.
#[test]
fn a_place_that_is_full_keeps_nobody_waiting() {
    let world = World::new();
    let files: Vec<_> = (0..10).map(|number| world.seal(&format!("f{number}"), b"layer")).collect();
    world.cellar.jam(Some(Fault::Full));
    let first = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((first.verified, first.failed), (20, 2), "house and notary have all of them");
    // At once nothing is tried there again.
    assert_eq!(world.vault.bring(&mut go_on).unwrap().failed, 0);
    world.cellar.jam(None);
    assert_eq!(world.vault.bring_now(&mut go_on).unwrap().accepted, 10);
    assert_eq!(world.states(&files[9]), [State::Verified; 3]);
}
