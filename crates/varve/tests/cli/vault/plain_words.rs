//! What somebody meets who does not know the vault yet: what is wrong is said, with a way out that there is.

use std::fs;

use serde_json::json;

use super::world::{World, told};

/// Runs it; its exit code, and all that it says.
fn said(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let output = world.trusted(words).output();
    (output.status.code(), told(&output))
}

#[test]
fn d12_an_audit_of_nothing_is_refused_and_does_not_hang() {
    let world = World::new();
    world.put("one.txt", b"one");
    for option in ["--rate", "--bytes"] {
        let (exit, text) = said(&world, &["vault", "audit", option, "0"]);
        assert!(exit == Some(2) && text.contains("a number of bytes above 0"), "{text}");
    }
    for setting in ["audit_rate", "audit_bytes"] {
        let world = World::new();
        let path = world.at("archive/varve.toml");
        let settings = fs::read_to_string(&path).unwrap();
        fs::write(&path, settings.replace("[vault]\n", &format!("[vault]\n{setting} = 0\n"))).unwrap();
        let (exit, text) = said(&world, &["vault", "audit"]);
        assert!(exit == Some(1) && text.contains("a number of bytes above 0"), "{text}");
    }
}

#[test]
fn d11_a_bad_file_does_not_keep_the_others_from_being_kept() {
    let world = World::new();
    world.put("taken.txt", b"taken");
    for (name, text) in [("one.txt", "one"), ("taken.txt", "another"), ("two.txt", "two")] {
        fs::write(world.at(name), text).unwrap();
    }
    let paths = ["../one.txt", "../gone.txt", "../taken.txt", "../two.txt"];
    let put = [&["vault", "put"], &paths[..]].concat();
    let (exit, text) = said(&world, &put);
    assert_eq!(exit, Some(1));
    for line in [
        "accepted  deposit/one.txt  3 B\nrefused   ../gone.txt\nrefused   ../taken.txt\naccepted  deposit/two.txt  3 B\n",
        "cannot keep `../gone.txt`",
        "cannot keep `../taken.txt`",
        "with other content",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(fs::read(world.copy("cellar", "deposit/two.txt")).unwrap(), b"two");
    let (rows, exit) = world.rows(&put);
    let accepted: Vec<_> = rows.iter().map(|row| row["accepted"].as_bool().unwrap()).collect();
    assert_eq!((accepted, exit), (vec![true, false, false, true], Some(1)));
    assert_eq!((&rows[1]["file"], &rows[1]["path"]), (&json!(null), &json!("../gone.txt")));
}

#[test]
fn d11_copies_that_wait_for_their_next_try_are_told() {
    let world = World::new();
    world.put("one.txt", b"one");
    fs::rename(world.at("cellar"), world.at("elsewhere")).unwrap();
    fs::write(world.at("two.txt"), "two").unwrap();
    world.run(&["vault", "put", "../two.txt"]).output();
    let (exit, text) = said(&world, &["vault", "bring"]);
    assert!(exit == Some(1) && text.starts_with("1 copy waits for the next try, until 2"), "{text}");
    assert!(text.contains("`--now` tries at once") && !text.contains("nothing to bring"), "{text}");
    let (rows, exit) = world.rows(&["vault", "bring"]);
    assert_eq!((&rows[0]["waiting"], exit), (&json!(1), Some(1)));
    fs::rename(world.at("elsewhere"), world.at("cellar")).unwrap();
    world.ok(&["vault", "bring", "--now"]);
    assert_eq!(world.ok(&["vault", "bring"]), "there was nothing to bring\n");
}

#[test]
fn hints_name_only_what_the_verb_has() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    let sum = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
    fs::write(world.at("there"), "").unwrap();
    let forget =
        ["vault", "forget", &name, "--replica", "cellar", "--sha256", sum, "--reason", "a test of it"];
    for words in [&forget[..], &["vault", "log", "checkpoint"]] {
        let (exit, text) = said(&world, &[words, &["-o", "../there"]].concat());
        assert!(exit == Some(1) && text.contains("is there already"), "{text}");
        assert!(text.contains("give another name") && !text.contains("--force"), "{text}");
    }
    let (_, text) = said(&world, &["vault", "get", &name, "-o", "../there"]);
    assert!(text.contains("`--force` replaces it"), "{text}");
    for more in [&[][..], &["--force"]] {
        let (exit, text) = said(&world, &[&["vault", "get", &name, "-o", ".."], more].concat());
        assert!(exit == Some(1) && text.contains("`..` is a folder"), "{text}");
        assert!(!text.contains("replaces it"), "{text}");
    }
}

