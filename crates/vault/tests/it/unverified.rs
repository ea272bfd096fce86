//! Audits of copies in every state: what nobody has verified is read as well, and an audit that has not read it is no success. (Issue 20.)

use std::fs;
use std::ops::ControlFlow;

use catalogue::{AuditKind, AuditState, Moved, State};
use store::Sealed;
use vault::{Extent, Look};

use crate::faulty::Fault;
use crate::world::{COMPLETE, World, go_on};

const PRESENCE: Look = Look { kind: AuditKind::Presence, extent: Extent::Complete };

/// Moves the copy of a file in a replica from `wanted` to another unverified state, as a crash leaves it.
fn leave(world: &World, file: &Sealed, replica: &str, states: &[State]) {
    let known = world.vault.catalogue().file(&file.name).unwrap().unwrap();
    let mut from = State::Wanted;
    for to in states {
        let moved = Moved::new(from, *to, "2026-11-18T00:00:00Z".parse().unwrap());
        assert!(world.vault.catalogue().change(|change| change.move_copy(&known, replica, &moved)).unwrap());
        from = *to;
    }
}

const LEFT: [&[State]; 4] = [
    &[],
    &[State::Uploading],
    &[State::Uploading, State::Uploaded],
    &[State::Uploading, State::Uploaded, State::Failed],
];

/// D13
#[test]
fn d13_an_audit_verifies_a_sound_copy_whatever_its_state() {
    for states in LEFT {
        let world = World::with_one_replica();
        let file = world.seal("a", b"layer");
        leave(&world, &file, "house", states);
        let audit = world.audit("house");
        assert_eq!((audit.files, audit.bytes, audit.is_sound()), (1, 5, true), "{states:?}");
        assert_eq!(world.states(&file), [State::Verified], "{states:?}");
        assert_eq!(world.vault.status().unwrap().sums.accepted, 1, "{states:?}");
    }
}

/// D13
#[test]
fn d13_an_audit_finds_damage_and_loss_in_a_copy_of_any_state() {
    for states in LEFT {
        for look in [COMPLETE, PRESENCE] {
            let world = World::with_one_replica();
            let (bad, lost) = (world.seal("bad", b"layer"), world.seal("lost", b"strata"));
            leave(&world, &bad, "house", states);
            leave(&world, &lost, "house", states);
            world.overwrite("house", &bad, b"lawyer");
            fs::remove_file(world.path("house", &lost)).unwrap();
            let audit = world.vault.audit("house", look, &mut go_on).unwrap();
            let wrong = audit.changed.max(audit.resized);
            assert_eq!((audit.files, wrong, audit.missing), (2, 1, 1), "{states:?} {look:?}");
            assert!(!audit.is_sound());
            assert_eq!(world.states(&bad), [State::Changed]);
            assert_eq!(world.states(&lost), [State::Missing]);
            // The next audit reports both again.
            let audit = world.audit("house");
            assert_eq!((audit.changed, audit.missing, audit.is_sound()), (1, 1, false));
        }
    }
}

#[test]
fn a_copy_that_nobody_has_made_yet_is_no_damage_and_no_success() {
    for look in [COMPLETE, PRESENCE] {
        let world = World::new();
        let file = world.seal("a", b"layer");
        let audit = world.vault.audit("cellar", look, &mut go_on).unwrap();
        assert_eq!((audit.files, audit.not_copied, audit.missing), (0, 1, 0), "{look:?}");
        assert!(!audit.is_sound() && !audit.has_findings());
        assert_eq!(world.vault.status().unwrap().audits[0].not_copied, 1);
        // It is still to be copied, and an audit after that finds it.
        assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1);
        assert!(world.vault.audit("cellar", look, &mut go_on).unwrap().is_sound());
        assert_eq!(world.states(&file), [State::Verified; 3]);
    }
}

#[test]
fn a_file_that_another_replica_has_is_not_lost() {
    let world = World::new();
    let file = world.seal("a", b"layer");
    fs::create_dir(world.folder.path().join("cellar/job")).unwrap();
    fs::rename(world.path("house", &file), world.path("cellar", &file)).unwrap();
    let audit = world.audit("house");
    assert_eq!((audit.not_copied, audit.missing), (1, 0));
    assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1);
}

#[test]
fn an_audit_of_a_part_says_nothing_of_a_replica_that_cannot_be_reached() {
    let world = World::new();
    world.cellar.jam(Some(Fault::Read));
    let part = Look { kind: AuditKind::Checksum, extent: Extent::Bytes(1000) };
    // Also where nothing is recorded.
    assert!(world.vault.audit("cellar", part, &mut go_on).is_err());
    world.seal("a", b"layer");
    assert!(world.vault.audit("cellar", part, &mut go_on).is_err());
    assert_eq!(world.vault.status().unwrap().audits[0].state, AuditState::Failed);
}

