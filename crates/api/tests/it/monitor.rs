//! UC1–UC9, each a call. (E2, E4)

use serde_json::{Value, json};

use super::pretended::{FISH, TIDES};
use super::watches::Watched;
use super::world::encoded;

/// Three versions of a page, an hour apart, the last from 14:00 on.
fn three() -> Watched {
    let watched = Watched::new();
    for (hour, text) in ["cod", "eel", "pike"].into_iter().enumerate() {
        watched.pretended.serve(FISH, "text/plain", format!("fish\n{text}\n").as_bytes());
        let check = watched.asked("/monitor/check", &json!({ "url": FISH }));
        assert_eq!(check["version"], hour + 1);
        watched.pretended.later(1);
    }
    watched
}

#[track_caller]
fn number(watched: &Watched, body: Value) -> u64 {
    watched.asked("/monitor/version", &body)["number"].as_u64().unwrap()
}

#[test]
fn uc1_the_version_at_a_time() {
    let watched = three();
    assert_eq!(number(&watched, json!({ "url": FISH, "at": "2026-11-16T13:30:00Z" })), 2);
    assert_eq!(number(&watched, json!({ "url": FISH, "at": "20261116133000" })), 2);
    assert_eq!(number(&watched, json!({ "url": FISH, "at": "2001" })), 1, "the oldest if it is before all");
    watched.pretended.serve(FISH, "text/plain", b"shark");
    assert_eq!(number(&watched, json!({ "url": FISH, "at": "2030" })), 4, "a check comes first");
    assert_eq!(number(&watched, json!({ "url": FISH, "number": 3 })), 3);
    watched.post("/monitor/version", &json!({ "url": FISH, "number": 9 })).refused(404);
    watched.post("/monitor/version", &json!({ "url": "http://b.test/", "at": "2001" })).refused(404);
    watched.post("/monitor/version", &json!({ "url": FISH, "at": "soon" })).refused(400);
    watched.post("/monitor/version", &json!({ "url": FISH, "number": 1, "at": "2001" })).refused(400);
    watched.post("/monitor/version", &json!({ "url": FISH, "number": -1 })).refused(400);
}

#[test]
fn uc2_and_uc9_the_current_version_and_the_last_reachable_one() {
    let watched = three();
    watched.pretended.serve(FISH, "text/plain", b"shark");
    assert_eq!(number(&watched, json!({ "url": FISH })), 4);
    watched.pretended.down(FISH);
    let problem: Value =
        serde_json::from_str(&watched.post("/monitor/version", &json!({ "url": FISH })).refused(502))
            .unwrap();
    assert_eq!(problem["type"], "urn:varve:problem:not-had");
    assert_eq!(number(&watched, json!({ "url": FISH, "reachable": true })), 4);
    watched.post("/monitor/version", &json!({ "url": "http://b.test/", "reachable": true })).refused(404);
}

#[test]
fn uc3_changed_since_my_last_check() {
    let watched = three();
    let mine = json!({ "url": FISH, "person": "ann" });
    let first = watched.asked("/monitor/changed", &mine);
    assert_eq!(first["changed"], Value::Null);
    assert_eq!(first.as_object().unwrap().len(), 3, "{first}");
    assert_eq!(watched.asked("/monitor/changed", &mine)["changed"], false);
    watched.pretended.serve(FISH, "text/plain", b"shark");
    let changed = watched.asked("/monitor/changed", &mine);
    assert_eq!((&changed["changed"], &changed["before"]["number"]), (&json!(true), &json!(3)));
    assert_eq!(changed["after"]["number"], 4);
    watched.post("/monitor/changed", &json!({ "url": FISH })).refused(400);
    watched.post("/monitor/changed", &json!({ "url": FISH, "person": "" })).refused(400);
    watched.post("/monitor/changed", &json!({ "url": "http://b.test/", "person": "ann" })).refused(502);
}

#[test]
fn uc4_what_changed_since_my_last_check() {
    let watched = three();
    watched.asked("/monitor/check", &json!({ "url": FISH, "person": "ann" }));
    watched.pretended.serve(FISH, "text/plain", b"fish\nshark\n");
    let mine = |format: &str| json!({ "url": FISH, "person": "ann", "format": format });
    let unified = watched.post("/monitor/changes", &mine("unified"));
    assert!(unified.text().ends_with("\n fish\n-pike\n+shark\n"), "{}", unified.text());
    assert_eq!(unified.header("content-type"), "text/plain; charset=utf-8");
    let again = watched.asked("/monitor/changes", &mine("json"));
    assert_eq!((&again["empty"], &again["changed"]), (&json!(true), &json!(false)), "at once it is empty");
    watched.post("/monitor/changes", &mine("colourful")).refused(400);
}

