//! `outbackcdx-scenarios.jsonl` and `outbackcdx-filters.jsonl`: what the tests of OutbackCDX send, and what must come back.

use serde_json::Value;

use super::differences::tally;
use super::vectors::questions;
use super::world::{World, encoded};

#[test]
fn scenarios_of_outbackcdx_run_as_they_do_there() {
    for (name, vector) in questions("outbackcdx-scenarios.jsonl") {
        let world = World::new();
        let steps = vector["input"].as_array().unwrap().iter().zip(vector["expect"].as_array().unwrap());
        for (number, (step, expect)) in steps.enumerate() {
            let parameters: Vec<String> = step["params"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|pair| format!("{}={}", pair[0].as_str().unwrap(), encoded(pair[1].as_str().unwrap())))
                .collect();
            let path = format!("/outbackcdx{}?{}", step["path"].as_str().unwrap(), parameters.join("&"));
            let body = step["body"].as_str().unwrap_or_default().as_bytes().to_vec();
            let answer = world.send(step["method"].as_str().unwrap(), &path, &[], body);
            let text = String::from_utf8(answer.body).unwrap();
            check(&format!("{name}, step {number}: {text}"), answer.status, &text, expect);
        }
    }
}

fn check(name: &str, status: u16, text: &str, expect: &Value) {
    let expected_status = match expect["expect_status"].as_str() {
        Some("BAD_REQUEST") => 400,
        _ => 200,
    };
    assert_eq!(status, expected_status, "{name}");
    let texts = |member: &str| -> Vec<String> {
        let texts = expect[member].as_array().into_iter().flatten();
        texts.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    for wanted in texts("contains") {
        assert!(text.contains(&wanted), "no {wanted} in {name}");
    }
    for unwanted in texts("not_contains") {
        assert!(!text.contains(&unwanted), "{unwanted} in {name}");
    }
    for pair in expect["count_of"].as_array().into_iter().flatten() {
        let count = text.matches(pair[0].as_str().unwrap()).count() as u64;
        assert_eq!(count, pair[1].as_u64().unwrap(), "{name}");
    }
    for pair in expect["xpath_text"].as_array().into_iter().flatten() {
        let found = match pair[0].as_str().unwrap() {
            "//result[closest]/capturedate" => {
                let result = text.split("<result>").find(|result| result.contains("<closest>")).unwrap();
                element(result, "capturedate")
            }
            path => element(text, path.rsplit('/').next().unwrap()),
        };
        assert_eq!(Some(found), pair[1].as_str(), "{name}");
    }
}

fn element<'t>(text: &'t str, name: &str) -> &'t str {
    let (_, behind) = text.split_once(&format!("<{name}>")).unwrap();
    behind.split_once("</").unwrap().0
}

#[test]
fn filters_and_collapsing_are_those_of_outbackcdx() {
    let mut tally = tally();
    for (name, vector) in questions("outbackcdx-filters.jsonl") {
        let input = &vector["input"];
        let is_filter = vector["op"] == "cdx_filter";
        let records: Vec<Value> = match is_filter {
            true => vec![input["record"].clone()],
            false => input["records"].as_array().unwrap().clone(),
        };
        let mut lines = String::new();
        for (at, record) in records.iter().enumerate() {
            let text = |member: &str, or: String| match &record[member] {
                Value::Null => or,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            lines.push_str(&format!(
                "- {} {} text/html {} D - - 7777 {at} {}\n",
                text("timestamp", format!("2019010100000{at}")),
                text("original", "http://example.com/".to_owned()),
                text("status", "200".to_owned()),
                text("filename", "a.warc.gz".to_owned()),
            ));
        }
        let world = World::new();
        world.post("/outbackcdx/test", lines).text();
        let (parameter, value) =
            if is_filter { ("filter", &input["filter"]) } else { ("collapse", &input["collapse"]) };
        let path =
            format!("/outbackcdx/test?url=example.com/*&{parameter}={}", encoded(value.as_str().unwrap()));
        let kept = world.get(&path).text();
        // Each record has another offset, the last column but one.
        let is_kept = |at: usize| kept.lines().any(|line| line.contains(&format!(" {at} ")));
        let found = match is_filter {
            true => Value::from(is_kept(0)),
            false => (0..records.len()).map(is_kept).collect(),
        };
        tally.note(&name, &found.to_string(), &vector["expect"].to_string());
    }
    tally.settle();
}
