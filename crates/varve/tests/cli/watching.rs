//! UC1 to UC9 at the command line, against a site that changes when a test says so.
//!
//! A clock cannot be turned there. Instead the settings let a URL be asked again at once, and what is to be old was checked an hour ago.

use std::path::Path;
use std::process::Output;

use archive::Archive;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use testkit::changing::Changing;

use crate::run::{Run, varve};

/// What the settings of the tests say: addresses of this machine are asked, and at once.
pub(crate) const SETTINGS: &str =
    "[harvest]\nallow_private = true\ndelay = 0\ndelay_min = 0\n[watch]\nagain_after = 0\n";

/// A site, and an archive that watches it.
pub(crate) struct World {
    pub(crate) site: Changing,
    pub(crate) folder: tempfile::TempDir,
}

impl World {
    /// With further settings below `[watch]`.
    pub(crate) fn with(settings: &str) -> World {
        let folder = tempfile::tempdir().unwrap();
        Archive::create(folder.path()).unwrap();
        std::fs::write(folder.path().join("varve.toml"), format!("{SETTINGS}{settings}")).unwrap();
        World { site: Changing::start(), folder }
    }

    pub(crate) fn new() -> World {
        World::with("")
    }

    /// The same, with a page that was checked an hour ago.
    fn checked(text: &str) -> World {
        let world = World::new();
        world.site.page("/", text);
        let clock = fetch::Clock::fixed(Timestamp::now() - SignedDuration::from_hours(1));
        let mut settings = watch::Settings::new(clock, testkit::ids::record_ids());
        settings.fetch.allowed = fetch::Allowed::private();
        world.monitor(settings, async |monitor| {
            monitor.resource(&world.url()).unwrap().check().await.unwrap();
            monitor.commit().await.unwrap();
        });
        world
    }