#[test]
fn d12_only_an_audit_that_has_ended_says_that_all_is_sound() {
    let world = World::new();
    for name in ["one.txt", "two.txt", "three.txt"] {
        world.put(name, name.as_bytes());
    }
    let last = |world: &World| {
        let (_, text) = said(world, &["vault", "status"]);
        text.lines().find(|line| line.starts_with("cellar")).unwrap().to_owned()
    };
    let (_, text) = said(&world, &["vault", "audit", "cellar", "--bytes", "1"]);
    assert!(text.contains("checksum: 1 of 3 files sound"), "{text}");
    assert!(last(&world).ends_with("checksum: 1 of 3 files sound"), "{}", last(&world));
    world.ok(&["vault", "audit", "cellar"]);
    assert!(last(&world).ends_with(", checksum: sound"), "{}", last(&world));
    fs::rename(world.at("cellar"), world.at("elsewhere")).unwrap();
    assert_eq!(said(&world, &["vault", "audit", "cellar"]).0, Some(1));
    assert!(
        last(&world).ends_with(" failed, checksum: 0 of 3 files so far; not there now"),
        "{}",
        last(&world)
    );
    let log = world.ok(&["vault", "log", "ls", "--kind", "audited", "-n", "1"]);
    assert!(log.contains("checksum failed: 0 files, 0 bytes; nothing wrong so far"), "{log}");
}

#[test]
fn a_part_of_a_file_has_a_size_and_lies_in_it() {
    let world = World::new();
    let bytes: Vec<u8> = (0..3000_u32).map(|at| at as u8).collect();
    let name = world.put("large.bin", &bytes);
    let get = |words: &[&str]| world.run(&[&["vault", "get", &name], words].concat()).output();
    assert_eq!(get(&["--offset", "1kB", "--length", "1KiB"]).stdout, bytes[1000..2024]);
    assert_eq!(get(&["--offset", "3kB"]).status.code(), Some(0));
    let output = get(&["--offset", "1MB"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(told(&output).contains("it has 3,000 bytes"), "{}", told(&output));
}

#[test]
fn what_is_no_checksum_and_what_is_recorded_already_is_said() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    let correct =
        |sum: &str| said(&world, &["vault", "correct", &name, "--sha256", sum, "--reason", "a typing error"]);
    let (exit, text) = correct("deposit");
    assert!(exit == Some(2) && text.contains("a SHA-256 has 64 digits"), "{text}");
    let (exit, text) = correct("7692C3AD3540BB803C020B3AEE66CD8887123234EA0C6E7143C0ADD73FF431ED");
    assert!(exit == Some(0) && text.contains("there is nothing to do"), "{text}");
}

#[test]
fn a_kind_of_event_that_there_is_not_is_told_with_those_that_there_are() {
    let world = World::new();
    let (exit, text) = said(&world, &["vault", "log", "ls", "--kind", "bogus"]);
    assert!(exit == Some(2) && text.contains("the kinds are: accepted, added, "), "{text}");
    assert_eq!(said(&world, &["vault", "log", "ls", "--kind", "set aside"]), (Some(0), String::new()));
}

#[test]
fn a_file_whose_name_is_none_is_kept_under_another() {
    let world = World::new();
    for name in ["my thesis (final).txt", "één.txt"] {
        fs::write(world.at(name), "thesis").unwrap();
        let (exit, text) = said(&world, &["vault", "put", &format!("../{name}")]);
        assert!(exit == Some(1) && text.contains("names have letters from a to z, digits"), "{text}");
        assert!(text.contains("`--name NAME` keeps it under another name, such as"), "{text}");
    }
    let put = ["vault", "put", "../my thesis (final).txt", "--name", "thesis.txt"];
    assert_eq!(world.ok(&put), "accepted  deposit/thesis.txt  6 B\n");
    let (exit, text) = said(&world, &[&put[..], &["../één.txt"]].concat());
    assert!(exit == Some(2) && text.contains("`--name` is for one file"), "{text}");
}

#[test]
fn a_dry_repair_says_what_would_be_done() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    fs::remove_file(world.copy("cellar", &name)).unwrap();
    world.run(&["vault", "audit"]).output();
    let (_, text) = said(&world, &["vault", "repair", "--dry-run"]);
    assert!(text.starts_with("would be repaired  deposit/one.txt in cellar"), "{text}");
    assert_eq!(world.rows(&["vault", "repair", "--dry-run"]).0[0]["outcome"], json!("possible"));
}

#[test]
fn a_reason_that_says_nothing_is_refused_with_how_long_one_is() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    let (exit, text) = said(&world, &["vault", "forget", &name, "--reason", "x"]);
    assert!(exit == Some(1) && text.contains("at least 5 characters"), "{text}");
}

#[test]
fn who_wants_it_quiet_is_given_no_hints_but_those_of_errors() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    fs::remove_file(world.copy("cellar", &name)).unwrap();
    let (_, text) = said(&world, &["vault", "audit", "-q"]);
    assert!(text.contains("1 missing") && !text.contains("hint:"), "{text}");
    let (_, text) = said(&world, &["vault", "audit", "attic", "-q"]);
    assert!(text.contains("hint:"), "{text}");
}
