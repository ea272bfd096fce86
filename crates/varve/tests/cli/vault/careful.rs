//! What is done by hand: unknown files, corrections, taking out. Each wants a reason, some a password.

use std::fs;

use serde_json::json;

use super::world::{World, overwrite, told};

#[test]
fn d12_a_file_that_nobody_knows_is_adopted_on_request() {
    let world = World::new();
    world.put("one.txt", b"one");
    fs::write(world.copy("store", "deposit/found.txt"), "found").unwrap();
    let (audits, _) = world.rows(&["vault", "audit", "store"]);
    assert_eq!(audits[0]["unknown"], json!(1));
    let output = world.run(&["vault", "adopt", "deposit/found.txt", "--reason", "a gift"]).output();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(fs::read(world.copy("cellar", "deposit/found.txt")).unwrap(), b"found");
    let (events, _) = world.rows(&["vault", "log", "ls", "--kind", "adopted"]);
    assert_eq!(
        (&events[0]["who"], events[0]["what"].as_str().unwrap().starts_with("a gift")),
        (&json!("mona"), true)
    );
    world.ok(&["vault", "audit"]);
}

#[test]
fn d13_a_copy_is_taken_out_with_password_and_reason_and_kept() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    overwrite(&world.copy("cellar", &name), b"two");
    world.run(&["vault", "audit", "cellar"]).output();
    let two = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";
    let words =
        ["vault", "forget", &name, "--replica", "cellar", "--sha256", two, "--reason", "it is not ours"];
    let refused = world.run(&words).output();
    assert!(told(&refused).contains("password"), "{}", told(&refused));
    let wrong = world.run(&words).env("VARVE_CREDENTIAL", "sand").output();
    assert!(told(&wrong).contains("is not the one"), "{}", told(&wrong));
    let words = [&words[..], &["--output", "../copy"]].concat();
    let done = world.trusted(&words).output();
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert_eq!(fs::read(world.at("copy")).unwrap(), b"two");
    world.ok(&["vault", "repair"]);
    assert_eq!(fs::read(world.copy("cellar", &name)).unwrap(), b"one");
}

#[test]
fn a_file_is_forgotten_everywhere_and_kept_aside() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    let words = ["vault", "forget", &name, "--reason", "by order of the court"];
    let done = world.trusted(&words).output();
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    let output = world.run(&["vault", "get", &name]).output();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let aside = fs::read_dir(world.at("archive/store/.aside/deposit")).unwrap().count();
    assert_eq!(aside, 1);
    world.ok(&["vault", "audit"]);
}

#[test]
fn d12_a_record_is_corrected_to_what_a_copy_is() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    let nowhere = "0".repeat(64);
    let words = ["vault", "correct", &name, "--sha256", &nowhere, "--reason", "a typing error"];
    let refused = world.trusted(&words).output();
    assert!(told(&refused).contains("no replica has a copy"), "{}", told(&refused));
}

#[test]
fn another_file_of_a_name_that_is_kept_is_refused_loudly() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    fs::write(world.at("one.txt"), "another one").unwrap();
    let refused = world.run(&["vault", "put", "../one.txt"]).output();
    assert_eq!(refused.status.code(), Some(1));
    assert!(told(&refused).contains("with other content"), "{}", told(&refused));
    assert_eq!(world.ok(&["vault", "get", &name]), "one");
}

#[test]
fn a_file_is_moved_only_when_every_replica_has_it() {
    let world = World::new();
    fs::write(world.at("one.txt"), "one").unwrap();
    world.ok(&["vault", "put", "--move", "../one.txt"]);
    assert!(!world.at("one.txt").exists());
    fs::rename(world.at("cellar"), world.at("elsewhere")).unwrap();
    fs::write(world.at("two.txt"), "two").unwrap();
    let waiting = world.run(&["vault", "put", "--move", "../two.txt"]).output();
    assert_eq!((waiting.status.code(), world.at("two.txt").exists()), (Some(1), true));
}

#[test]
fn a_replica_that_is_not_in_the_settings_any_more_is_given_up_with_a_reason() {
    let world = World::new();
    world.put("one.txt", b"one");
    let settings = world.at("archive/varve.toml");
    let said = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, said.replace("name = 'cellar'", "name = 'attic'").replace("cellar/", "attic/"))
        .unwrap();
    let output = world.run(&["vault", "status"]).output();
    assert!(told(&output).contains("replicas --give-up cellar"), "{}", told(&output));
    world.ok(&["vault", "replicas", "--give-up", "cellar", "--reason", "it was flooded"]);
    world.ok(&["vault", "bring"]);
    world.ok(&["vault", "status"]);
}

