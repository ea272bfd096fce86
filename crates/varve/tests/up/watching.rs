//! Watched pages in a real `varve up`: UC1 to UC9 through the API, and news on their way to whoever wants them.
//!
//! Time cannot be turned there. The settings let a URL be asked again at once, and what is to be old was checked an hour ago.

use std::io::{BufRead as _, BufReader};
use std::sync::mpsc;
use std::time::Duration;

use archive::Archive;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use testkit::changing::Changing;
use testkit::server::{Place, Server, reply};

use crate::http::{self, Answer};
use crate::program::Up;

/// Longer than anything here takes, shorter than anybody waits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A site, and `varve up` that watches it.
pub(crate) struct World {
    pub(crate) site: Changing,
    pub(crate) up: Up,
}

impl World {
    /// With a page that was checked an hour ago.
    pub(crate) fn checked(text: &str) -> World {
        let (site, folder) = (Changing::start(), tempfile::tempdir().unwrap());
        site.page("/", text);
        let archive = Archive::create(folder.path()).unwrap();
        let settings = "[harvest]\nallow_private = true\ndelay = 0\ndelay_min = 0\n[watch]\nagain_after = 0\nevery = '1h'\n[notify]\nallow_private = true\n";
        std::fs::write(folder.path().join("varve.toml"), settings).unwrap();
        let clock = fetch::Clock::fixed(Timestamp::now() - SignedDuration::from_hours(1));
        let mut settings = watch::Settings::new(clock, testkit::ids::record_ids());
        settings.fetch.allowed = fetch::Allowed::private();
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let monitor = watch::Monitor::open(&archive, settings).await.unwrap();
            monitor.resource(&site.url("/")).unwrap().check().await.unwrap();
            monitor.commit().await.unwrap();
            monitor.close().await;
        });
        World::watching(site, folder)
    }

    /// `varve up` in a folder with an archive.
    pub(crate) fn watching(site: Changing, folder: tempfile::TempDir) -> World {
        let settings = "[harvest]\nallow_private = true\ndelay = 0\ndelay_min = 0\n\
                        [watch]\nagain_after = 0\nevery = '1h'\n[notify]\nallow_private = true\n";
        std::fs::write(folder.path().join("varve.toml"), settings).unwrap();
        World { site, up: Up::start_in(folder, &[]) }
    }

    pub(crate) fn url(&self) -> String {
        self.site.url("/")
    }

    pub(crate) fn api(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.up.pages)
    }

    /// Asks by POST; the status, and what came.
    pub(crate) fn post(&self, path: &str, body: Value) -> (u16, Value) {
        read(http::ask("POST", &self.api(path), &body.to_string()))
    }

    fn get(&self, path: &str) -> (u16, Value) {
        read(http::get(&self.api(path)))
    }

    /// What the document of a version says.
    fn document(&self, number: u64) -> String {
        let answer = http::get(&self.api(&format!("monitor/document?url={}&number={number}", self.url())));
        assert_eq!(answer.status, 200);
        String::from_utf8(answer.body).unwrap()
    }
}

fn read(answer: Answer) -> (u16, Value) {
    let body = serde_json::from_slice(&answer.body).unwrap_or_default();
    (answer.status, body)
}

fn half_an_hour_ago() -> String {
    (Timestamp::now() - SignedDuration::from_mins(30)).to_string()
}

#[test]
fn uc1_uc2_uc9_versions_by_time_now_and_last_reachable() {
    let world = World::checked("one");
    let version = |mut body: Value| {
        body["url"] = world.url().into();
        let (status, row) = world.post("monitor/version", body);
        (status, row["number"].as_u64())
    };
    world.site.page("/", "two");
    let asked = world.site.seen().len();
    // UC1: before all it is the oldest, and nobody is asked; after the newest a check comes first.
    assert_eq!(version(json!({ "at": "2001" })), (200, Some(1)));
    assert_eq!(world.site.seen().len(), asked);
    assert_eq!(version(json!({ "at": half_an_hour_ago() })), (200, Some(1)));
    assert_eq!(world.site.seen().len(), asked + 1);
    assert_eq!(version(json!({ "at": "2999" })), (200, Some(2)));
    assert_eq!((world.document(1), world.document(2)), ("one".to_owned(), "two".to_owned()));
    assert_eq!(version(json!({ "number": 3 })).0, 404);
    // UC2: the current one, after a check.
    world.site.page("/", "three");
    assert_eq!(version(json!({})), (200, Some(3)));
    world.site.remove("/");
    assert_eq!(version(json!({})).0, 502);
    assert_eq!(version(json!({ "at": "2999" })).0, 502);
    // UC9: the last that could be had.
    assert_eq!(version(json!({ "reachable": true })), (200, Some(3)));
    let never = json!({ "url": world.site.url("/never"), "reachable": true });
    assert_eq!(world.post("monitor/version", never).0, 404);
}

