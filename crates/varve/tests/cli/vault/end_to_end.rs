//! Acceptance: store, damage, audit, repair, log verify, on three replicas: a folder, a real S3 server, checksums alone. (Issue 6.)

use std::fs;

use serde_json::{Value, json};
use testkit::post_office::{Manner, PostOffice};

use super::world::{World, overwrite, told};

/// More than one part of an upload.
const LARGE: usize = 20 << 20;

fn states(status: &Value) -> Vec<(String, Value)> {
    let replicas = status["replicas"].as_array().unwrap().iter();
    let numbers = |replica: &Value| {
        json!([
            replica["verified"],
            replica["on_the_way"],
            replica["failed"],
            replica["missing"],
            replica["changed"]
        ])
    };
    replicas.map(|replica| (replica["name"].as_str().unwrap().to_owned(), numbers(replica))).collect()
}

/// D11–D13: what is accepted is in every replica; damage to any one copy is found, told, and repaired.
#[test]
fn d11_what_is_kept_survives_damage_to_any_copy() {
    let Some(world) = World::with_bucket() else { return };
    let office = PostOffice::open(Manner::default());
    world.say(&format!(
        "[notify]\nallow_private = true\nemail = 'ann@library.example'\nsmtp = 'smtp://{}'\nfrom = 'varve@library.example'\ngroup_for = '1s'\n",
        office.address()
    ));
    let large: Vec<u8> = (0..LARGE).map(|at| (at / 7 % 251) as u8).collect();
    let (letter, film) = (world.put("letter.txt", b"Dear archive"), world.put("film.bin", &large));

    let (status, exit) = world.rows(&["vault", "status"]);
    let all = json!([2, 0, 0, 0, 0]);
    assert_eq!(exit, Some(0));
    assert_eq!((&status[0]["files"], &status[0]["accepted"]), (&json!(2), &json!(2)));
    let three = ["store", "cloud", "notary"].map(|name| (name.to_owned(), all.clone()));
    assert_eq!(states(&status[0]), three);
    assert_eq!(fs::read(world.copy("cloud", &film)).unwrap(), large);

    // A bit in the house, a file in the cloud.
    let mut flipped = large.clone();
    flipped[LARGE / 2] ^= 4;
    overwrite(&world.copy("store", &film), &flipped);
    fs::remove_file(world.copy("cloud", &letter)).unwrap();

    // Nobody is ever given what is not what was kept.
    let output = world.run(&["vault", "get", &film]).output();
    assert_eq!((output.status.code(), output.stdout == large), (Some(0), true));
    assert!(told(&output).contains("replica `store` was passed over"), "the reader is told");
    assert_eq!(world.run(&["vault", "get", &letter, "--offset", "5"]).output().stdout, b"archive");

    let (audits, exit) = world.rows(&["vault", "audit"]);
    assert_eq!(exit, Some(1));
    let found: Vec<_> = audits.iter().map(|audit| (&audit["missing"], &audit["changed"])).collect();
    // Also what was noticed by reading it.
    assert_eq!(found, [(&json!(0), &json!(1)), (&json!(1), &json!(0)), (&json!(0), &json!(0))]);
    let (status, exit) = world.rows(&["vault", "status"]);
    assert_eq!(exit, Some(1));
    let expected = [json!([1, 0, 0, 0, 1]), json!([1, 0, 0, 1, 0]), all];
    assert_eq!(states(&status[0]).into_iter().map(|(_, numbers)| numbers).collect::<Vec<_>>(), expected);

    let (dry, _) = world.rows(&["vault", "repair", "--dry-run"]);
    assert!(dry.len() == 2 && dry.iter().all(|remedy| remedy["outcome"] == "possible"), "{dry:?}");
    let (repaired, exit) = world.rows(&["vault", "repair"]);
    assert!(repaired.iter().all(|remedy| remedy["outcome"] == "repaired"), "{repaired:?}");
    assert_eq!((repaired.len(), exit), (2, Some(0)));
    assert_eq!(fs::read(world.copy("store", &film)).unwrap(), large);
    assert_eq!(fs::read(world.copy("cloud", &letter)).unwrap(), b"Dear archive");
    let (audits, exit) = world.rows(&["vault", "audit"]);
    assert!(exit == Some(0) && audits.iter().all(|audit| audit["sound"] == true), "{audits:?}");

    // People were told of what was found and of what was done.
    let letters: Vec<String> = office.letters().into_iter().map(|letter| letter.text).collect();
    assert!(letters.iter().any(|text| text.contains("audit of replica `cloud`: 1 missing")), "{letters:?}");
    assert!(letters.iter().any(|text| text.contains("repair of copies: 2 repaired")), "{letters:?}");

    // And the log has the whole story.
    let (events, _) = world.rows(&["vault", "log", "ls", "--file", &film]);
    let kinds: Vec<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    let story = ["changed", "set aside", "stored", "repaired"];
    let at = kinds.iter().position(|kind| *kind == story[0]).unwrap();
    assert_eq!(kinds[at..], story);
    world.ok(&["vault", "log", "verify"]);
}