#[test]
fn settings_that_make_no_replica_are_told_with_their_line() {
    let world = World::new();
    for (wrong, complaint) in [
        ("[[replicas]]\nname = 'attic'\n", "does not say where it is"),
        ("[[replicas]]\nfolders = ['x']\n", "a replica has no name"),
        ("[[replicas]]\nname = 'store'\nfolders = ['x']\n", "is the archive's own folder"),
        ("[[replicas]]\nname = 'attic'\nbucket = 'b'\n", "does not begin with s3://"),
        ("[[replicas]]\nname = 'attic'\nfolder = 'x'\n", "did you mean `folders`?"),
    ] {
        fs::write(world.at("archive/varve.toml"), wrong).unwrap();
        let output = world.run(&["vault", "status"]).output();
        assert!(told(&output).contains(complaint), "{wrong}: {}", told(&output));
        assert_eq!(output.status.code(), Some(1));
        let output = world.run(&["config", "check"]).output();
        assert!(told(&output).contains(complaint), "config check: {wrong}: {}", told(&output));
    }
}

#[test]
fn replicas_in_one_folder_are_no_two_copies() {
    for (folders, told) in [
        ("['store']", "replica `twin` lies in the same folder as replica `store`"),
        ("['../cellar/two/inside']", "replica `twin` lies in the same folder as replica `cellar`"),
        ("['../twin', '../archive/../twin']", "replica `twin` names the folder"),
    ] {
        let world = World::new();
        world.put("a.bin", b"layer");
        let path = world.at("archive/varve.toml");
        fs::create_dir_all(world.at("twin")).unwrap();
        let said = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{said}[[replicas]]\nname = 'twin'\nfolders = {folders}\n")).unwrap();
        for words in [&["vault", "status"][..], &["config", "check"][..]] {
            let output = world.run(words).output();
            let all = super::world::told(&output);
            assert!(!output.status.success() && all.contains(told), "{words:?}: {all}");
        }
    }
}

#[test]
fn a_replica_whose_folder_is_gone_is_seen_at_once() {
    let world = World::new();
    world.put("a.bin", b"layer");
    fs::rename(world.at("cellar"), world.at("away")).unwrap();
    let output = world.run(&["vault", "status"]).output();
    let all = told(&output);
    assert!(!output.status.success() && all.contains("not there now"), "{all}");
    assert!(!all.contains("every replica has all"), "{all}");
    fs::rename(world.at("away"), world.at("cellar")).unwrap();
    world.ok(&["vault", "status"]);
}

#[test]
fn a_store_that_is_gone_is_brought_back_from_the_replicas() {
    let world = World::new();
    world.put("a.bin", b"layer");
    fs::rename(world.at("archive/store"), world.at("away")).unwrap();
    for words in [&["vault", "status"][..], &["rebuild"][..]] {
        let output = world.run(words).output();
        let all = told(&output);
        assert!(!output.status.success() && all.contains("replicas --begin store"), "{words:?}: {all}");
        assert!(!world.at("archive/store").exists());
    }
    world.ok(&["vault", "replicas", "--begin", "store"]);
    assert!(!world.run(&["vault", "audit", "store", "--presence"]).output().status.success());
    world.ok(&["vault", "repair"]);
    assert_eq!(fs::read(world.at("archive/store/deposit/a.bin")).unwrap(), b"layer");
    world.ok(&["vault", "status"]);
}

#[test]
fn what_is_no_archive_file_is_none_of_a_rebuild() {
    let world = World::new();
    fs::create_dir_all(world.at("archive/store/byhand")).unwrap();
    fs::write(world.at("archive/store/byhand/found.pdf"), b"a document").unwrap();
    world.ok(&["vault", "adopt", "byhand/found.pdf", "--reason", "it lay there"]);
    world.put("gone.bin", b"to be forgotten");
    let words = ["vault", "forget", "deposit/gone.bin", "--reason", "not ours"];
    let forgotten = world.trusted(&words).output();
    assert!(forgotten.status.success(), "{}", told(&forgotten));
    assert!(world.ok(&["rebuild"]).contains("brought back 0 jobs"));
}
