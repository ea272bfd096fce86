//! The files that are kept, as programs ask for them: a real vault of three replicas, and somebody who does at once what is asked.
//! (D11, D12, D13)

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use api::jobs::{RefusalKind, Refused};
use api::vault::{Doing, Habits, Keeper, Last, Remedied, Room, Task};
use catalogue::{AuditKind, Catalogue, Kind};
use jiff::{SignedDuration, Timestamp};
use policy::CurrentRules;
use serde_json::{Value, json};
use store::replica::{Checksums, Folders, Replica};
use vault::{Extent, Look, Place, Vault};

use super::world::{Answer, NOW, World};

/// Does at once what is asked, so that tests need not wait.
struct Prompt {
    vault: Vault,
    remedies: Mutex<Vec<Remedied>>,
    last: Mutex<Option<Last>>,
    rooms: Arc<Mutex<Vec<Room>>>,
}

impl Keeper for Prompt {
    fn vault(&self) -> &Vault {
        &self.vault
    }

    fn ask(&self, task: Task) -> Result<(), Refused> {
        let mut go_on = |_| ControlFlow::Continue(());
        let at = NOW.parse().unwrap();
        match &task {
            Task::Bring => drop(self.vault.bring_now(&mut go_on).unwrap()),
            Task::Audit { replica, kind } => {
                let look = Look { kind: *kind, extent: Extent::Complete };
                drop(self.vault.audit(replica, look, &mut go_on).unwrap());
            }
            Task::Repair { is_dry } => {
                let mut remedies = self.remedies.lock().unwrap();
                let mut told = |remedy| remedies.insert(0, Remedied { at, is_dry: *is_dry, remedy });
                self.vault.repair(*is_dry, &mut told, &mut go_on).unwrap();
            }
            Task::BackUp => {
                let message = "the server is ending".to_owned();
                return Err(Refused { message, hint: None, kind: RefusalKind::Conflict });
            }
        }
        *self.last.lock().unwrap() = Some(Last { at, what: format!("{} done", task.name()), is_done: true });
        Ok(())
    }

    fn doing(&self) -> Vec<Doing> {
        let task = Task::Audit { replica: "cellar".to_owned(), kind: AuditKind::Checksum };
        let since = "2026-11-16T11:59:30Z".parse().unwrap();
        vec![Doing { task, since, bytes: 10, of_bytes: Some(30) }]
    }

    fn waiting(&self) -> Vec<Task> {
        vec![Task::Repair { is_dry: true }]
    }

    fn last(&self) -> Option<Last> {
        self.last.lock().unwrap().clone()
    }

    fn remedies(&self) -> Vec<Remedied> {
        self.remedies.lock().unwrap().clone()
    }

    fn rooms(&self) -> Vec<Room> {
        self.rooms.lock().unwrap().clone()
    }

    fn habits(&self) -> Habits {
        Habits::default()
    }
}

/// A server over a vault that has three files in three replicas.
struct Kept {
    /// How much later it is for the vault.
    seconds: Arc<AtomicI64>,
    world: World,
    /// What replicas are said to have answered.
    rooms: Arc<Mutex<Vec<Room>>>,
    store: PathBuf,
    cellar: PathBuf,
}

fn kept() -> Kept {
    let mut cellar = PathBuf::new();
    let seconds = Arc::new(AtomicI64::new(0));
    let turned = seconds.clone();
    let rooms = Arc::<Mutex<Vec<Room>>>::default();
    let clock = move || {
        let now: Timestamp = NOW.parse().unwrap();
        now + SignedDuration::from_secs(turned.load(Ordering::Relaxed))
    };
    let world = World::with(CurrentRules::default(), |settings| {
        let folder = settings.archive.folder().to_owned();
        let store = Arc::new(Folders::open([folder.join("store")], 0).unwrap());
        cellar = folder.join("cellar");
        let second = Arc::new(Folders::open([&cellar], 0).unwrap());
        let third = Arc::new(Checksums::open(&folder.join("notary")).unwrap());
        let place =
            |name: &str, kind, replica: Arc<dyn Replica>| Place { name: name.to_owned(), kind, replica };
        let places = vec![
            place("store", Kind::Folder, store),
            place("cellar", Kind::Folder, second),
            place("notary", Kind::Checksums, third),
        ];
        let catalogue = Catalogue::open(&folder.join("catalogue.db")).unwrap();
        let vault = Vault::open(catalogue, places, Arc::new(clock)).unwrap();
        for name in ["a.warc.gz", "b.warc.gz", "c.warc.gz"] {
            let work = folder.join(name);
            fs::write(&work, format!("what is in {name}")).unwrap();
            let sealed = settings.archive.store().seal("job", &work).unwrap();
            vault.take_note(&[sealed]).unwrap();
        }
        let (remedies, last) = (Mutex::default(), Mutex::default());
        settings.keeper = Some(Arc::new(Prompt { vault, remedies, last, rooms: rooms.clone() }));
    });
    let store = world.archive().folder().join("store");
    let kept = Kept { seconds, world, rooms, store, cellar };
    assert_eq!(kept.ask(&json!({ "task": "bring" })).status, 202);
    kept
}

