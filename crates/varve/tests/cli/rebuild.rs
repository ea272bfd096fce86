//! `varve rebuild` as a person meets it: everything derived is deleted, and comes back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::Value;

use crate::held::{Archive, Held};
use crate::importing::{timeless, warc};
use crate::run::varve;

#[test]
fn help_of_rebuild() {
    assert_snapshot!(varve(["rebuild", "--help"]).shown());
}

/// Harvests, of which the second finds what the first has, and an import into a collection.
fn sample() -> Archive {
    let archive = Archive::new();
    let web = Held::start(3);
    web.open();
    for _ in 0..2 {
        archive.text(&["harvest", "--delay", "0", &web.url("a.test"), "--resolve", "a.test:127.0.0.1"]);
    }
    fs::write(archive.folder().join("old.warc"), warc("http://example.org/", "<title>Herring</title>"))
        .unwrap();
    archive.text(&["import", "old.warc", "-c", "papers"]);
    archive
}

/// Removes what is derived.
fn forget(archive: &Archive) {
    for name in ["a/index", "a/collections"] {
        let _ = fs::remove_dir_all(archive.folder().join(name));
    }
}

/// What people and programs are told of an archive.
fn answers(archive: &Archive) -> Vec<String> {
    let mut answers = Vec::new();
    let mut ask = |words: &[&str]| {
        let told = archive.varve(words).shown();
        answers.push(format!("{words:?}\n{told}"));
    };
    ask(&["jobs", "ls", "--json"]);
    for job in archive.rows(&["jobs", "ls"]) {
        let job = job["job"].as_str().unwrap();
        ask(&["jobs", "show", job]);
        ask(&["jobs", "log", job]);
        ask(&["jobs", "log", job, "--list"]);
    }
    for collection in ["web", "papers"] {
        ask(&["index", "export", "-c", collection]);
        for url in archive.text(&["index", "export", "-c", collection]).lines() {
            let Some((_, rest)) = url.split_once("\"url\": \"") else { continue };
            let url = rest.split('"').next().unwrap_or_default();
            ask(&["versions", url, "-c", collection, "--json"]);
            ask(&["get", url, "-c", collection]);
        }
    }
    answers
}

#[test]
fn everything_is_told_as_before_when_all_that_is_derived_was_deleted() {
    let archive = sample();
    let before = answers(&archive);
    assert!(before.len() > 20, "{}", before.len());
    forget(&archive);
    let told = archive.varve(&["rebuild"]).shown();
    assert!(told.starts_with("exit: 0\n") && told.contains("brought back 3 jobs: 3 files of "), "{told}");
    assert_eq!(before, answers(&archive));
    let row = &archive.rows(&["rebuild"])[0];
    assert_eq!((&row["jobs"], &row["problems"]), (&3.into(), &0.into()), "{row}");
    assert_eq!(before, answers(&archive));
}

#[test]
fn what_was_taken_out_stays_out() {
    let archive = sample();
    let urls = archive.text(&["index", "export"]);
    let url =
        urls.lines().find_map(|line| line.split_once("\"url\": \"")?.1.split('"').next()).unwrap().to_owned();
    let removed = &archive.rows(&["index", "rm", "--url", &url])[0];
    assert_eq!(removed["rows"], 2, "{url}: {removed}");
    let import = archive.rows(&["jobs", "ls"]);
    let import =
        import.iter().find_map(|job| job["job"].as_str().filter(|job| job.starts_with("import"))).unwrap();
    let removed = &archive.rows(&["index", "rm", "-c", "papers", "--job", import])[0];
    assert_eq!(removed["rows"], 1, "{removed}");
    let before = answers(&archive);
    let export = archive.text(&["index", "export"]);
    assert!(!export.is_empty() && !export.contains(&format!("\"url\": \"{url}\"")), "{export}");
    forget(&archive);
    let told = archive.varve(&["rebuild"]).shown();
    assert!(told.starts_with("exit: 0\n"), "{told}");
    assert_eq!(before, answers(&archive));
}

