//! `pywb-http-recorded.jsonl`: what pywb answered to questions for its index, over the same files.
//!
//! pywb says of each row which file and collection it came from (`source`, `source-coll`) and whether it was found by a fuzzy rule; and it
//! writes `-` for what is missing. That aside, objects are compared as they are. It tells everybody whether a capture may be seen; here
//! that has to be asked for.

use std::fs;

use policy::{CurrentRules, RuleSet};
use serde_json::Value;

use super::differences::tally;
use super::vectors::{folder, load_folder};
use super::world::World;

#[test]
fn recorded_answers_of_pywb_are_given_here_too() {
    let Some(folder) = folder() else { return };
    let file = folder.parent().unwrap().join("10-wacz-memento-oai/pywb-http-recorded.jsonl");
    let samples = folder.join("pywb-sample_archive");
    let rules = fs::read_to_string(samples.join("access/pywb.aclj")).unwrap();
    let world = |rules: CurrentRules| {
        let world = World::with(rules, |_| {});
        load_folder(&world, "pywb", &samples.join("cdx"));
        world
    };
    let open = world(policy::CurrentRules::default());
    let ruled =
        world(RuleSet::parse_pywb(&format!("{rules}\n*, - {{\"access\": \"block\"}}\n")).unwrap().into());
    // What is older than a year is hidden there, but for one user.
    let old = r#"com,example)/?example=1 - {"access": "exclude", "older": {"years": 1}}"#;
    let embargoed = world(RuleSet::parse_pywb(&format!("{old}\n{rules}")).unwrap().into());
    let mut tally = tally();
    let mut count = 0;
    for (number, vector) in (1..).zip(testkit::vectors::jsonl(file)) {
        let input = &vector["input"];
        let path = input["path"].as_str().unwrap();
        let Some((collection, query)) = path.split_once("/cdx?").or_else(|| path.split_once("/index?"))
        else {
            continue;
        };
        count += 1;
        let world = match input["context"].as_str().unwrap().split("::").next().unwrap() {
            "test_acl" => &ruled,
            "test_embargo" => &embargoed,
            _ => &open,
        };
        let headers: Vec<(&str, &str)> = input["headers"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect();
        let access = if std::ptr::eq(world, &open) { "" } else { "&showAccess=true" };
        let answer = world.get_with(&format!("/cdx/pywb?{query}{access}"), &headers);
        let kind = answer.header("content-type").to_owned();
        let expect = &vector["expect"];
        let kinds = expect["headers"].as_array().unwrap();
        let expected_kind = kinds.iter().find(|pair| pair[0] == "Content-Type").unwrap();
        let found = format!("{kind}\n{}", comparable(&answer.text()));
        let expected = format!(
            "{}\n{}",
            expected_kind[1].as_str().unwrap(),
            comparable(expect["text"].as_str().unwrap())
        );
        tally.note(&format!("pywb-http-recorded.jsonl:{number} {collection}"), &found, &expected);
    }
    assert!(count > 15, "{count}");
    tally.settle();
}

/// Lines without what only pywb says, members sorted.
fn comparable(text: &str) -> String {
    let line = |line: &str| {
        let at = line.find('{').unwrap_or(line.len());
        let (front, object) = line.split_at(at);
        let mut members: Vec<(String, Value)> = match serde_json::from_str(object) {
            Ok(Value::Object(members)) => members.into_iter().collect(),
            _ => return line.to_owned(),
        };
        let is_pywbs = |name: &str| matches!(name, "source" | "source-coll" | "is_fuzzy");
        members.retain(|(name, value)| !is_pywbs(name) && value != "-");
        members.sort_by(|a, b| a.0.cmp(&b.0));
        format!("{front}{}", Value::Object(members.into_iter().collect()))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
