//! Watches as programs ask for them.

use std::sync::Arc;

use policy::{CurrentRules, RuleSet};
use serde_json::{Value, json};

use super::pretended::{FISH, ODD, Pretended, TIDES};
use super::world::{Answer, World};

pub(crate) const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// A server over watches that are pretended.
pub(crate) struct Watched {
    pub(crate) world: World,
    pub(crate) pretended: Arc<Pretended>,
}

impl Watched {
    pub(crate) fn new() -> Watched {
        Watched::of(Arc::new(Pretended::default()), CurrentRules::default())
    }

    pub(crate) fn with_a_past() -> Watched {
        Watched::of(Pretended::with_a_past(), CurrentRules::default())
    }

    pub(crate) fn of(pretended: Arc<Pretended>, rules: CurrentRules) -> Watched {
        let (watcher, clock) = (pretended.clone(), pretended.clone());
        let world = World::with(rules, |settings| {
            settings.watcher = Some(watcher);
            settings.now = Arc::new(move || clock.now());
        });
        Watched { world, pretended }
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.world.send(method, &format!("/api/v1{path}"), JSON, body.to_string().into_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.world.get(&format!("/api/v1{path}"))
    }

    #[track_caller]
    pub(crate) fn told(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).text()).unwrap()
    }

    #[track_caller]
    pub(crate) fn asked(&self, path: &str, body: &Value) -> Value {
        serde_json::from_str(&self.post(path, body).text()).unwrap()
    }
}

#[test]
fn a_watch_is_added_shown_changed_and_removed() {
    let watched = Watched::new();
    let wish = json!({ "url": "fish.test/prices", "title": "Fish", "rules": { "never": [".advert"] } });
    let answer = watched.post("/watches", &wish);
    let row: Value = serde_json::from_str(&answer.refused(201)).unwrap();
    assert_eq!(answer.header("location"), "/api/v1/watches/1");
    assert_eq!((&row["url"], &row["owner"]), (&json!("http://fish.test/prices"), &json!("me")));
    assert_eq!(watched.told("/watches/1"), row);

    let change = json!({ "paused": true, "rules": { "words_min": 3 } });
    let changed: Value = serde_json::from_str(&watched.send("PATCH", "/watches/1", &change).text()).unwrap();
    assert_eq!((&changed["paused"], &changed["title"]), (&json!(true), &json!("Fish")));
    assert_eq!(
        (&changed["rules"]["never"], &changed["rules"]["words_min"]),
        (&json!([".advert"]), &json!(3)),
        "only what is given changes"
    );
    assert_eq!(watched.post("/watches", &wish).refused(409), watched.post("/watches", &wish).refused(409));
    assert_eq!(watched.world.send("DELETE", "/api/v1/watches/1", &[], Vec::new()).status, 204);
    watched.get("/watches/1").refused(404);
}