impl Kept {
    fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.world.get(&format!("/api/v1/vault{path}")).text()).unwrap()
    }

    fn ask(&self, task: &Value) -> Answer {
        self.ask_with(task, &[("content-type", "application/json")])
    }

    fn ask_with(&self, task: &Value, headers: &[(&str, &str)]) -> Answer {
        self.world.send("POST", "/api/v1/vault/tasks", headers, task.to_string().into_bytes())
    }

    /// One copy is damaged, another deleted; an audit finds both.
    fn damaged(self) -> Kept {
        fs::write(self.cellar.join("job/a.warc.gz"), "what is in A.warc.gz").unwrap();
        fs::remove_file(self.store.join("job/c.warc.gz")).unwrap();
        self.seconds.fetch_add(60, Ordering::Relaxed);
        for replica in ["store", "cellar"] {
            let asked = self.ask(&json!({ "task": "audit", "replica": replica, "kind": "checksum" }));
            assert_eq!(asked.status, 202);
        }
        self
    }
}

#[test]
fn d11_status_tells_how_every_replica_stands() {
    let status = kept().get("");
    assert_eq!(
        (&status["files"], &status["accepted"], &status["given_up"]),
        (&json!(3), &json!(3), &json!([]))
    );
    let names: Vec<&str> =
        status["replicas"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["store", "cellar", "notary"]);
    let cellar = &status["replicas"][1];
    assert_eq!(
        (&cellar["verified"], &cellar["missing"], &cellar["kind"]),
        (&json!(3), &json!(0), &json!("folder"))
    );
    // Nobody has asked it yet.
    assert_eq!((&cellar["reachable"], &cellar["checked_since"]), (&Value::Null, &json!(NOW)));
    assert_eq!(
        status["doing"],
        json!([{ "task": "audit", "replica": "cellar", "kind": "checksum", "since": "2026-11-16T11:59:30Z",
            "seconds": 30.0, "bytes": 10, "of_bytes": 30 }])
    );
    assert_eq!(status["waiting"], json!([{ "task": "repair", "dry": true }]));
    assert_eq!(status["last"], json!({ "at": NOW, "what": "bring done", "done": true }));
}

/// Tabs that are open ask every few seconds: none of that may wait for a server that is gone.
#[test]
fn d11_status_tells_what_replicas_have_answered_and_asks_none() {
    let kept = kept();
    let at = |before: i64| NOW.parse::<Timestamp>().unwrap() - SignedDuration::from_secs(before);
    let room = |replica: &str, told, asked| Room { replica: replica.to_owned(), told, asked };
    // What it says when it is asked itself is another number.
    let enough = Some((at(50), Ok(Some(5))));
    *kept.rooms.lock().unwrap() = vec![
        room("store", enough.clone(), Some(at(29))),
        room("cellar", enough, Some(at(30))),
        room("notary", Some((at(1), Err("no such folder".to_owned()))), None),
    ];
    let status = kept.get("");
    let told = |row: &Value| ["reachable", "room_bytes", "why", "answered_at"].map(|name| row[name].clone());
    let rows: Vec<_> = status["replicas"].as_array().unwrap().iter().map(told).collect();
    let silent = "it was asked at 2026-11-16T11:59:30Z and has not answered";
    let (before, just_now) = ("2026-11-16T11:59:10Z", "2026-11-16T11:59:59Z");
    assert_eq!(rows[0], [json!(true), json!(5), Value::Null, json!(before)]);
    assert_eq!(rows[1], [json!(false), Value::Null, json!(silent), json!(before)]);
    assert_eq!(rows[2], [json!(false), Value::Null, json!("no such folder"), json!(just_now)]);
}

