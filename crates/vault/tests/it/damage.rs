//! What is lost or changed is found and mended, and where it is not clear what is right nothing is touched.

use std::fs;
use std::ops::ControlFlow;

use catalogue::{AuditKind, AuditState, State, Verified};
use proptest::prelude::*;
use vault::{Extent, Look, Outcome};

use crate::faulty::Fault;
use crate::world::{COMPLETE, World, go_on};

const ALL: [State; 3] = [State::Verified; 3];

const TEN_YEARS: i64 = 10 * 365 * 86_400;

#[test]
fn d13_what_is_missing_is_brought_back() {
    for replica in ["house", "cellar"] {
        for kind in [AuditKind::Presence, AuditKind::Checksum] {
            let world = World::new();
            let file = world.kept("a", b"layer");
            fs::remove_file(world.path(replica, &file)).unwrap();
            let look = Look { kind, extent: Extent::Complete };
            let audit = world.vault.audit(replica, look, &mut go_on).unwrap();
            assert_eq!(
                (audit.missing, audit.changed, audit.state),
                (1, 0, AuditState::Done),
                "{replica} {kind:?}"
            );
            let remedies = world.remedies(true);
            assert_eq!((remedies.len(), &remedies[0].outcome), (1, &Outcome::Possible));
            assert!(!world.path(replica, &file).exists());
            let remedies = world.repair();
            assert_eq!((remedies.len(), &remedies[0].outcome), (1, &Outcome::Repaired), "{replica} {kind:?}");
            assert_eq!(world.states(&file), ALL);
            assert!(world.audit(replica).is_sound());
            assert!(world.told().contains(&format!("repaired {replica}")));
        }
    }
}

#[test]
fn d13_what_has_changed_is_kept_aside_and_replaced() {
    for bytes in [&b"laser"[..], b"lay", b"layers upon layers", b""] {
        let world = World::new();
        let file = world.kept("a", b"layer");
        world.overwrite("cellar", &file, bytes);
        let audit = world.audit("cellar");
        assert_eq!((audit.changed, audit.resized), (1, u64::from(bytes.len() != 5)));
        assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
        assert_eq!(fs::read(world.path("cellar", &file)).unwrap(), b"layer");
        let aside =
            fs::read_dir(world.folder.path().join("cellar/.aside/job")).unwrap().next().unwrap().unwrap();
        assert_eq!(fs::read(aside.path()).unwrap(), bytes);
        assert_eq!(world.states(&file), ALL);
    }
}

#[test]
fn a_wrong_checksum_at_the_notarys_is_outvoted() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    let sums = world.folder.path().join("notary/job/SHA256SUMS");
    let wrong = fs::read_to_string(&sums).unwrap().replace(&file.sha256, &"f".repeat(64));
    fs::write(&sums, wrong).unwrap();
    assert_eq!(world.audit("notary").changed, 1);
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
    assert!(world.audit("notary").is_sound());
}

#[test]
fn without_a_majority_nothing_is_touched() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.overwrite("cellar", &file, b"laser");
    world.overwrite("house", &file, b"laser");
    world.audit("cellar");
    world.audit("house");
    let remedies = world.repair();
    assert!(remedies.iter().all(|remedy| matches!(remedy.outcome, Outcome::Undecided(_))), "{remedies:?}");
    assert_eq!(fs::read(world.path("house", &file)).unwrap(), b"laser");
    assert!(world.told().contains(&"undecided house".to_owned()));
}

#[test]
fn where_only_the_checksum_is_left_nothing_is_touched() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    fs::remove_file(world.path("cellar", &file)).unwrap();
    fs::remove_file(world.path("house", &file)).unwrap();
    world.audit("cellar");
    world.audit("house");
    let remedies = world.repair();
    assert_eq!(remedies.len(), 2);
    for remedy in remedies {
        assert!(
            matches!(&remedy.outcome, Outcome::Undecided(why) if why.contains("no replica that keeps files")),
            "{remedy:?}"
        );
    }
}

#[test]
fn d13_a_copy_that_changed_again_is_left_alone() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.overwrite("cellar", &file, b"laser");
    world.audit("cellar");
    world.overwrite("cellar", &file, b"lager");
    assert!(matches!(world.repair()[0].outcome, Outcome::Undecided(_)));
    assert_eq!(fs::read(world.path("cellar", &file)).unwrap(), b"lager");
}