#[test]
fn a_server_that_is_gone_is_waited_for() {
    let Some(world) = World::with_bucket() else { return };
    world.put("one.txt", b"one");
    world.bucket.as_ref().unwrap().stop();
    fs::write(world.at("two.txt"), "two").unwrap();
    let output = world.run(&["vault", "put", "../two.txt"]).output();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("waiting"), "{}", told(&output));
    // Nothing is said of the files of a place that cannot be reached, and what is here can be had.
    let (audits, exit) = world.rows(&["vault", "audit", "cloud"]);
    assert_eq!((audits.len(), exit), (0, Some(1)));
    assert_eq!(world.ok(&["vault", "get", "deposit/two.txt"]), "two");
    world.bucket.as_ref().unwrap().restart();
    world.ok(&["vault", "bring", "--now"]);
    world.ok(&["vault", "status"]);
}

#[test]
fn a_disk_that_is_not_mounted_is_no_empty_replica() {
    let world = World::new();
    let name = world.put("one.txt", b"one");
    fs::rename(world.at("cellar"), world.at("elsewhere")).unwrap();
    let output = world.run(&["vault", "replicas"]).output();
    assert!(told(&output).contains("is its disk mounted?"), "{}", told(&output));
    assert_eq!(output.status.code(), Some(1));
    let (audits, exit) = world.rows(&["vault", "audit", "cellar"]);
    assert_eq!((audits.len(), exit), (0, Some(1)));
    assert!(!world.at("cellar").exists(), "nothing is begun anew in its place");
    fs::rename(world.at("elsewhere"), world.at("cellar")).unwrap();
    world.ok(&["vault", "audit"]);
    assert_eq!(fs::read(world.copy("cellar", &name)).unwrap(), b"one");
}

/// With everything gone that is derived, all of it comes back from what the replicas have; also where the store itself has lost a file.
#[test]
fn everything_derived_is_made_again_from_the_replicas() {
    let Some(world) = World::with_bucket() else { return };
    fs::write(world.at("page.warc"), PAGE).unwrap();
    world.ok(&["import", "../page.warc"]);
    let name = world.put("letter.txt", b"Dear archive");
    let ask = |world: &World| {
        let questions: [&[&str]; 4] = [
            &["versions", "http://a.example/"],
            &["get", "http://a.example/"],
            &["jobs", "ls"],
            &["vault", "get", &name],
        ];
        questions.map(|words| world.ok(words))
    };
    let before = ask(&world);
    assert!(before[1].contains("layer"));
    let is_derived =
        |name: &str| name.starts_with("catalogue.db") || ["index", "collections"].contains(&name);
    for entry in fs::read_dir(world.at("archive")).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if is_derived(&entry.file_name().to_string_lossy()) {
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
    }
    fs::remove_file(world.copy("store", &name)).unwrap();
    let told = world.ok(&["rebuild"]);
    assert!(told.contains("the catalogue was made again: 3 files"), "{told}");
    assert_eq!(ask(&world), before);
    world.ok(&["vault", "status"]);
    world.ok(&["vault", "audit"]);
}

/// A catalogue that is damaged is kept for whoever can read it, and made again.
#[test]
fn a_damaged_catalogue_is_made_again() {
    let world = World::new();
    let name = world.put("letter.txt", b"Dear archive");
    fs::remove_file(world.at("archive/catalogue.db-wal")).ok();
    fs::write(world.at("archive/catalogue.db"), vec![7; 10_000]).unwrap();
    let output = world.run(&["vault", "status"]).output();
    assert!(told(&output).contains("`varve rebuild` makes it again"), "{}", told(&output));
    let kept = || {
        let entries = fs::read_dir(world.at("archive")).unwrap().map(Result::unwrap);
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // What SQLite has beside it is kept under the names by which it finds it.
        let names = names.filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
        names.filter(|name| name.starts_with("catalogue.db.damaged-")).count()
    };
    // Nothing is moved under whoever is at it.
    let held = fs::File::options().write(true).open(world.at("archive/catalogue.db.lock")).unwrap();
    held.lock().unwrap();
    let output = world.run(&["rebuild"]).output();
    assert!(
        !output.status.success() && told(&output).contains("try again when it is done"),
        "{}",
        told(&output)
    );
    assert_eq!(kept(), 0);
    drop(held);
    world.ok(&["rebuild"]);
    assert_eq!(world.ok(&["vault", "get", &name]), "Dear archive");
    assert_eq!(kept(), 1);
}

/// Removes the catalogue with all that SQLite keeps beside it.
fn lose_the_catalogue(world: &World) {
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(world.at(&format!("archive/catalogue.db{ending}")));
    }
}