#[test]
fn uc3_uc4_uc5_what_changed_for_me_and_between_times() {
    let world = World::checked("<p>one");
    let url = world.url();
    let mine = |call: &str, person: &str| world.post(call, json!({ "url": url, "person": person }));
    assert_eq!(mine("monitor/changed", "ann").1["changed"], Value::Null);
    assert_eq!(mine("monitor/changes", "ben").1["changed"], Value::Null);
    world.site.page("/", "<p>two");
    assert_eq!(world.post("monitor/check", json!({ "url": url })).1["outcome"], "changed");
    // UC3 and UC4: whoever has checked meanwhile; and nothing if asked again at once.
    assert_eq!(mine("monitor/changed", "ann").1["changed"], true);
    assert_eq!(mine("monitor/changed", "ann").1["changed"], false);
    let (_, changes) = mine("monitor/changes", "ben");
    assert_eq!((&changes["empty"], &changes["findings"][0]["new"]), (&false.into(), &"two".into()));
    assert_eq!(mine("monitor/changes", "ben").1["empty"], true);
    // UC5.
    let between = |from: Value, to: Value| {
        world.post("monitor/difference", json!({ "url": url, "from": from, "to": to })).1
    };
    assert_eq!(between("2001".into(), half_an_hour_ago().into())["empty"], true);
    assert_eq!(between("2001".into(), "2999".into())["meaningful"], true);
    assert_eq!(between(1.into(), 2.into())["findings"][0]["old"], "one");
    let body = json!({ "url": url, "from": 1, "to": 2 }).to_string();
    let patch = http::ask("POST", &world.api("monitor/patch"), &body).body;
    let made = diff::patch::apply(b"<p>one", &patch, &diff::Limits::default()).unwrap();
    assert_eq!(made, b"<p>two");
    // E3.
    assert_eq!(
        (world.get("people/ann").0, world.get("people/nobody").1["taken"].clone()),
        (200, false.into())
    );
    world.site.remove("/");
    assert_eq!(mine("monitor/changed", "ann").0, 502);
}