#[test]
fn what_could_not_be_brought_back_is_told() {
    let archive = Archive::new();
    for (name, body) in [("one", "1"), ("two", "2"), ("three", "3")] {
        let url = format!("http://example.org/{name}");
        fs::write(archive.folder().join(format!("{name}.warc")), warc(&url, body)).unwrap();
    }
    archive.text(&["import", "one.warc", "two.warc"]);
    archive.text(&["import", "three.warc", "--reference"]);
    let store = archive.folder().join("a/store");
    let jobs: Vec<_> = fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().path()).collect();
    let file = |name: &str| jobs.iter().map(|job| job.join(name)).find(|path| path.exists()).unwrap();
    let one = file("one.warc");
    fs::set_permissions(&one, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&one, "WARC/1.1\r\n").unwrap();
    fs::remove_file(file("two.warc")).unwrap();
    fs::remove_file(archive.folder().join("three.warc")).unwrap();
    forget(&archive);
    assert_snapshot!("problems", timeless(&archive.varve(&["rebuild"]).shown()));
    let output = archive.varve(&["rebuild", "--json"]).output();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = rows.iter().filter_map(|row| row["kind"].as_str()).collect();
    assert_eq!(kinds, ["damaged", "missing", "away"]);
    assert_eq!((&rows[0]["captures_lost"], &rows[3]["captures"]), (&1.into(), &1.into()));
}

#[test]
fn an_archive_whose_index_is_damaged_is_told_how_to_mend_it() {
    let archive = Archive::new();
    fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "x")).unwrap();
    archive.text(&["import", "a.warc"]);
    fs::write(archive.folder().join("a/index/MANIFEST"), "varve index 2 nonsense").unwrap();
    let told = archive.varve(&["get", "http://example.org/"]).shown();
    assert!(told.contains("varve rebuild"), "{told}");
    let told = archive.varve(&["rebuild"]).shown();
    assert!(told.starts_with("exit: 1\n") && told.contains("index.damaged-1"), "{told}");
    assert_eq!(archive.text(&["get", "http://example.org/"]), "x");
}

#[test]
fn where_there_is_no_store_there_is_nothing_to_rebuild() {
    assert_snapshot!("no_store", varve(["rebuild", "--archive", "none", "--quiet"]).shown());
}

/// How many jobs a rebuild has written down, if it is at work.
fn journal_lines(folder: &Path) -> usize {
    fs::read_to_string(folder.join("rebuilding/journal")).map_or(0, |journal| journal.lines().count())
}

/// Killed with `kill -9` behind each job, it goes on, and does none of them again.
#[test]
fn a_rebuild_that_was_killed_goes_on() {
    const JOBS: usize = 12;
    let archive = Archive::new();
    for number in 0..JOBS {
        let url = format!("http://example.org/{number}");
        fs::write(archive.folder().join("a.warc"), warc(&url, &"x".repeat(number + 1))).unwrap();
        archive.text(&["import", "a.warc"]);
    }
    let before = archive.text(&["index", "export"]);
    let folder = archive.folder().join("a");
    let mut kills = 0;
    for wanted in 1..JOBS {
        forget(&archive);
        let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["rebuild", "--archive"])
            .arg(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        testkit::until("the journal has the lines, or the rebuild has ended", || {
            journal_lines(&folder) >= wanted || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
        let done = journal_lines(&folder);
        kills += usize::from(done > 0);
        let row = &archive.rows(&["rebuild"])[0];
        assert_eq!((&row["jobs"], &row["jobs_before"]), (&JOBS.into(), &done.into()), "{row}");
        assert_eq!(archive.text(&["index", "export"]), before);
        assert!(!folder.join("rebuilding").exists());
    }
    assert!(kills > 0, "it was never killed in the middle");
}