#[test]
fn uc5_the_difference_between_two_times() {
    let watched = three();
    let asked = |from: Value, to: Value| {
        let row = watched.asked("/monitor/difference", &json!({ "url": FISH, "from": from, "to": to }));
        (row["before"]["number"].as_u64().unwrap(), row["after"]["number"].as_u64().unwrap())
    };
    assert_eq!(asked(json!("2026-11-16T12:10:00Z"), json!("20261116131000")), (1, 2));
    assert_eq!(asked(json!(3), json!(1)), (3, 1));
    assert_eq!(asked(json!(1), json!("current")), (1, 3));
    assert_eq!(asked(json!(1), json!("reachable")), (1, 3));
    assert_eq!(asked(Value::Null, Value::Null), (2, 3), "from the one before");
    let row = watched.asked("/monitor/difference", &json!({ "url": FISH, "from": 1, "to": 2 }));
    assert_eq!((&row["findings"][0]["old"], &row["findings"][0]["new"]), (&json!("cod"), &json!("eel")));
    assert_eq!(row["meaningful"], true);
    for from in [json!(true), json!("soon"), json!(-1), json!({})] {
        watched.post("/monitor/difference", &json!({ "url": FISH, "from": from })).refused(400);
    }
    watched.post("/monitor/difference", &json!({ "url": FISH, "watch": 9 })).refused(404);
}

#[test]
fn a_difference_is_written_in_four_ways_and_without_noise() {
    let watched = Watched::new();
    for (cod, visitors) in [("12.50 <i>", 7), ("sold out", 8)] {
        let page = format!(
            "<main><ul><li>Cod: {}</li><li>{visitors} visitors</li></ul></main>",
            cod.replace('<', "&lt;")
        );
        watched.pretended.serve(FISH, "text/html", page.as_bytes());
        watched.asked("/monitor/check", &json!({ "url": FISH }));
    }
    let asked = |format: &str, noise: bool| {
        let body = json!({ "url": FISH, "from": 1, "to": 2, "format": format, "noise": noise });
        watched.post("/monitor/difference", &body)
    };
    let unified = asked("unified", false).text();
    assert!(unified.contains("-* Cod: 12.50 <i>\n+* Cod: sold out\n * 8 visitors\n"), "{unified}");
    let unified = asked("unified", true).text();
    assert!(unified.contains("-* 7 visitors"), "{unified}");
    let html = asked("html", false);
    assert!(html.text().contains("<del>") && !html.text().contains("<i>"), "{}", html.text());
    assert_eq!(html.header("content-security-policy"), "default-src 'none'; sandbox");
    let side: Value = serde_json::from_str(&asked("side", false).text()).unwrap();
    assert_eq!(side["rows"][0]["same"], false);
    assert_eq!(side["rows"][1]["same"], true, "{side}");
    let row: Value = serde_json::from_str(&asked("json", false).text()).unwrap();
    assert_eq!(row["left_out"][0]["noise"], "counter", "{row}");
}

#[test]
fn a_difference_is_told_by_the_rules_of_a_watch_or_by_others() {
    let watched = Watched::with_a_past();
    let body = |rules: Value| json!({ "url": FISH, "from": 1, "to": 2, "watch": 1, "rules": rules });
    let kept = watched.asked("/monitor/difference", &body(Value::Null));
    assert_eq!(kept["fired"], json!(["`sold out` appeared"]));
    let tried = watched.asked("/monitor/difference", &body(json!({ "only": ["text:herring"] })));
    assert_eq!((&tried["meaningful"], &tried["fired"]), (&json!(false), &json!([])));
}