#[test]
fn what_is_back_is_sound() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    let path = world.path("cellar", &file);
    let hidden = path.with_extension("hidden");
    fs::rename(&path, &hidden).unwrap();
    // The hidden one is a file that nobody knows of.
    let audit = world.audit("cellar");
    assert_eq!((audit.missing, audit.unknown), (1, 1));
    fs::rename(&hidden, &path).unwrap();
    assert_eq!(world.repair()[0].outcome, Outcome::Sound);
    assert_eq!(world.states(&file), ALL);
}

#[test]
fn a_replica_that_cannot_be_reached_has_lost_nothing() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.cellar.jam(Some(Fault::Read));
    assert!(world.vault.audit("cellar", COMPLETE, &mut go_on).is_err());
    assert_eq!(world.states(&file), ALL);
    world.cellar.jam(None);
    assert!(world.audit("cellar").is_sound());
}

#[test]
fn d13_what_is_known_to_be_wrong_is_looked_at_and_told_again() {
    for kind in [AuditKind::Checksum, AuditKind::Presence] {
        let look = Look { kind, extent: Extent::Complete };
        let world = World::new();
        let files = ["a", "b", "c", "d"].map(|name| world.kept(name, b"layer"));
        fs::remove_file(world.path("cellar", &files[0])).unwrap();
        world.overwrite("cellar", &files[1], b"liar!");
        fs::remove_file(world.path("cellar", &files[2])).unwrap();
        let audited = || {
            let audit = world.vault.audit("cellar", look, &mut go_on).unwrap();
            (audit.missing, audit.changed, audit.files, audit.is_sound())
        };
        world.audit("cellar");
        assert_eq!(audited(), (2, 1, 4, false), "{kind:?}");
        assert_eq!(audited(), (2, 1, 4, false), "{kind:?}");
        // One is brought back by hand, one comes back as another, one changes again, and then goes.
        fs::write(world.path("cellar", &files[0]), b"layer").unwrap();
        fs::write(world.path("cellar", &files[2]), b"liar?").unwrap();
        world.overwrite("cellar", &files[1], b"liar.");
        assert_eq!(audited(), (0, 2, 4, false), "{kind:?}");
        assert_eq!(world.states(&files[0])[1], State::Verified);
        fs::remove_file(world.path("cellar", &files[2])).unwrap();
        assert_eq!(audited(), (1, 1, 4, false), "{kind:?}");
        assert!(world.repair().iter().all(|remedy| remedy.outcome == Outcome::Repaired));
        assert_eq!(audited(), (0, 0, 4, true), "{kind:?}");
    }
}

#[test]
fn copies_on_several_disks_are_read_at_once() {
    let world = World::new();
    let files = ["a", "b"].map(|name| world.kept(name, b"layer"));
    world.overwrite("cellar", &files[1], b"liar!");
    world.cellar.jam(Some(Fault::Paired));
    let audit = world.audit("cellar");
    assert_eq!((audit.files, audit.bytes, audit.changed), (2, 10, 1));
    assert_eq!(world.cellar.most_readers(), 2);
}

#[test]
fn an_audit_pauses_and_goes_on() {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.kept(name, name.as_bytes());
    }
    let mut left = 2;
    let paused = world.vault.audit("cellar", COMPLETE, &mut |_| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let paused = paused.unwrap();
    assert_eq!((paused.state, paused.files), (AuditState::Paused, 1));
    let done = world.audit("cellar");
    assert_eq!((done.state, done.files, done.began_at), (AuditState::Done, 3, paused.began_at));
}

#[test]
fn a_clock_that_is_set_back_does_no_harm() {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.kept(name, name.as_bytes());
    }
    let mut is_back = false;
    let audit = world.vault.audit("cellar", COMPLETE, &mut |_| {
        if !is_back {
            world.wait_seconds(-86_400);
            is_back = true;
        }
        ControlFlow::Continue(())
    });
    assert_eq!((audit.unwrap().files, is_back), (3, true));
}

#[test]
fn a_clock_that_was_ahead_does_not_put_audits_off() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.wait_seconds(TEN_YEARS);
    assert_eq!(world.audit("cellar").files, 1);
    world.wait_seconds(-TEN_YEARS);
    world.overwrite("cellar", &file, b"lawyer");
    assert_eq!(world.audit("cellar").changed, 1);
}

