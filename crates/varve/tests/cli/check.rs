//! `varve check`: its exit codes are what scripts go by.

use std::path::Path;
use std::process::{Command, Stdio};

use archive::Archive;
use insta::assert_snapshot;
use jiff::{SignedDuration, Timestamp};
use testkit::changing::Changing;
use testkit::server::{Place, Server, Wire};

use crate::run::{Run, varve};

/// An archive whose pages were checked an hour ago.
fn checked(site: &Changing, paths: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = varve(["init", "."]).inside(folder.path()).output();
    assert_eq!(made.status.code(), Some(0));
    let an_hour_ago = Timestamp::now() - SignedDuration::from_hours(1);
    let clock = fetch::Clock::fixed(an_hour_ago);
    let mut settings = watch::Settings::new(clock, testkit::ids::record_ids());
    settings.fetch.allowed = fetch::Allowed::private();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let archive = Archive::open(folder.path()).unwrap();
        let monitor = watch::Monitor::open(&archive, settings).await.unwrap();
        for path in paths {
            monitor.resource(&site.url(path)).unwrap().check().await.unwrap();
        }
        monitor.commit().await.unwrap();
        monitor.close().await;
    });
    folder
}

fn check(folder: &Path, urls: &[String], more: &[&str]) -> Run {
    let urls = urls.iter().map(String::as_str);
    let words =
        ["check", "--allow-private", "--delay", "0"].into_iter().chain(more.iter().copied()).chain(urls);
    varve(words).inside(folder)
}

#[test]
fn help_of_check() {
    assert_snapshot!(varve(["check", "--help"]).shown());
}

/// 0, 3 and 4: as before, changed, not to be had.
#[test]
fn uc6_exit_codes_tell_what_became_of_a_page() {
    let site = Changing::start();
    let paths = ["/same", "/other", "/gone"];
    paths.iter().for_each(|path| site.page(path, "one"));
    let folder = checked(&site, &paths);
    site.page("/other", "two");
    site.remove("/gone");
    let code = |urls: &[&str]| {
        let urls: Vec<String> = urls.iter().map(|path| site.url(path)).collect();
        check(folder.path(), &urls, &[]).output().status.code()
    };
    assert_eq!(code(&["/same"]), Some(0));
    assert_eq!(code(&["/other"]), Some(3));
    assert_eq!(code(&["/gone"]), Some(4));
    // Asked again at once, they are told the same, and all of it in one: the worst counts.
    let asked = site.seen().len();
    assert_eq!(code(&["/same", "/other"]), Some(3));
    assert_eq!(code(&["/same", "/other", "/gone"]), Some(4));
    assert_eq!(site.seen().len(), asked);
    // What is seen for the first time is no change.
    site.page("/new", "one");
    assert_eq!(code(&["/new"]), Some(0));
}

#[test]
fn uc6_what_was_found_is_printed_for_people_and_for_programs() {
    let site = Changing::start();
    site.page("/", "one");
    let folder = checked(&site, &["/"]);
    site.page("/", "another");
    let urls = [site.url("/"), site.url("/none")];
    let output = check(folder.path(), &urls, &["--json"]).output();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows[0]["outcome"].as_str(), rows[0]["version"].as_u64()), (Some("changed"), Some(2)));
    assert_eq!((rows[0]["changed"].as_bool(), rows[0]["length"].as_u64()), (Some(true), Some(7)));
    assert_eq!((rows[1]["outcome"].as_str(), rows[1]["status"].as_u64()), (Some("unavailable"), Some(404)));
    let output = check(folder.path(), &urls, &[]).output();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.contains("changed") && out.contains("unavailable") && out.contains("v2"), "{out}");
    assert!(err.contains("asked just now") && err.contains("404 Not Found"), "{err}");
}

/// Acceptance 5: versions are captures like any other.
#[test]
fn versions_of_a_checked_page_are_listed_and_read_like_any_capture() {
    let site = Changing::start();
    site.page("/", "one");
    let folder = checked(&site, &["/"]);
    site.page("/", "two");
    let url = site.url("/");
    assert_eq!(check(folder.path(), std::slice::from_ref(&url), &["-q"]).output().status.code(), Some(3));
    let versions = varve(["versions", &url, "--json"]).inside(folder.path()).output();
    assert_eq!(String::from_utf8(versions.stdout).unwrap().lines().count(), 2);
    let got = varve(["get", &url]).inside(folder.path()).output();
    assert_eq!(got.stdout, b"two");
    // They are no jobs of anybody's.
    let jobs = varve(["jobs", "ls"]).inside(folder.path()).output();
    assert!(!String::from_utf8(jobs.stdout).unwrap().contains("watch-"));
    // And the program that is next finds one file, and nothing under way.
    assert!(!folder.path().join("watch.db-wal").exists());
    assert_eq!(std::fs::read_dir(folder.path().join("work")).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_checked_is_wrong_usage() {
    let site = Changing::start();
    let folder = checked(&site, &[]);
    for url in ["mailto:somebody@example.org", "http://[x]/"] {
        let output = check(folder.path(), &[url.to_owned()], &[]).output();
        assert_eq!(output.status.code(), Some(2), "{url}");
    }
    assert_eq!(varve(["check"]).output().status.code(), Some(2));
    // An address of this machine is not asked unless that is said; then it is, at once, because nobody was asked before.
    let url = site.url("/unasked");
    let output = varve(["check", &url]).inside(folder.path()).output();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the address is not asked") && told.contains("hint: `--allow-private`"), "{told}");
    let output = check(folder.path(), &[url], &[]).output();
    assert!(!String::from_utf8(output.stderr).unwrap().contains("ten seconds"));
}

/// A database of a later version is left alone, and told.
#[test]
fn a_database_that_is_none_is_told_with_a_way_out() {
    let site = Changing::start();
    let folder = checked(&site, &[]);
    std::fs::write(
        folder.path().join("watch.db"),
        "no database at all, but long enough to look like one".repeat(99),
    )
    .unwrap();
    let output = check(folder.path(), &[site.url("/")], &[]).output();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("hint: the captures are safe"), "{error}");
}

/// kill -9 while another page is waited for: what was settled is in the archive once the next program has looked, and only once.
#[test]
fn killed_in_the_middle_nothing_is_lost_and_nothing_is_there_twice() {
    let site = Changing::start();
    site.page("/", "one");
    let silent = Server::start(&Place::default(), Wire::hang);
    let folder = checked(&site, &[]);
    let words = ["check", "--allow-private", &site.url("/"), &silent.url("/")];
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(words)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let archive = Archive::open(folder.path()).unwrap();
    let settings = || watch::Settings::new(fetch::Clock::fixed(Timestamp::now()), testkit::ids::record_ids());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        // Another process that watches the same archive sees the check, and leaves its job alone.
        let monitor = watch::Monitor::open(&archive, settings()).await.unwrap();
        let page = monitor.resource(&site.url("/")).unwrap();
        testkit::until_async("the page is checked", async || page.last_checked().await.unwrap().is_some())
            .await;
        monitor.close().await;
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let captures = || {
        let key = urlkey::key(&site.url("/"));
        archive.snapshot().unwrap().versions(&key).map(Result::unwrap).count()
    };
    assert_eq!(captures(), 0);
    let again = check(folder.path(), &[site.url("/")], &[]).output();
    assert_eq!(again.status.code(), Some(0));
    assert_eq!((captures(), site.count("/")), (1, 1));
    assert_eq!(std::fs::read_dir(folder.path().join("work")).unwrap().count(), 0);
}