#[test]
fn e4_a_patch_makes_the_newer_version() {
    let watched = Watched::with_a_past();
    let old = watched.get(&format!("/monitor/document?url={}&number=1", encoded(TIDES)));
    let new = watched.get(&format!("/monitor/document?url={}&number=2", encoded(TIDES)));
    let patch = watched.post("/monitor/patch", &json!({ "url": TIDES, "from": 1, "to": "current" }));
    assert_eq!(patch.status, 200);
    assert_eq!(patch.header("content-disposition"), "attachment; filename=\"version-1-to-2.patch\"");
    let made = diff::patch::apply(&old.body, &patch.body, &diff::Limits::default()).unwrap();
    assert_eq!(made, new.body);
    watched.post("/monitor/patch", &json!({ "url": TIDES, "from": 1 })).refused(400);
    watched.post("/monitor/patch", &json!({ "url": TIDES, "from": 1, "to": 9 })).refused(404);
}

#[test]
fn uc6_a_check_is_forced() {
    let watched = Watched::new();
    watched.pretended.serve(FISH, "text/plain", b"cod");
    let check = watched
        .asked("/monitor/check", &json!({ "url": "fish.test/prices", "person": "ann", "force": true }));
    assert_eq!((&check["outcome"], &check["url"]), (&json!("first"), &json!(FISH)));
    assert_eq!(watched.told("/people/ann")["taken"], true);
    watched.post("/monitor/check", &json!({ "url": FISH, "force": "yes" })).refused(400);
    watched.post("/monitor/check", &json!({ "url": "" })).refused(400);
    watched.post("/monitor/check", &json!({ "url": "a".repeat(9000) })).refused(413);
    watched.post("/monitor/check", &json!({ "url": "no such thing" })).refused(422);
}

#[test]
fn uc7_is_it_reachable_now() {
    let watched = three();
    assert_eq!(watched.asked("/monitor/available", &json!({ "url": FISH }))["available"], true);
    watched.pretended.down(FISH);
    let answer = watched.asked("/monitor/available", &json!({ "url": FISH }));
    assert_eq!((&answer["available"], &answer["check"]["outcome"]), (&json!(false), &json!("unreachable")));
}

#[test]
fn uc8_the_history_of_reachability() {
    let watched = Watched::with_a_past();
    let url = encoded(FISH);
    let page = watched.told(&format!("/monitor/availability?url={url}&limit=2"));
    assert_eq!(page["checks"].as_array().unwrap().len(), 2);
    let next = page["next"].as_i64().unwrap();
    let older = watched.told(&format!("/monitor/availability?url={url}&limit=500&before={next}"));
    let checks = older["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["id"].as_i64() < Some(next)));
    assert!(checks.iter().any(|check| check["available"] == false));
    assert_eq!(older["next"], Value::Null);

    let days = watched.told(&format!("/monitor/days?url={url}&from=2027-01-14"));
    let days = days.as_array().unwrap();
    assert_eq!(days[0], json!({ "day": "2027-01-14", "checks": 4, "available": 4, "changed": 0 }));
    assert!(days.iter().any(|day| day["available"] == 0 && day["checks"] == 4));
    assert!(watched.told(&format!("/monitor/days?url={url}")).as_array().unwrap().len() > 80);
    watched.get(&format!("/monitor/days?url={url}&from=yesterday")).refused(400);
    watched.get(&format!("/monitor/days?url={url}&from=1999-01-01")).refused(400);
    watched.get("/monitor/availability?url=http://never.test/").refused(404);
}

#[test]
fn versions_are_listed_and_never_rendered_here() {
    let watched = three();
    let url = encoded(FISH);
    let page = watched.told(&format!("/monitor/versions?url={url}&limit=2"));
    let numbers: Vec<u64> =
        page["versions"].as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers, &page["next"]), (vec![3, 2], &json!(2)));
    let older = watched.told(&format!("/monitor/versions?url={url}&before=2"));
    assert_eq!(
        (&older["versions"][0]["timestamp"], &older["next"]),
        (&json!("20261116120000"), &Value::Null)
    );

    let document = watched.get(&format!("/monitor/document?url={url}&number=1"));
    assert_eq!(document.text(), "fish\ncod\n");
    assert_eq!(document.header("content-type"), "application/octet-stream");
    assert_eq!(document.header("content-disposition"), "attachment; filename=\"version-1.txt\"");
    assert_eq!(document.header("x-content-type-options"), "nosniff");
    assert_eq!(document.header("content-security-policy"), "default-src 'none'; sandbox");
    watched.get(&format!("/monitor/document?url={url}&number=9")).refused(404);
    watched.get(&format!("/monitor/document?url={url}")).refused(400);
}
