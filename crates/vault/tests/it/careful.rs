//! Reading, handing in, adopting, correcting, taking out: each once as it should go, and once as it must not.

use std::fs;
use std::io::Read as _;
use std::ops::ControlFlow;

use catalogue::{State, Verified};
use vault::{Error, Outcome};

use crate::faulty::Fault;
use crate::world::{World, go_on};

const ALL: [State; 3] = [State::Verified; 3];

fn text(world: &World, name: &str, offset: u64) -> Result<(String, String), Error> {
    let mut sound = world.vault.read(name, offset, &mut go_on)?;
    let mut text = String::new();
    sound.source.read_to_string(&mut text).unwrap();
    Ok((sound.replica, text))
}

#[test]
fn d11_no_corrupt_file_is_ever_served() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    assert_eq!(text(&world, &file.name, 0).unwrap(), ("house".to_owned(), "layer".to_owned()));
    assert_eq!(text(&world, &file.name, 3).unwrap().1, "er");
    world.overwrite("house", &file, b"laser");
    assert_eq!(text(&world, &file.name, 0).unwrap(), ("cellar".to_owned(), "layer".to_owned()));
    // What was noticed by reading is mended like what an audit has found.
    assert_eq!(world.states(&file)[0], State::Changed);
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
    assert_eq!(text(&world, &file.name, 0).unwrap().0, "house");
    fs::remove_file(world.path("house", &file)).unwrap();
    world.cellar.jam(Some(Fault::Read));
    assert!(matches!(text(&world, &file.name, 0), Err(Error::NoSound { .. })));
    assert!(matches!(text(&world, "job/none", 0), Err(Error::Unknown(_))));
}

#[test]
fn d11_what_comes_otherwise_when_it_is_given_is_an_error() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    fs::remove_file(world.path("house", &file)).unwrap();
    world.cellar.jam(Some(Fault::Lie));
    for offset in [0, 2, 9] {
        let mut sound = world.vault.read(&file.name, offset, &mut go_on).unwrap();
        let error = sound.source.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData, "{offset}");
    }
}

#[test]
fn a_damaged_copy_gives_way_to_what_is_handed_in_again() {
    let world = World::new();
    let path = world.folder.path().join("a.bin");
    fs::write(&path, "layer").unwrap();
    let deposit = || world.vault.deposit("job", &path, &mut go_on);
    let file = deposit().unwrap();
    // The disk has lost what it was given, so that there is no sound copy anywhere.
    let copy = world.folder.path().join("store/job/a.bin");
    fs::remove_file(&copy).unwrap();
    fs::write(&copy, "lawyer").unwrap();
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.accepted, brought.refused, brought.failed), (0, 1, 2));
    assert_eq!(deposit().unwrap(), file);
    assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1);
    assert_eq!(fs::read_to_string(&copy).unwrap(), "layer");
    assert!(world.told().contains(&"set aside house".to_owned()));
}

#[test]
fn d11_a_file_that_is_handed_in_goes_everywhere() {
    let world = World::new();
    let path = world.folder.path().join("letter.pdf");
    fs::write(&path, "a letter").unwrap();
    for _ in 0..2 {
        let file = world.vault.deposit("deposit", &path, &mut go_on).unwrap();
        assert_eq!(file.name, "deposit/letter.pdf");
    }
    assert_eq!(world.vault.bring(&mut go_on).unwrap().accepted, 1);
    assert_eq!(fs::read(world.folder.path().join("cellar/deposit/letter.pdf")).unwrap(), b"a letter");
    // Another of the same name is refused loudly, and the one that is there stays what it is.
    fs::write(&path, "another letter").unwrap();
    let refused = world.vault.deposit("deposit", &path, &mut go_on);
    assert!(matches!(refused, Err(Error::Catalogue(catalogue::Error::Taken(_)))));
    assert_eq!(text(&world, "deposit/letter.pdf", 0).unwrap().1, "a letter");
}

#[test]
fn d11_what_lies_there_under_that_name_is_not_taken_for_it() {
    let world = World::new();
    let path = world.folder.path().join("letter.pdf");
    fs::write(&path, "a letter").unwrap();
    fs::create_dir(world.folder.path().join("store/deposit")).unwrap();
    fs::write(world.folder.path().join("store/deposit/letter.pdf"), "somebody's").unwrap();
    let refused = world.vault.deposit("deposit", &path, &mut go_on);
    assert!(matches!(refused, Err(Error::Catalogue(catalogue::Error::Taken(_)))));
    assert!(world.vault.catalogue().file("deposit/letter.pdf").unwrap().is_none());
}

#[test]
fn d12_the_catalogue_is_made_again_from_the_replicas() {
    let world = World::new();
    let files = ["a", "b", "c"].map(|name| world.kept(name, format!("layer {name}").as_bytes()));
    // One is lost here, one is damaged there, and the third is elsewhere alone.
    fs::remove_file(world.path("house", &files[0])).unwrap();
    world.overwrite("cellar", &files[1], b"laser b");
    for name in ["catalogue.db", "catalogue.db-wal", "catalogue.db-shm"] {
        let _ = fs::remove_file(world.folder.path().join(name));
    }
    let world = world.again();
    let mut adopted = Vec::new();
    let each = &mut |one: &vault::Adopted| adopted.push(one.clone());
    world.vault.adopt(&|_| true, "the catalogue was lost", each, &mut go_on).unwrap();
    adopted.sort_by(|one, other| one.file.cmp(&other.file));
    let known: Vec<_> = adopted.iter().map(|one| (one.file.as_str(), one.outcome.is_ok())).collect();
    assert_eq!(known, [("job/a", true), ("job/b", true), ("job/c", true)]);
    assert_eq!(adopted[1].differ, ["cellar"]);
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.accepted, brought.refused), (2, 1));
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
    for file in &files {
        assert_eq!(world.states(file), ALL, "{}", file.name);
    }
}