#[test]
fn d13_what_an_audit_finds_is_told_and_listed() {
    let kept = kept().damaged();
    let status = kept.get("");
    let (store, cellar) = (&status["replicas"][0], &status["replicas"][1]);
    assert_eq!((&store["missing"], &store["changed"], &store["verified"]), (&json!(1), &json!(0), &json!(2)));
    assert_eq!((&cellar["missing"], &cellar["changed"]), (&json!(0), &json!(1)));
    let audit = &cellar["audits"][0];
    assert_eq!(
        (&audit["kind"], &audit["state"], &audit["sound"]),
        (&json!("checksum"), &json!("done"), &json!(false))
    );
    assert_eq!((&audit["changed"], &audit["files"], &audit["wrong_size"]), (&json!(1), &json!(3), &json!(0)));
    let listed = kept.get("/files?replica=cellar&state=changed");
    assert_eq!(listed["files"].as_array().unwrap().len(), 1);
    let file = &listed["files"][0];
    assert_eq!((&file["name"], &listed["next"]), (&json!("job/a.warc.gz"), &Value::Null));
    let copy = &file["copies"][1];
    assert_eq!((&copy["replica"], &copy["state"]), (&json!("cellar"), &json!("changed")));
    assert!(
        copy["found"].as_str().is_some_and(|found| found.len() == 64 && file["sha256"] != found),
        "{copy}"
    );
}

