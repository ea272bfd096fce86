//! An archive whose settings name no replicas: its files are verified at commit, and audits read every one of them. (Issue 20.)

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::end_to_end::PAGE;
use super::world::{World, overwrite, told};

/// The file of the one job that was imported.
fn imported(world: &World) -> PathBuf {
    fs::write(world.at("page.warc"), PAGE).unwrap();
    world.ok(&["import", "../page.warc"]);
    let mut jobs = fs::read_dir(world.at("archive/store")).unwrap().map(|entry| entry.unwrap().path());
    let job = jobs.find(|path| path.is_dir()).unwrap();
    let mut files = fs::read_dir(job).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.to_string_lossy().ends_with(".warc")).unwrap()
}

/// Forgets what is known of the files, as in an archive that was made before they were verified at commit.
fn forget_catalogue(world: &World) {
    for entry in fs::read_dir(world.at("archive")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("catalogue.db") || name == "vault.begun" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// D13
#[test]
fn d13_a_commit_verifies_its_files_in_a_single_replica() {
    let world = World::alone();
    imported(&world);
    let (status, exit) = world.rows(&["vault", "status"]);
    let replica = &status[0]["replicas"][0];
    assert_eq!((&replica["verified"], &replica["on_the_way"], exit), (&json!(2), &json!(0), Some(0)));
    assert_eq!(status[0]["accepted"], 2);
}

/// D13
#[test]
fn d13_an_audit_of_a_single_replica_finds_damage() {
    for is_old in [false, true] {
        let world = World::alone();
        let file = imported(&world);
        if is_old {
            forget_catalogue(&world);
        }
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        overwrite(&file, &bytes);
        let output = world.run(&["vault", "audit"]).output();
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert!(told(&output).contains("1 changed"), "{}", told(&output));
    }
}

/// D13
#[test]
fn d13_an_audit_of_a_part_calls_the_replica_neither_complete_nor_sound() {
    let world = World::alone();
    imported(&world);
    let (audits, exit) = world.rows(&["vault", "audit", "--bytes", "1"]);
    let audit = &audits[0];
    assert_eq!((&audit["files"], &audit["files_total"], exit), (&json!(1), &json!(2), Some(0)));
    assert_eq!((&audit["complete"], &audit["sound"]), (&json!(false), &json!(false)));
    let (audits, _) = world.rows(&["vault", "audit"]);
    assert_eq!((&audits[0]["complete"], &audits[0]["sound"]), (&json!(true), &json!(true)));
}

#[test]
fn an_audit_of_an_older_archive_verifies_its_files() {
    let world = World::alone();
    imported(&world);
    forget_catalogue(&world);
    let (audits, exit) = world.rows(&["vault", "audit"]);
    assert_eq!((&audits[0]["files"], &audits[0]["sound"], exit), (&json!(2), &json!(true), Some(0)));
    let (status, _) = world.rows(&["vault", "status"]);
    assert_eq!(status[0]["replicas"][0]["verified"], 2);
}

#[test]
fn an_audit_of_an_empty_archive_calls_nothing_sound() {
    let world = World::alone();
    let output = world.run(&["vault", "audit"]).output();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("no files") && !told(&output).contains("sound"), "{}", told(&output));
}
