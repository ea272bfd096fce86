//! Audits while the archive grows, and after `vault put` was killed: no file is reported as unknown. (Issue 20.)

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::end_to_end::PAGE;
use super::world::{World, told};

/// Files that are imported while audits run.
const IMPORTS: usize = 12;

/// What audits of both kinds found.
fn audits(world: &World) -> Vec<Value> {
    let mut audits = Vec::new();
    for words in [&["vault", "audit", "--presence"][..], &["vault", "audit"]] {
        audits.extend(world.rows(words).0);
    }
    audits
}

/// D13
#[test]
fn d13_audits_during_commits_report_nothing() {
    let world = World::alone();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let importing = scope.spawn(|| {
            for number in 0..IMPORTS {
                let name = format!("page{number}.warc");
                let page = PAGE.replace("000000000001", &format!("{number:012}"));
                fs::write(world.at(&name), page).unwrap();
                let output = world.run(&["import", &format!("../{name}")]).output();
                assert!(output.status.success(), "{}", told(&output));
            }
            is_over.store(true, Ordering::SeqCst);
        });
        while !is_over.load(Ordering::SeqCst) && !importing.is_finished() {
            for audit in audits(&world) {
                assert_eq!((&audit["unknown"], &audit["missing"]), (&json!(0), &json!(0)), "{audit}");
            }
        }
    });
    let (audits, exit) = world.rows(&["vault", "audit"]);
    assert_eq!((&audits[0]["files"], exit), (&json!(2 * IMPORTS), Some(0)));
}

/// D13: a commit that was killed between sealing and publishing has files in the store, and goes on when it is resumed.
#[test]
fn d13_files_of_a_commit_that_was_killed_are_not_unknown() {
    let world = World::alone();
    fs::create_dir_all(world.at("archive/work/crawl/warc")).unwrap();
    fs::write(world.at("archive/work/crawl/warc/commit"), "varve-commit 2\n- crawl-00001.warc.gz\n").unwrap();
    fs::create_dir_all(world.at("archive/store/crawl")).unwrap();
    fs::write(world.at("archive/store/crawl/crawl-00001.warc.gz"), "sealed").unwrap();
    for audit in audits(&world) {
        assert_eq!(audit["unknown"], 0, "{audit}");
    }
}

/// Runs `vault put` of a file and kills it as soon as something lies at a path, or the program has ended before.
fn kill_put(world: &World, name: &str, when: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.args(["vault", "put", &format!("../{name}")]).current_dir(world.at("archive"));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    testkit::until("there is a file, or the program has ended", || {
        when.exists() || child.try_wait().unwrap().is_some()
    });
    // It may have ended meanwhile.
    let _ = child.kill();
    child.wait().unwrap();
}

/// D13
#[test]
fn d13_a_killed_put_leaves_nothing_unknown() {
    let world = World::alone();
    world.put("first.bin", b"so that the job of deposits is known");
    for number in 0..4 {
        let (half, whole) = (format!("half{number}.bin"), format!("whole{number}.bin"));
        fs::write(world.at(&half), vec![b'h'; 8 << 20]).unwrap();
        fs::write(world.at(&whole), vec![b'w'; 1 << 20]).unwrap();
        kill_put(&world, &half, &world.at(&format!("archive/store/deposit/.part-{half}")));
        kill_put(&world, &whole, &world.copy("store", &format!("deposit/{whole}")));
        for audit in audits(&world) {
            assert_eq!((&audit["unknown"], &audit["missing"]), (&json!(0), &json!(0)), "{audit}");
        }
        let left = fs::read_dir(world.at("archive/store/deposit")).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".part-")), "{left:?}");
        // The same again finds what is there.
        world.ok(&["vault", "put", &format!("../{half}"), &format!("../{whole}")]);
    }
    world.ok(&["vault", "audit"]);
}

/// D13: killed between the last byte and the catalogue, every time.
#[test]
fn d13_a_put_that_was_killed_before_it_was_recorded_is_adopted() {
    let world = World::alone();
    world.put("first.bin", b"so that the job of deposits is known");
    let own = world.at("archive/store/deposit");
    fs::write(own.join("second.bin"), "layer").unwrap();
    let line = "dac1d7cfa95021764849fd102524e141488c5e3a90f861dbb5a12d9ac8584f85  second.bin\n";
    let sums = fs::read_to_string(own.join("SHA256SUMS")).unwrap();
    fs::write(own.join("SHA256SUMS"), sums + line).unwrap();
    for audit in audits(&world) {
        assert_eq!(audit["unknown"], 0, "{audit}");
    }
    let (files, _) = world.rows(&["vault", "status"]);
    assert_eq!(files[0]["files"], 2);
}