#[test]
fn d12_a_file_that_nobody_knows_is_added_on_request_alone() {
    let world = World::new();
    world.kept("a", b"layer");
    fs::write(world.folder.path().join("cellar/job/found"), "found").unwrap();
    assert_eq!(world.audit("cellar").unknown, 1);
    let mut count = 0;
    world.vault.adopt(&|name| name == "job/other", "none of ours", &mut |_| count += 1, &mut go_on).unwrap();
    assert_eq!(count, 0);
    world.vault.adopt(&|name| name == "job/found", "it is ours", &mut |_| count += 1, &mut go_on).unwrap();
    assert_eq!((count, world.vault.bring(&mut go_on).unwrap().accepted), (1, 1));
    assert_eq!(fs::read(world.folder.path().join("store/job/found")).unwrap(), b"found");
    assert_eq!(world.audit("cellar").unknown, 0);
}

#[test]
fn d12_a_recorded_checksum_is_put_right_only_to_one_that_a_copy_has() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    let other = "0".repeat(64);
    let correct = |sha256: &str, reason| world.vault.correct(&file.name, sha256, reason, &mut go_on);
    assert!(matches!(correct(&other, "a typing error"), Err(Error::NoSuchCopy { .. })));
    assert!(matches!(correct(&file.sha256, " "), Err(Error::NoReason)));
    world.overwrite("cellar", &file, b"laser");
    world.audit("cellar");
    let laser =
        world.vault.catalogue().copies(&world.vault.catalogue().file(&file.name).unwrap().unwrap()).unwrap();
    let laser = laser[1].found.clone().unwrap();
    let corrected = correct(&laser, "the cellar has the true one").unwrap();
    assert_eq!((corrected.sha256, corrected.accepted_at), (laser, None));
    assert!(world.told().contains(&"corrected ".to_owned()));
    // The others are not what they should be now, and nobody overwrites them by himself.
    let brought = world.vault.bring(&mut go_on).unwrap();
    assert_eq!((brought.verified, brought.refused), (1, 2));
}

#[test]
fn d13_a_copy_is_taken_out_by_its_checksum_and_kept_aside() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    let wrong = world.vault.take_out(&file.name, "cellar", &"0".repeat(64), "it looks odd");
    assert!(matches!(wrong, Err(Error::Replica { .. })));
    world.vault.in_the_name_of("mona").take_out(&file.name, "cellar", &file.sha256, "it looks odd").unwrap();
    assert!(!world.path("cellar", &file).exists());
    assert!(world.folder.path().join(format!("cellar/.aside/job/a.{}", file.sha256)).exists());
    let last = world.vault.catalogue().newest_events(1).unwrap().remove(0).happened;
    assert_eq!((last.kind.as_str(), last.who.as_str()), ("taken out", "mona"));
    assert_eq!(world.repair()[0].outcome, Outcome::Repaired);
    assert_eq!(world.states(&file), ALL);
}

#[test]
fn a_file_is_forgotten_with_a_reason_and_a_copy_is_kept() {
    let world = World::new();
    let file = world.kept("a", b"layer");
    assert!(matches!(world.vault.forget(&file.name, "", &mut go_on), Err(Error::NoReason)));
    world.vault.forget(&file.name, "by order of the court", &mut go_on).unwrap();
    assert!(world.vault.catalogue().file(&file.name).unwrap().is_none());
    for replica in ["house", "cellar"] {
        assert!(!world.path(replica, &file).exists());
        assert!(world.audit(replica).is_sound());
    }
    assert!(world.folder.path().join(format!("store/.aside/job/a.{}", file.sha256)).exists());
    assert!(matches!(world.vault.catalogue().verify_log(None).unwrap(), Verified::Sound { .. }));
}

#[test]
fn two_at_once_are_told_so() {
    let world = World::new();
    world.seal("a", b"layer");
    let mut inner = Vec::new();
    let mut during = |_| {
        inner.push(world.vault.bring(&mut go_on).err().map(|error| error.to_string()));
        // An audit is no hindrance to it, nor it to that.
        world.audit("notary");
        ControlFlow::Continue(())
    };
    world.vault.bring(&mut during).unwrap();
    let busy = "another process is bringing or repairing files just now".to_owned();
    assert!(!inner.is_empty() && inner.iter().all(|told| *told == Some(busy.clone())), "{inner:?}");
    // When it is done, it is free again.
    world.vault.bring(&mut go_on).unwrap();
}

#[test]
fn a_replica_is_given_up_only_when_it_is_in_use_no_more() {
    let world = World::new();
    assert!(matches!(world.vault.forget_replica("cellar", "the flood"), Err(Error::InUse(_))));
    let places = world.vault.places().iter().filter(|place| place.name != "cellar").cloned().collect();
    let clock = std::sync::Arc::new(jiff::Timestamp::now);
    let vault = vault::Vault::open(world.vault.catalogue().clone(), places, clock).unwrap();
    assert_eq!(vault.status().unwrap().given_up, ["cellar"]);
    vault.forget_replica("cellar", "the flood").unwrap();
    assert!(vault.status().unwrap().given_up.is_empty());
}
