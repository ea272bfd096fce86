//! A15: an archive whose `index/` is gone says so, whatever is asked of it, and `varve rebuild` brings it back. (Issue 20.)

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::run::varve;

/// An archive with one capture in `web` and one in the collection `papers`.
fn archive() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    assert!(varve(["init", &archive.display().to_string()]).output().status.success());
    for (number, words) in [(1, &["import"][..]), (2, &["import", "--collection", "papers"])] {
        let warc = folder.path().join(format!("page{number}.warc"));
        fs::write(&warc, PAGE.replace("000000000001", &format!("{number:012}"))).unwrap();
        let warc = warc.display().to_string();
        let output = varve(words.iter().copied().chain([warc.as_str()])).inside(&archive).output();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    (folder, archive)
}

/// What a command says, and its exit code.
fn ask(archive: &Path, words: &[&str]) -> (String, Option<i32>) {
    let output = varve(words.iter()).inside(archive).output();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

#[track_caller]
fn check_lost(archive: &Path, words: &[&str]) {
    let (told, exit) = ask(archive, words);
    assert!(exit != Some(0), "{words:?}: {told}");
    assert!(told.contains("is gone") && told.contains("`varve rebuild`"), "{words:?}: {told}");
}

#[test]
fn every_verb_notices_a_lost_index() {
    let (folder, archive) = archive();
    let before = ask(&archive, &["versions", "http://a.example/"]);
    let jobs = ask(&archive, &["jobs", "ls"]);
    assert!(before.1 == Some(0) && jobs.0.contains("import-"), "{before:?} {jobs:?}");
    fs::rename(archive.join("index"), folder.path().join("index")).unwrap();
    let warc = folder.path().join("page1.warc").display().to_string();
    let verbs: [&[&str]; 9] = [
        &["versions", "http://a.example/"],
        &["get", "http://a.example/"],
        &["jobs", "ls"],
        &["import", &warc],
        &["harvest", "http://127.0.0.1:9/"],
        &["check", "http://127.0.0.1:9/"],
        &["watch", "run"],
        &["index", "stats"],
        &["up", "--no-open"],
    ];
    for words in verbs {
        check_lost(&archive, words);
    }
    // Made anew empty, it is as much lost.
    fs::create_dir(archive.join("index")).unwrap();
    check_lost(&archive, &["versions", "http://a.example/"]);
    let (told, exit) = ask(&archive, &["rebuild"]);
    assert_eq!(exit, Some(0), "{told}");
    assert_eq!(ask(&archive, &["versions", "http://a.example/"]), before);
    assert_eq!(ask(&archive, &["jobs", "ls"]), jobs);
}

/// Also in an archive that was made before there was a list of collections.
#[test]
fn a_lost_index_of_an_older_archive_is_noticed() {
    let (_folder, archive) = archive();
    fs::remove_dir_all(archive.join("committed")).unwrap();
    fs::remove_dir_all(archive.join("index")).unwrap();
    check_lost(&archive, &["versions", "http://a.example/"]);
    assert_eq!(ask(&archive, &["rebuild"]).1, Some(0));
    assert_eq!(ask(&archive, &["versions", "http://a.example/"]).1, Some(0));
}

#[test]
fn a_lost_index_of_a_further_collection_is_noticed() {
    let (_folder, archive) = archive();
    fs::remove_dir_all(archive.join("collections")).unwrap();
    let words = ["versions", "--collection", "papers", "http://a.example/"];
    check_lost(&archive, &words);
    assert_eq!(ask(&archive, &["rebuild"]).1, Some(0));
    assert_eq!(ask(&archive, &words).1, Some(0));
}

/// The files are kept without an index: a disk that has lost one may have lost more.
#[test]
fn files_can_be_audited_and_repaired_while_the_index_is_lost() {
    let (_folder, archive) = archive();
    fs::remove_dir_all(archive.join("index")).unwrap();
    for words in [&["vault", "audit"][..], &["vault", "repair"], &["vault", "bring"], &["vault", "status"]] {
        let (told, exit) = ask(&archive, words);
        assert_eq!(exit, Some(0), "{words:?}: {told}");
        assert!(told.contains("is gone") && told.contains("`varve rebuild`"), "{words:?}: {told}");
    }
}

const PAGE: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:4f4e1d4c-0000-4000-8000-000000000001>\r\n\
    WARC-Date: 2026-11-16T08:00:00Z\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\n\
    Content-Length: 5\r\n\r\nlayer\r\n\r\n";