#[test]
fn watches_are_found_page_by_page() {
    let watched = Watched::with_a_past();
    let titles = |query: &str| -> Vec<i64> {
        let page = watched.told(&format!("/watches?{query}"));
        page["watches"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(titles(""), [1, 2, 3, 4]);
    assert_eq!(titles("owner=ann"), [1]);
    assert_eq!(titles("owner=&find=SILTMERE"), [1]);
    assert_eq!(titles("find=tides"), [2]);
    assert_eq!(titles("behind=2&limit=1"), [3]);
    assert_eq!(watched.told("/watches?limit=3")["next"], 3);
    assert_eq!(watched.told("/watches?limit=4")["next"], Value::Null);
    assert_eq!(watched.told("/watches?limit=0")["watches"].as_array().unwrap().len(), 1);
    let row = &watched.told("/watches")["watches"][0];
    assert_eq!(row["last"]["outcome"], "unchanged");
    assert_eq!(row["recent"].as_array().unwrap().len(), 60);
}

/// The address of a webhook is a secret; whoever changes the watch needs it all the same.
#[test]
fn lists_do_not_tell_secrets() {
    let watched = Watched::new();
    let secret = "https://hooks.example.org/T0/secret";
    let wish = json!({ "url": FISH, "notify": [secret, "mailto:ann@example.org"] });
    watched.post("/watches", &wish).refused(201);
    let page = watched.get("/watches").text();
    assert!(!page.contains("secret"), "{page}");
    let page: Value = serde_json::from_str(&page).unwrap();
    assert_eq!(page["watches"][0]["notify"], json!(["https://hooks.example.org/…", "ann@example.org"]));
    assert_eq!(watched.told("/watches/1")["notify"][0], secret);
    watched.send("PATCH", "/watches/1", &json!({ "title": "Fish" })).text();
    assert_eq!(watched.told("/watches/1")["notify"][0], secret);
}

#[test]
fn a_watch_is_checked_now() {
    let watched = Watched::new();
    watched.pretended.serve(FISH, "text/html", b"<p>cod");
    watched.post("/watches", &json!({ "url": FISH })).refused(201);
    let check = watched.asked("/watches/1/check", &json!({}));
    assert_eq!((&check["outcome"], &check["version"]), (&json!("first"), &json!(1)));
    let bare = watched.world.send("POST", "/api/v1/watches/1/check", JSON, Vec::new());
    assert_eq!(bare.status, 200, "nothing need be said");
    watched.post("/watches/2/check", &json!({})).refused(404);
    watched.post("/watches/1/check", &json!({ "force": true })).refused(400);
    watched.world.post("/api/v1/watches/1/check", "{}").refused(400);
}

#[test]
fn what_rules_keep_is_shown_before_anything_is_saved() {
    let watched = Watched::new();
    watched.pretended.serve(FISH, "text/html", b"<main><p>cod<p class=advert>nets</main>");
    let preview =
        watched.asked("/watches/preview", &json!({ "url": FISH, "rules": { "never": [".advert"] } }));
    assert_eq!((&preview["kept"], &preview["left_out"]), (&json!("cod\n"), &json!(1)));
    assert_eq!(watched.told("/watches")["watches"], json!([]));
    watched.post("/watches/preview", &json!({ "url": "http://nobody.test/" })).refused(502);
}

#[test]
fn what_is_wrong_with_a_wish_has_its_place() {
    let watched = Watched::new();
    watched.post("/watches", &json!({ "url": FISH })).refused(201);
    let rules = json!({ "only": ["main", "regex:/a(/"], "triggers": [{ "appears": " " }], "share_min": 7 });
    let wish = json!({ "url": "http://b.test/", "rules": rules });
    for answer in [
        watched.post("/watches", &wish),
        watched.post("/watches/preview", &wish),
        watched.send("PATCH", "/watches/1", &json!({ "rules": rules })),
        watched.post("/monitor/difference", &json!({ "url": FISH, "rules": rules })),
    ] {
        let problem: Value = serde_json::from_str(&answer.refused(422)).unwrap();
        let errors = problem["errors"].as_array().unwrap();
        let places: Vec<&str> = errors.iter().map(|error| error["pointer"].as_str().unwrap()).collect();
        assert_eq!(places, ["/rules/only/1", "/rules/triggers/0", "/rules/share_min"], "{problem}");
        assert_eq!(errors[0]["at"], 9);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
    let pace = watched.post("/watches", &json!({ "url": "http://b.test/", "every": "sometimes" }));
    let problem: Value = serde_json::from_str(&pace.refused(422)).unwrap();
    assert_eq!(problem["errors"][0]["pointer"], "/every");
    watched.send("PATCH", "/watches/1", &json!({ "url": "http://b.test/" })).refused(422);
}

#[test]
fn bodies_are_json_of_the_right_shape_and_length() {
    let watched = Watched::new();
    let long = "a".repeat(9000);
    for (body, status) in [
        (json!({ "url": 1 }), 400),
        (json!({ "link": FISH }), 400),
        (json!([]), 400),
        (json!({ "url": "" }), 422),
        (json!({ "url": format!("http://a.test/{long}") }), 422),
        (json!({ "url": FISH, "title": long }), 422),
        (json!({ "url": FISH, "owner": long }), 422),
        (json!({ "url": FISH, "notes": long.repeat(2) }), 422),
        (json!({ "url": FISH, "tags": vec!["a"; 51] }), 422),
        (json!({ "url": FISH, "notify": [long] }), 422),
        (json!({ "url": FISH, "rules": { "only": vec!["a"; 257] } }), 422),
        (json!({ "url": FISH, "rules": { "only": [long] } }), 422),
        (json!({ "url": FISH, "rules": { "triggers": [{ "explodes": "x" }] } }), 400),
        (json!({ "url": "ftp://a.test/" }), 422),
    ] {
        watched.post("/watches", &body).refused(status);
    }
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for path in ["/watches", "/watches/preview", "/monitor/check", "/monitor/available", "/monitor/changed"] {
        watched.world.send("POST", &format!("/api/v1{path}"), &form, b"url=a".to_vec()).refused(400);
        watched.world.send("POST", &format!("/api/v1{path}"), JSON, b"{".to_vec()).refused(400);
    }
    watched.world.send("POST", "/api/v1/watches", JSON, vec![b' '; (1 << 20) + 1]).refused(413);
    assert_eq!(watched.told("/watches")["watches"], json!([]));
}

#[test]
fn what_is_not_there_is_told_as_a_problem() {
    let watched = Watched::new();
    for path in ["/watches/1", "/watches/one", "/watches/1/news", "/watches/news?person=nobody"] {
        let problem: Value = serde_json::from_str(&watched.get(path).refused(404)).unwrap();
        assert_eq!(problem["type"], "urn:varve:problem:not-found", "{path}");
    }
    watched.send("PATCH", "/watches/1", &json!({})).refused(404);
    watched.world.send("DELETE", "/api/v1/watches/1", &[], Vec::new()).refused(404);
    for path in ["/watches?limit=x", "/watches?behind=x", "/watches/news?before=x", "/monitor/versions"] {
        let problem: Value = serde_json::from_str(&watched.get(path).refused(400)).unwrap();
        assert_eq!(problem["status"], 400, "{path}");
    }
    let long = "a".repeat(301);
    watched.get(&format!("/watches?find={long}")).refused(413);
    World::new().get("/api/v1/watches").refused(404);
}

#[test]
fn pages_of_other_origins_change_nothing() {
    let watched = Watched::with_a_past();
    let evil = [("content-type", "application/json"), ("origin", "http://evil.example")];
    for (method, path) in [
        ("POST", "/watches"),
        ("PATCH", "/watches/1"),
        ("DELETE", "/watches/1"),
        ("POST", "/watches/1/check"),
    ] {
        watched.world.send(method, &format!("/api/v1{path}"), &evil, b"{}".to_vec()).refused(403);
    }
}

#[test]
fn e3_a_name_can_be_tested_for_being_taken() {
    let watched = Watched::with_a_past();
    assert_eq!(watched.told("/people/ann"), json!({ "name": "ann", "taken": true }));
    assert_eq!(watched.told("/people/bob"), json!({ "name": "bob", "taken": false }));
    watched.get(&format!("/people/{}", "a".repeat(101))).refused(413);
    watched.get("/people/%0A").refused(400);
}

#[test]
fn what_may_not_be_seen_is_not_told() {
    let rules = RuleSet::parse("test,fish)/ block").unwrap();
    let watched = Watched::of(Pretended::with_a_past(), rules.into());
    let url = super::world::encoded(FISH);
    watched.get(&format!("/monitor/document?url={url}&number=1")).refused(403);
    assert_eq!(watched.told(&format!("/monitor/versions?url={url}"))["versions"], json!([]));
    for (path, body) in [
        ("/monitor/difference", json!({ "url": FISH, "from": 1, "to": 2 })),
        ("/monitor/patch", json!({ "url": FISH, "from": 1, "to": 2 })),
        ("/monitor/version", json!({ "url": FISH, "number": 1 })),
        ("/monitor/changes", json!({ "url": FISH, "person": "ann" })),
        ("/watches/preview", json!({ "url": FISH })),
    ] {
        watched.post(path, &body).refused(403);
    }
    let news = watched.told("/watches/1/news");
    assert_eq!((&news["news"][0]["text"], &news["news"][0]["html"]), (&json!(""), &json!("")));
    assert_ne!(watched.told("/watches/2/news")["news"][0]["text"], json!(""));
    watched.asked("/monitor/version", &json!({ "url": TIDES, "number": 1 }));
    watched.asked("/monitor/version", &json!({ "url": ODD, "number": 1 }));
}