    /// Has the library do something with the archive.
    pub(crate) fn monitor(&self, settings: watch::Settings, work: impl AsyncFnOnce(&watch::Monitor)) {
        let archive = Archive::open(self.folder.path()).unwrap();
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let monitor = watch::Monitor::open(&archive, settings).await.unwrap();
            work(&monitor).await;
            monitor.close().await;
        });
    }

    pub(crate) fn url(&self) -> String {
        self.site.url("/")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        varve(words).inside(self.path())
    }

    /// Runs it; its exit code, and what it says on standard output.
    pub(crate) fn out(&self, words: &[&str]) -> (i32, String) {
        let output = self.run(words).output();
        (output.status.code().unwrap(), text(&output.stdout))
    }

    /// Runs it; its exit code, and all that it says.
    pub(crate) fn said(&self, words: &[&str]) -> (i32, String) {
        let output = self.run(words).output();
        (output.status.code().unwrap(), said(&output))
    }

    /// Runs it with `--json`; its exit code, and the rows.
    pub(crate) fn rows(&self, words: &[&str]) -> (i32, Vec<Value>) {
        let (exit, text) = self.out(&[words, &["--json"]].concat());
        (exit, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn said(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn uc1_the_version_at_a_time_the_oldest_before_all_and_a_check_first_after_the_newest() {
    let world = World::checked("one");
    let url = world.url();
    let get = |at: &str| world.out(&["get", &url, "--at", at]);
    world.site.page("/", "two");
    let asked = world.site.seen().len();
    // Before all of them: the oldest, and nobody is asked.
    assert_eq!(get("2001"), (0, "one".to_owned()));
    assert_eq!(world.site.seen().len(), asked);
    // After the newest: a check comes first. What held then is what was there an hour ago.
    let half_an_hour_ago = (Timestamp::now() - SignedDuration::from_mins(30)).to_string();
    assert_eq!(get(&half_an_hour_ago), (0, "one".to_owned()));
    assert_eq!(world.site.seen().len(), asked + 1);
    // From now on there are two; in between nobody is asked.
    assert_eq!(get(&half_an_hour_ago), (0, "one".to_owned()));
    assert_eq!(world.site.seen().len(), asked + 1);
    assert_eq!(get("2999"), (0, "two".to_owned()));
    assert_eq!((get("v1").1, get("v2").1), ("one".to_owned(), "two".to_owned()));
    assert_eq!(get("v3").0, 4);
    // With the time since when.
    let (exit, rows) = world.rows(&["versions", &url, "--numbered"]);
    assert_eq!((exit, rows.len(), &rows[1]["number"]), (0, 2, &2.into()));
    assert!(rows[0]["time"].as_str() < rows[1]["time"].as_str());
    // If it is not to be had now, nobody knows what it is after the newest.
    world.site.remove("/");
    assert_eq!(get("2999").0, 4);
}

#[test]
fn uc2_the_current_version_after_a_check() {
    let world = World::checked("one");
    world.site.page("/", "two");
    let url = world.url();
    assert_eq!(world.out(&["get", &url, "--current"]), (0, "two".to_owned()));
    // A page that was never checked is for the first time.
    world.site.page("/new", "new");
    assert_eq!(world.out(&["get", &world.site.url("/new"), "--current"]), (0, "new".to_owned()));
    world.site.remove("/");
    let (exit, said) = world.said(&["get", &url, "--current"]);
    assert!(exit == 4 && said.contains("is not available: status 404"), "{said}");
}

#[test]
fn uc3_changed_since_my_last_check_whoever_has_checked_meanwhile() {
    let world = World::checked("one");
    let url = world.url();
    let ask = |person: &str| world.rows(&["check", &url, "--person", person]);
    let mine = |rows: &[Value]| rows[0]["changed_since_my_last_check"].clone();
    // Nobody can have changed what I have never seen.
    let (exit, rows) = ask("ann");
    assert_eq!((exit, mine(&rows)), (0, Value::Null));
    world.site.page("/", "two");
    // Somebody else finds the change first.
    assert_eq!(world.out(&["check", &url]).0, 3);
    assert_eq!(world.out(&["check", &url]).0, 0);
    let (exit, rows) = ask("ann");
    assert_eq!((exit, mine(&rows)), (3, true.into()));
    assert_eq!(rows[0]["outcome"], "unchanged");
    // Asked again at once, it has not.
    let (exit, rows) = ask("ann");
    assert_eq!((exit, mine(&rows)), (0, false.into()));
    assert_eq!(ask("ben").0, 0);
    world.site.remove("/");
    assert_eq!(ask("ann").0, 4);
    let (_, shown) = world.out(&["check", &url, "--person", "ann"]);
    assert!(shown.contains("unavailable"), "{shown}");
}

/// Whoever asks for somebody asks a server once for each page, and as it was said.
#[test]
fn uc3_asks_once_also_by_force() {
    let world = World::with("document_max = 100\n");
    world.site.page("/", &"long ".repeat(100));
    world.site.page("/short", "short");
    let (url, short) = (world.url(), world.site.url("/short"));
    let ask = || world.rows(&["check", &url, &short, "--person", "ann", "--force"]);
    let asked = || world.site.count("/") + world.site.count("/short");
    let (exit, rows) = ask();
    assert_eq!((exit, rows.len(), asked()), (0, 2, 2));
    world.site.page("/", &"longer ".repeat(100));
    let (exit, rows) = ask();
    let mine: Vec<&Value> = rows.iter().map(|row| &row["changed_since_my_last_check"]).collect();
    assert_eq!((exit, mine, asked()), (3, vec![&true.into(), &false.into()], 4));
    assert_eq!(ask().0, 0);
}

#[test]
fn uc4_what_changed_since_my_last_check_and_nothing_if_asked_again_at_once() {
    let world = World::checked("<p>one");
    let url = world.url();
    let (exit, said) = world.said(&["diff", &url]);
    assert!(exit == 0 && said.contains("asked for the first time"), "{said}");
    world.site.page("/", "<p>two");
    assert_eq!(world.out(&["check", &url]).0, 3);
    let (exit, out) = world.out(&["diff", &url]);
    assert!(exit == 3 && out.contains("\n-one\n+two\n"), "{out}");
    let (exit, out) = world.out(&["diff", &url]);
    assert_eq!((exit, out.as_str()), (0, ""));
    // Another person has another memory.
    assert_eq!(world.out(&["diff", &url, "--person", "ben"]), (0, String::new()));
    world.site.page("/", "<p>three");
    let (exit, rows) = world.rows(&["diff", &url, "--person", "ben"]);
    assert_eq!((exit, &rows[0]["before"]["number"], &rows[0]["after"]["number"]), (3, &2.into(), &3.into()));
    world.site.remove("/");
    assert_eq!(world.out(&["diff", &url]).0, 4);
}

#[test]
fn uc5_what_changed_from_one_time_to_another() {
    let world = World::checked("<p>one");
    let url = world.url();
    world.site.page("/", "<p>two");
    // From a time to now: what is there now is asked for.
    let (exit, out) = world.out(&["diff", &url, "2001"]);
    assert!(exit == 3 && out.contains("\n-one\n+two\n"), "{out}");
    let since = (Timestamp::now() - SignedDuration::from_mins(30)).to_string();
    assert_eq!(world.out(&["diff", &url, &since, "2999"]).0, 3);
    // Both before the second version: the same one.
    assert_eq!(world.out(&["diff", &url, "2001", &since]), (0, String::new()));
    assert_eq!(world.out(&["diff", &url, "v1", "v1"]).0, 0);
    // Backwards as well.
    let (_, out) = world.out(&["diff", &url, "v2", "v1"]);
    assert!(out.contains("\n-two\n+one\n"), "{out}");
    let (exit, out) = world.out(&["diff", &url, "v1", "v2", "--format", "side"]);
    assert_eq!((exit, out.as_str()), (3, "one | two\n"));
    let (_, html) = world.out(&["diff", &url, "v1", "v2", "--format", "html"]);
    assert!(html.contains("<del>one\n</del><ins>two\n</ins>"), "{html}");
    assert_eq!(world.out(&["diff", &url, "v1", "v9"]).0, 4);
}

/// E4: the patch makes the newer document of the older one, byte for byte.
#[test]
fn uc5_the_patch_makes_the_newer_document_of_the_older_one() {
    let world = World::checked("<p>one and the same");
    let url = world.url();
    world.site.page("/", "<p>one and another");
    let (exit, _) = world.out(&["diff", &url, "v1", "--format", "patch", "-o", "p"]);
    assert_eq!(exit, 3);
    let patch = std::fs::read(world.path().join("p")).unwrap();
    let made = diff::patch::apply(b"<p>one and the same", &patch, &diff::Limits::default()).unwrap();
    assert_eq!(made, b"<p>one and another");
    // A file that is there stays.
    let (exit, said) = world.said(&["diff", &url, "v1", "--format", "patch", "-o", "p"]);
    assert!(exit == 1 && said.contains("--force"), "{said}");
}

#[test]
fn uc6_a_check_is_made_when_it_is_asked_for_and_takes_what_is_large_by_force() {
    let world = World::with("document_max = 100\n");
    world.site.page("/", &"long ".repeat(100));
    let url = world.url();
    let (exit, rows) = world.rows(&["check", &url]);
    assert_eq!((exit, &rows[0]["outcome"], &rows[0]["version"]), (0, &"too-large".into(), &Value::Null));
    let (exit, rows) = world.rows(&["check", &url, "--force"]);
    assert_eq!((exit, &rows[0]["outcome"], &rows[0]["version"]), (0, &"first".into(), &1.into()));
    let asked = world.site.seen().len();
    assert_eq!(world.out(&["check", &url, "--force"]).0, 0);
    assert_eq!(world.site.seen().len(), asked + 1);
}

#[test]
fn uc7_whether_it_can_be_reached_now() {
    let world = World::checked("one");
    let url = world.url();
    assert_eq!(world.out(&["available", &url]).0, 0);
    world.site.remove("/");
    let (exit, rows) = world.rows(&["available", &url]);
    assert_eq!((exit, &rows[0]["available"], &rows[0]["status"]), (4, &false.into(), &404.into()));
    // It need not have been checked before.
    world.site.page("/new", "new");
    assert_eq!(world.out(&["available", &world.site.url("/new")]).0, 0);
}

#[test]
fn uc8_when_it_could_be_reached() {
    let world = World::checked("one");
    let url = world.url();
    world.site.remove("/");
    assert_eq!(world.out(&["available", &url]).0, 4);
    world.site.page("/", "one");
    assert_eq!(world.out(&["available", &url]).0, 0);
    let asked = world.site.seen().len();
    let (exit, rows) = world.rows(&["available", &url, "--history"]);
    let history: Vec<bool> = rows.iter().map(|row| row["available"].as_bool().unwrap()).collect();
    assert_eq!((exit, history.as_slice()), (0, [true, false, true].as_slice()));
    // At the time of each check, and between them.
    let at = |time: &str| world.out(&["available", &url, "--at", time]).0;
    let times: Vec<&str> = rows.iter().map(|row| row["time"].as_str().unwrap()).collect();
    assert_eq!((at(times[0]), at(times[1]), at(times[2])), (0, 4, 0));
    assert_eq!(at(&(Timestamp::now() - SignedDuration::from_mins(30)).to_string()), 0);
    let (exit, said) = world.said(&["available", &url, "--at", "2001"]);
    assert!(exit == 1 && said.contains("was not checked by then"), "{said}");
    assert_eq!(world.site.seen().len(), asked);
    let (exit, said) = world.said(&["available", &world.site.url("/never"), "--history"]);
    assert!(exit == 1 && said.contains("was never checked") && said.contains("hint: `varve check"), "{said}");
}

#[test]
fn uc9_the_last_version_that_could_be_had() {
    let world = World::checked("one");
    let url = world.url();
    world.site.page("/", "two");
    assert_eq!(world.out(&["get", &url, "--reachable"]), (0, "two".to_owned()));
    world.site.remove("/");
    assert_eq!(world.out(&["get", &url, "--reachable"]), (0, "two".to_owned()));
    // There has never been one.
    assert_eq!(world.out(&["get", &world.site.url("/never"), "--reachable"]).0, 4);
}

/// Pages that were never checked are not asked for by somebody who reads.
#[test]
fn what_was_only_harvested_is_read_and_never_asked_for() {
    let world = World::new();
    world.site.page("/", "one");
    let url = world.url();
    let harvested = world.run(&["harvest", &url, "--scope", "page", "-q"]).output();
    assert_eq!(harvested.status.code(), Some(0), "{}", said(&harvested));
    let asked = world.site.seen().len();
    assert_eq!(world.out(&["get", &url, "--at", "2999"]), (0, "one".to_owned()));
    assert!(!world.path().join("watch.db").exists());
    assert_eq!(world.site.seen().len(), asked);
}