#[test]
fn a_part_is_audited_a_night_the_oldest_first() {
    let world = World::new();
    for name in ["a", "b", "c", "d"] {
        world.kept(name, &[0; 1000]);
    }
    let night = Look { kind: AuditKind::Checksum, extent: Extent::Bytes(2000) };
    let nights: Vec<u64> =
        (0..3).map(|_| world.vault.audit("house", night, &mut go_on).unwrap().files).collect();
    assert_eq!(nights, [2, 2, 2]);
    let catalogue = world.vault.catalogue();
    let first = catalogue.to_audit("house", "2100-01-01T00:00:00Z".parse().unwrap(), 10).unwrap();
    let names: Vec<&str> = first.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["job/c", "job/d", "job/a", "job/b"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// A flipped bit in any one copy of any file is found by the next audit and repaired by itself.
    #[test]
    fn a_flipped_bit_is_found_and_repaired(
        files in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 1..200), 1..4),
        file in any::<prop::sample::Index>(),
        bit in any::<prop::sample::Index>(),
        is_in_house in any::<bool>(),
    ) {
        let world = World::new();
        let kept: Vec<_> =
            files.iter().enumerate().map(|(number, bytes)| world.kept(&format!("f{number}"), bytes)).collect();
        let number = file.index(files.len());
        let replica = if is_in_house { "house" } else { "cellar" };
        let mut bytes = files[number].clone();
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        world.overwrite(replica, &kept[number], &bytes);
        prop_assert_eq!(world.audit(replica).changed, 1);
        let remedies = world.repair();
        prop_assert_eq!(remedies.len(), 1);
        prop_assert_eq!(&remedies[0].outcome, &Outcome::Repaired);
        for (sealed, bytes) in kept.iter().zip(&files) {
            prop_assert_eq!(&fs::read(world.path("house", sealed)).unwrap(), bytes);
            prop_assert_eq!(&fs::read(world.path("cellar", sealed)).unwrap(), bytes);
        }
        let is_sound = matches!(world.vault.catalogue().verify_log(None).unwrap(), Verified::Sound { .. });
        prop_assert!(is_sound);
    }
}

/// D13: whoever has had enough waits for nothing, and what was not looked at is looked at next time.
#[test]
fn d13_a_repair_is_stopped_before_it_touches_anything() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.overwrite("cellar", &file, b"laser");
    world.audit("cellar");
    let mut told = 0;
    world.vault.repair(false, &mut |_| told += 1, &mut |_| ControlFlow::Break(())).unwrap();
    assert_eq!((told, fs::read(world.path("cellar", &file)).unwrap()), (0, b"laser".to_vec()));
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
}

#[test]
fn d13_a_presence_audit_pauses_and_goes_on() {
    let world = World::new();
    (0..5).for_each(|number| drop(world.kept(&format!("f{number}"), b"layer")));
    let look = Look { kind: AuditKind::Presence, extent: Extent::Complete };
    let mut left = 3;
    let mut pace = |_| {
        left -= 1;
        if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let audit = world.vault.audit("cellar", look, &mut pace).unwrap();
    assert_eq!((audit.state, audit.files), (AuditState::Paused, 3));
    // One of another kind in between does not make it forgotten.
    world.audit("cellar");
    let audit = world.vault.audit("cellar", look, &mut go_on).unwrap();
    assert_eq!((audit.state, audit.files), (AuditState::Done, 5));
}

/// A file that nobody knows is written down once, however often it is met.
#[test]
fn an_unknown_file_is_told_once() {
    let world = World::new();
    world.kept("a", b"layer");
    fs::write(world.folder.path().join("cellar/job/found"), "found").unwrap();
    for _ in 0..3 {
        assert_eq!(world.audit("cellar").unknown, 1);
    }
    assert_eq!(world.told().iter().filter(|told| *told == "unknown cellar").count(), 1);
}

/// A presence audit knows no checksum: the repair writes it down before it touches the copy.
#[test]
fn d13_what_is_set_aside_has_its_checksum_in_the_log() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    world.overwrite("cellar", &file, b"longer layer");
    let look = Look { kind: AuditKind::Presence, extent: Extent::Complete };
    assert_eq!(world.vault.audit("cellar", look, &mut go_on).unwrap().resized, 1);
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
    let events = world.vault.catalogue().events_of(&file.name, 20).unwrap();
    let found =
        |event: &catalogue::Event| event.happened.what.contains("found by the repair: it has SHA-256");
    assert!(events.iter().any(found), "{events:?}");
    assert_eq!(world.states(&file), ALL);
}