/// No verb begins an empty one in its place, and no disk that is not mounted is taken for a new one.
#[test]
fn a_catalogue_that_is_lost_is_made_again_only_by_rebuild() {
    let world = World::new();
    let name = world.put("letter.txt", b"Dear archive");
    lose_the_catalogue(&world);
    let output = world.run(&["vault", "status"]).output();
    assert!(!output.status.success(), "{}", told(&output));
    assert!(told(&output).contains("`varve rebuild` makes it again"), "{}", told(&output));
    assert!(!world.at("archive/catalogue.db").exists());

    fs::rename(world.at("cellar"), world.at("elsewhere")).unwrap();
    let output = world.run(&["rebuild"]).output();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("is its disk mounted?"), "{}", told(&output));
    assert!(!world.at("cellar").exists(), "nothing is begun anew in its place");
    // What could be reached can be used; the rest is still to be looked through.
    assert_eq!(world.ok(&["vault", "get", &name]), "Dear archive");
    fs::rename(world.at("elsewhere"), world.at("cellar")).unwrap();
    world.ok(&["rebuild"]);
    assert!(!world.at("archive/catalogue.rebuilding").exists());
    world.ok(&["vault", "bring", "--now"]);
    world.ok(&["vault", "status"]);
}

/// A rebuild that was ended in the middle leaves a catalogue that is sound and has not everything.
#[test]
fn a_rebuild_of_the_catalogue_goes_on_where_it_was_ended() {
    let world = World::new();
    let name = world.put("letter.txt", b"Dear archive");
    lose_the_catalogue(&world);
    fs::remove_file(world.at("archive/vault.begun")).unwrap();
    fs::remove_dir_all(world.at("archive/store/deposit")).unwrap();
    // An archive that never had a catalogue begins one: here, of a store that has lost everything.
    world.ok(&["vault", "status"]);
    fs::write(world.at("archive/catalogue.rebuilding"), "begun\n").unwrap();
    let output = world.run(&["vault", "status"]).output();
    assert!(told(&output).contains("`varve rebuild` goes on with it"), "{}", told(&output));
    let made = world.ok(&["rebuild"]);
    assert!(made.contains("the catalogue was made again: 1 file"), "{made}");
    assert_eq!(world.ok(&["vault", "get", &name]), "Dear archive");
    assert_eq!(fs::read(world.copy("store", &name)).unwrap(), b"Dear archive");
}

#[test]
fn a_replica_that_is_known_gets_a_further_disk() {
    let world = World::new();
    world.put("one.txt", b"one");
    let path = world.at("archive/varve.toml");
    let said = fs::read_to_string(&path).unwrap();
    fs::write(&path, said.replace("'../cellar/two'", "'../cellar/two', '../cellar/three'")).unwrap();
    let output = world.run(&["vault", "replicas"]).output();
    assert!(told(&output).contains("`varve vault replicas --begin cellar`"), "{}", told(&output));
    assert!(!world.at("cellar/three").exists());
    let output = world.run(&["vault", "replicas", "--begin", "cellar"]).output();
    assert!(output.status.success() && told(&output).contains("cellar/three"), "{}", told(&output));
    assert!(world.at("cellar/three/FORMAT").exists());
    world.ok(&["vault", "audit"]);
    let output = world.run(&["vault", "replicas", "--begin", "attic"]).output();
    assert!(!output.status.success() && told(&output).contains("there is no replica `attic`"));
}

pub(super) const PAGE: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:4f4e1d4c-0000-4000-8000-000000000001>\r\n\
     WARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-11-18T00:00:00Z\r\nContent-Type: text/plain\r\n\
     Content-Length: 5\r\n\r\nlayer\r\n\r\n";

#[test]
fn d11_imports_are_brought_to_every_replica_when_they_are_committed() {
    let world = World::new();
    fs::write(world.at("page.warc"), PAGE).unwrap();
    world.ok(&["import", "../page.warc"]);
    let (status, exit) = world.rows(&["vault", "status"]);
    assert_eq!((exit, &status[0]["files"], &status[0]["accepted"]), (Some(0), &json!(2), &json!(2)));
}

/// Files that only a replica has are copied to the store before the indexes are made.
#[test]
fn a_rebuild_without_an_index_finds_jobs_that_only_a_replica_has() {
    let world = World::new();
    let mut jobs = Vec::new();
    for number in 1..=2 {
        let name = format!("page{number}.warc");
        let page = PAGE.replace("000000000001", &format!("{number:012}"));
        fs::write(world.at(&name), page.replace("a.example", &format!("a{number}.example"))).unwrap();
        world.ok(&["import", &format!("../{name}")]);
        let (rows, _) = world.rows(&["jobs", "ls"]);
        let mut new = rows.iter().map(|row| row["job"].as_str().unwrap().to_owned());
        jobs.push(new.find(|job| !jobs.contains(job)).unwrap());
    }
    let before = world.ok(&["index", "export"]);
    assert!(before.contains("a1.example") && before.contains("a2.example"), "{before}");
    for name in ["archive/index".to_owned(), format!("archive/store/{}", jobs[1])] {
        fs::remove_dir_all(world.at(&name)).unwrap();
    }
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(world.at(&format!("archive/catalogue.db{ending}")));
    }
    world.ok(&["rebuild"]);
    assert_eq!(world.ok(&["index", "export"]), before);
}