#[test]
fn d12_what_could_be_repaired_is_told_before_it_is() {
    let kept = kept().damaged();
    assert_eq!(kept.ask(&json!({ "task": "repair", "dry": true })).status, 202);
    let remedies = kept.get("/remedies");
    let remedies = remedies["remedies"].as_array().unwrap();
    assert_eq!(remedies.len(), 2);
    assert!(
        remedies.iter().all(|remedy| remedy["dry"] == true && remedy["outcome"] == "possible"),
        "{remedies:?}"
    );
    assert_eq!(kept.get("")["replicas"][0]["missing"], 1);
    let asked = kept.ask(&json!({ "task": "repair" }));
    assert_eq!((asked.status, asked.body), (202, br#"{"task":"repair","dry":false}"#.to_vec()));
    assert_eq!(kept.get("/remedies")["remedies"][0]["outcome"], "repaired");
    let status = kept.get("");
    assert_eq!(
        (&status["replicas"][0]["missing"], &status["replicas"][1]["changed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(fs::read(kept.cellar.join("job/a.warc.gz")).unwrap(), b"what is in a.warc.gz");
}

#[test]
fn files_come_page_by_page_and_one_by_its_name() {
    let kept = kept();
    let first = kept.get("/files?limit=2");
    assert_eq!((first["files"].as_array().unwrap().len(), &first["next"]), (2, &json!("job/b.warc.gz")));
    let second = kept.get("/files?limit=2&behind=job/b.warc.gz");
    assert_eq!((&second["files"][0]["name"], &second["next"]), (&json!("job/c.warc.gz"), &Value::Null));
    let one = kept.get("/files/job/b.warc.gz");
    assert_eq!(
        (&one["name"], &one["bytes"], &one["accepted_at"]),
        (&json!("job/b.warc.gz"), &json!(20), &json!(NOW))
    );
    let copies = one["copies"].as_array().unwrap();
    assert!(copies.len() == 3 && copies.iter().all(|copy| copy["state"] == "verified"), "{one}");
    assert_eq!((&one["copies"][2]["checked_at"], &one["copies"][2]["due_at"]), (&json!(NOW), &Value::Null));
}

#[test]
fn events_come_page_by_page_the_newest_first() {
    let kept = kept();
    let all = kept.get("/events");
    let total = all["total"].as_u64().unwrap();
    assert_eq!((all["events"].as_array().unwrap().len() as u64, &all["next"]), (total, &Value::Null));
    let mut numbers = Vec::new();
    let mut path = "/events?limit=4".to_owned();
    loop {
        let page = kept.get(&path);
        numbers
            .extend(page["events"].as_array().unwrap().iter().map(|event| event["number"].as_u64().unwrap()));
        let Some(next) = page["next"].as_u64() else { break };
        path = format!("/events?limit=4&before={next}");
    }
    assert_eq!(numbers, (1..=total).rev().collect::<Vec<u64>>());
    for odd in ["/events?before=0", "/events?before=1"] {
        assert_eq!(kept.get(odd)["events"], json!([]), "{odd}");
    }
    assert_eq!(kept.get("/events?limit=0&before=18446744073709551615")["events"][0]["number"], total);
}

#[test]
fn events_of_a_file_are_its_story() {
    let story = kept().get("/events?file=job/a.warc.gz");
    let kinds: Vec<&str> =
        story["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["accepted", "stored", "stored", "stored", "noted"]);
    assert_eq!((&story["events"][1]["replica"], &story["is_cut"]), (&json!("notary"), &json!(false)));
    assert_eq!(story["events"][4]["replica"], Value::Null);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let kept = kept();
    for (task, status, said) in [
        (json!({ "task": "burn" }), 422, "a `task` is"),
        (json!({ "task": "audit" }), 422, "needs the name of a `replica`"),
        (json!({ "task": "audit", "replica": "attic" }), 422, "there is no replica `attic`"),
        (json!({ "task": "audit", "replica": "cellar", "kind": "smell" }), 422, "`presence` or `checksum`"),
        (json!({ "task": "bring", "dry": true }), 422, "only a `repair` can be `dry`"),
        (json!({ "task": "bring", "colour": "red" }), 400, "unknown field"),
        (json!({ "task": 1 }), 400, "invalid type"),
        (json!(["bring", 1, 2]), 400, "invalid type"),
        (json!({ "task": "backup" }), 409, "the server is ending"),
    ] {
        let answer = kept.ask(&task).refused(status);
        assert!(answer.contains(said), "{task}: {answer}");
    }
    for (path, status) in [
        ("/files?replica=cellar", 400),
        ("/files?replica=cellar&state=verified", 400),
        ("/files?replica=attic&state=missing", 404),
        ("/files?replica=cellar&state=missing&behind=job/none", 400),
        ("/files?replica=cellar&state=missing&behind=job/a.warc.gz", 200),
        ("/files?limit=many", 400),
        ("/files/job/none", 404),
        ("/files/..%2F..%2Fetc%2Fpasswd", 404),
        ("/events?file=job/a.warc.gz&before=3", 400),
        ("/events?before=-1", 400),
        ("/nothing", 404),
    ] {
        let answer = kept.world.get(&format!("/api/v1/vault{path}"));
        assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
    }
}

#[test]
fn what_changes_something_comes_from_our_own_pages_or_a_program() {
    let kept = kept();
    let json = ("content-type", "application/json");
    let task = json!({ "task": "repair" });
    for origin in ["http://evil.example", "http://localhost:8471", "null"] {
        kept.ask_with(&task, &[json, ("origin", origin)]).refused(403);
    }
    kept.ask_with(&task, &[json, ("sec-fetch-site", "cross-site")]).refused(403);
    // A form of another page cannot say that it is JSON.
    kept.ask_with(&task, &[("content-type", "text/plain")]).refused(400);
    kept.ask_with(&task, &[]).refused(400);
    assert_eq!(kept.get("/remedies")["remedies"], json!([]));
    assert_eq!(kept.ask_with(&task, &[json, ("origin", "http://127.0.0.1:8470")]).status, 202);
}

#[test]
fn where_nobody_looks_after_files_it_is_said() {
    let world = World::new();
    for path in ["", "/events", "/files", "/files/job/a", "/remedies"] {
        let answer = world.get(&format!("/api/v1/vault{path}")).refused(404);
        assert!(answer.contains("this server looks after no files"), "{answer}");
    }
    let headers = [("content-type", "application/json")];
    world.send("POST", "/api/v1/vault/tasks", &headers, br#"{"task":"bring"}"#.to_vec()).refused(404);
}
