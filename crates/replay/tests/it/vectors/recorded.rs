//! `pywb-http-recorded.jsonl`: what pywb answered, asked again of us.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{compare, sample, settle};

const COLLECTIONS: [&str; 10] = [
    "pywb",
    "pywb-cdxj",
    "pywb-acl-dir",
    "pywb-wildcard-surt",
    "pywb-acl-before",
    "pywb-acl-after",
    "pywb-acl-older",
    "pywb-embargo-after",
    "pywb-embargo-newer",
    "pywb-embargo-acl",
];

#[test]
fn b16_answers_that_pywb_gave() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let world = sample::load(&vectors, &COLLECTIONS);
    let mut servers = BTreeMap::new();
    let mut differing = BTreeMap::new();
    let mut asked = 0;
    let exchanges = testkit::vectors::jsonl(vectors.join("10-wacz-memento-oai/pywb-http-recorded.jsonl"));
    for (number, exchange) in exchanges.iter().enumerate() {
        let text = |name: &str| exchange["input"][name].as_str().unwrap_or_default().to_owned();
        let (context, path) = (text("context"), text("path"));
        let collection = path.split('/').nth(1).unwrap_or_default().to_owned();
        if is_of_the_index(&path) {
            continue;
        }
        let server = servers
            .entry((context.clone(), collection.clone()))
            .or_insert_with(|| sample::server(&vectors, &world, &context, &collection));
        asked += 1;
        if let Err(what) = compare::agrees(server, exchange) {
            differing.insert(format!("pywb-{number}"), format!("({path}) {what}"));
        }
    }
    assert!(asked > 100);
    settle("pywb-", asked, &differing);
}

/// Questions to the CDX server, which `api` answers.
fn is_of_the_index(path: &str) -> bool {
    path.contains("/cdx?") || path.contains("/index?")
}

/// The headers that an exchange records.
pub(super) fn expected_headers(exchange: &Value) -> BTreeMap<String, String> {
    let headers = exchange["expect"]["headers"].as_array().cloned().unwrap_or_default();
    let pair = |pair: &Value| Some((pair[0].as_str()?.to_ascii_lowercase(), pair[1].as_str()?.to_owned()));
    headers.iter().filter_map(pair).collect()
}