#[test]
fn a_paused_audit_counts_each_unverified_copy_once() {
    let world = World::with_one_replica();
    for number in 0..5 {
        world.seal(&format!("f{number}"), &[0; 100]);
    }
    let mut left = 250_u64;
    let mut stop = |bytes: u64| {
        left = left.saturating_sub(bytes);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let paused = world.vault.audit("house", COMPLETE, &mut stop).unwrap();
    assert_eq!((paused.state, paused.files, paused.is_sound()), (AuditState::Paused, 2, false));
    let audit = world.audit("house");
    assert_eq!((audit.state, audit.files, audit.is_sound()), (AuditState::Done, 5, true));
}

#[test]
fn a_part_is_audited_a_night_the_unverified_first() {
    let world = World::with_one_replica();
    world.kept("old", &[0; 100]);
    let new = world.seal("new", &[1; 100]);
    let night = Look { kind: AuditKind::Checksum, extent: Extent::Bytes(100) };
    assert_eq!(world.vault.audit("house", night, &mut go_on).unwrap().files, 1);
    assert_eq!(world.states(&new), [State::Verified]);
}

/// D13: a commit reads back its own files, and leaves those of other jobs to the next audit.
#[test]
fn d13_a_job_is_verified_where_it_was_sealed() {
    let world = World::with_one_replica();
    let other = world.seal("a", b"layer");
    let own: Vec<Sealed> =
        (0..3).map(|number| world.seal_for("own", &format!("b{number}"), b"strata")).collect();
    world.overwrite("house", &own[1], b"status");
    let brought = world.vault.verify_job("own", &mut go_on).unwrap();
    assert_eq!((brought.verified, brought.accepted, brought.refused), (2, 2, 1));
    assert_eq!(world.states(&own[0]), [State::Verified]);
    assert_eq!(world.states(&own[1]), [State::Changed]);
    assert_eq!(world.states(&other), [State::Wanted]);
}

/// Whatever others find while an audit is paused counts when it ends. So does a finding that was recorded right before the audit was killed.
#[test]
fn an_audit_counts_copies_that_were_found_missing_or_changed_while_it_was_paused() {
    for to in [State::Missing, State::Changed] {
        let world = World::with_one_replica();
        let files: Vec<Sealed> = (0..3).map(|number| world.seal(&format!("f{number}"), &[0; 100])).collect();
        assert!(world.audit("house").is_sound());
        let mut reads = 0;
        let paused = world.vault.audit("house", COMPLETE, &mut |bytes| {
            reads += u64::from(bytes > 0);
            if reads > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(paused.unwrap().state, AuditState::Paused);
        let known = world.vault.catalogue().file(&files[2].name).unwrap().unwrap();
        let moved = Moved::new(State::Verified, to, "2026-11-18T00:00:00Z".parse().unwrap());
        let is_moved = world.vault.catalogue().change(|change| change.move_copy(&known, "house", &moved));
        assert!(is_moved.unwrap());
        let audit = world.audit("house");
        let expected = if to == State::Missing { (1, 0) } else { (0, 1) };
        assert_eq!(((audit.missing, audit.changed), audit.is_sound()), (expected, false), "{to:?}");
    }
}

/// A commit records its files, and copies them to the replicas, while an audit runs.
#[test]
fn an_audit_does_not_keep_others_from_the_vault() {
    let world = World::new();
    for number in 0..5 {
        world.seal(&format!("f{number}"), &[0; 100]);
    }
    let mut brought = 0;
    world
        .vault
        .audit("house", COMPLETE, &mut |_| {
            brought += world.vault.bring(&mut go_on).unwrap().verified;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(brought > 0);
    let lock = world.folder.path().join("catalogue.db.lock");
    fs::remove_file(&lock).unwrap();
    world.seal("more", &[0; 100]);
    assert!(world.audit("house").is_sound());
    assert!(!lock.exists(), "an audit of files that were sealed here takes no lock");
}

#[test]
fn a_copy_that_cannot_be_brought_to_the_disk_does_not_end_an_audit() {
    let world = World::new();
    let file = world.seal("a", b"layer");
    fs::create_dir(world.folder.path().join("cellar/job")).unwrap();
    fs::copy(world.path("house", &file), world.path("cellar", &file)).unwrap();
    world.cellar.jam(Some(Fault::Put));
    let audit = world.audit("cellar");
    assert_eq!((audit.state, audit.files, audit.is_sound()), (AuditState::Done, 1, false));
    assert!(world.states(&file)[1] != State::Verified);
    world.cellar.jam(None);
    assert!(world.audit("cellar").is_sound());
}

/// D13: a file that is missing right after its commit keeps nobody from reading the others.
#[test]
fn d13_a_commit_verifies_the_rest_of_a_job_that_lacks_a_file() {
    let world = World::with_one_replica();
    let files: Vec<Sealed> = (0..3).map(|number| world.seal(&format!("f{number}"), b"layer")).collect();
    fs::remove_file(world.path("house", &files[0])).unwrap();
    let brought = world.vault.verify_job("job", &mut go_on).unwrap();
    assert_eq!((brought.verified, brought.failed), (2, 1));
    assert_eq!(world.states(&files[0]), [State::Missing]);
    assert_eq!(world.states(&files[2]), [State::Verified]);
}