#[test]
fn uc6_uc7_uc8_checks_and_whether_it_could_be_reached() {
    let world = World::checked("one");
    let url = world.url();
    // UC6: asked for, and made.
    let asked = world.site.seen().len();
    let (status, check) = world.post("monitor/check", json!({ "url": url, "force": true }));
    assert_eq!((status, &check["outcome"]), (200, &"unchanged".into()));
    assert_eq!(world.site.seen().len(), asked + 1);
    // UC7.
    let available = || world.post("monitor/available", json!({ "url": url })).1["available"].clone();
    assert_eq!(available(), true);
    world.site.remove("/");
    assert_eq!(available(), false);
    // UC8: the newest first, and day by day.
    let asked = world.site.seen().len();
    let (_, page) = world.get(&format!("monitor/availability?url={url}"));
    let history: Vec<bool> = page["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["available"].as_bool().unwrap())
        .collect();
    assert_eq!(history, [false, true, true, true]);
    let (_, days) = world.get(&format!("monitor/days?url={url}"));
    let checks: u64 = days.as_array().unwrap().iter().map(|day| day["checks"].as_u64().unwrap()).sum();
    assert_eq!((checks, world.site.seen().len()), (4, asked));
    assert_eq!(world.get(&format!("monitor/availability?url={}", world.site.url("/never"))).0, 404);
}

/// A watch that the API has begun: the page changes, and news arrive by the API, as an event, and by a webhook.
#[test]
fn news_arrive_by_the_api_as_events_and_by_webhooks() {
    let world = World::checked("<p>Cod: 12 left");
    let (tell, told) = mpsc::channel();
    let tell = std::sync::Mutex::new(tell);
    let hook = Server::answering(&Place::default(), move |wire, request| {
        tell.lock().unwrap().send(request.body().to_vec()).unwrap();
        wire.send(&reply("202 Accepted", &[], b""))?;
        Ok(false)
    });
    let wish =
        json!({ "url": world.url(), "every": "1s", "notify": [format!("http://{}/", hook.address())] });
    let (status, watch) = world.post("watches", wish);
    assert_eq!((status, &watch["id"]), (201, &1.into()));
    let mut events = http::open("GET", &world.api("watches/events"), "");
    events.set_read_timeout(Some(PATIENCE)).unwrap();
    // It is seen as it is before it changes.
    assert_eq!(world.post("watches/1/check", json!({})).0, 200);
    world.site.page("/", "<p>Cod: sold out");
    let mut lines = BufReader::new(&mut events).lines().map(Result::unwrap);
    let data = lines.find(|line| line.starts_with("data: {")).unwrap();
    let news: Value = serde_json::from_str(data.trim_start_matches("data: ")).unwrap();
    assert_eq!((&news["kind"], &news["watch"]), (&"changed".into(), &1.into()));
    let (_, page) = world.get("watches/1/news");
    assert_eq!((&page["news"][0]["id"], page["news"].as_array().unwrap().len()), (&news["id"], 1));
    let event: Value = serde_json::from_slice(&told.recv_timeout(PATIENCE).unwrap()).unwrap();
    assert_eq!((&event["type"], &event["data"]["id"]), (&"varve.watch.changed".into(), &news["id"]));
    let link = event["data"]["links"]["difference"].as_str().unwrap();
    assert_eq!(link, format!("{}/watches/1/difference?from=1&to=2", world.up.pages));
    // It is paused, and stays as it is otherwise.
    let (status, row) = read(http::ask("PATCH", &world.api("watches/1"), r#"{"paused": true}"#));
    assert_eq!((status, &row["paused"], &row["every"]), (200, &true.into(), &"1s".into()));
    let (status, problem) =
        read(http::ask("PATCH", &world.api("watches/1"), r#"{"quiet": "22:00-07:00 Mars"}"#));
    assert_eq!((status, &problem["errors"][0]["pointer"]), (422, &"/quiet".into()));
    assert_eq!(http::ask("DELETE", &world.api("watches/1"), "").status, 204);
    assert_eq!(world.get("watches/1").0, 404);
}

/// Acceptance 5: what was checked is found by the calendar, the TimeMap and the CDX server, like any capture.
#[test]
fn versions_of_a_watched_page_are_found_like_any_capture() {
    let world = World::checked("one");
    world.site.page("/", "two");
    assert_eq!(world.post("monitor/check", json!({ "url": world.url() })).1["version"], 2);
    let url = world.url();
    let text = |place: String| {
        let answer = http::get(&place);
        assert_eq!(answer.status, 200, "{place}");
        String::from_utf8(answer.body).unwrap()
    };
    // It comes into the archive within a few seconds.
    testkit::until("the index has both captures", || {
        text(format!("{}/cdx?url={url}", world.up.pages)).lines().count() >= 2
    });
    let map = text(format!("{}/web/timemap/link/{url}", world.up.replay));
    assert_eq!(map.matches("memento\"; datetime=").count(), 2, "{map}");
    let calendar = text(format!("{}/web/*/{url}", world.up.replay));
    let (_, versions) = world.get(&format!("monitor/versions?url={url}"));
    for version in versions["versions"].as_array().unwrap() {
        let timestamp = version["timestamp"].as_str().unwrap();
        assert!(calendar.contains(timestamp), "{timestamp}: {calendar}");
        let shown = text(format!("{}/web/{timestamp}id_/{url}", world.up.replay));
        assert_eq!(shown, world.document(version["number"].as_u64().unwrap()));
    }
}

/// The rounds of another process are taken over when it ends.
#[test]
fn the_rounds_are_made_by_one_and_taken_over_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let settings = watch::Settings::new(fetch::Clock::new(Timestamp::now), testkit::ids::record_ids());
    let (monitor, rounds) = runtime.block_on(async {
        let monitor = watch::Monitor::open(&archive, settings).await.unwrap();
        let rounds = watch::Rounds::begin(&monitor, watch::Tempo::default()).await.unwrap().unwrap();
        (monitor, rounds)
    });
    let world = World::watching(Changing::start(), folder);
    world.site.page("/", "one");
    assert_eq!(world.post("watches", json!({ "url": world.url() })).0, 201);
    // Whoever holds the rounds does nothing, and so nothing is done.
    assert_eq!(world.get("watches/1").1["last"], Value::Null);
    drop(rounds);
    runtime.block_on(monitor.close());
    testkit::until("the page is checked", || !world.site.seen().is_empty());
}
