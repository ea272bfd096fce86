//! Zeno's cases: paths that loop, hops, domains of a crawl.

use scope::{Candidate, Patterns, Plan, Preset, RuleName, Scope};
use serde_json::Value;
use testkit::vectors;

use super::url;

/// What we see differently, and why. Each must still differ.
const DIFFERENCES: [(&str, &str); 1] =
    [("\"example\"", "a host without a dot is one: intranets and test servers have them")];

#[test]
fn zeno_cases_hold() {
    let Some(folder) = vectors::dir() else { return };
    let mut tried = 0;
    for case in vectors::jsonl(folder.join("05-links-rewrite").join("zeno-extractors.jsonl")) {
        let (input, expect) = (&case["input"], &case["expect"]);
        let (found, wanted) = match case["op"].as_str().unwrap() {
            "TestHasPathLoop" => (Value::from(has_loop(input)), expect["want"].clone()),
            "TestNormalizeURL" if case["name"].as_str().is_some_and(|name| name.contains("path loop")) => {
                let found = url(input["rawURL"].as_str().unwrap());
                (Value::from(rejects(&found, RuleName::Repeats)), expect["wantErr"].clone())
            }
            "TestPathToHop" => {
                (Value::from(scope::distance(input["path"].as_str().unwrap())), expect["expected"].clone())
            }
            "TestIsNaiveDomain" => (Value::from(is_domain(&input["input"])), expect["expected"].clone()),
            "TestIsSubdomain" => (Value::from(is_under(input)), expect["expected"].clone()),
            "TestMatch" => (Value::from(matches(input)), expect["expected"].clone()),
            _ => continue,
        };
        tried += 1;
        let listed = DIFFERENCES.iter().any(|(text, _)| input.to_string().contains(text));
        assert_eq!(found == wanted, !listed, "{case}: we say {found}");
    }
    assert!(tried >= 20, "{tried}");
}

fn rejects(url: &url::Url, rule: RuleName) -> bool {
    let scope = Scope::new(&Plan { preset: "multi".parse().unwrap(), ..Plan::default() }).unwrap();
    let verdict = scope.decide(&Candidate { url, via: None, hops: "L", root: None });
    !verdict.is_in && verdict.rule == rule
}

fn has_loop(input: &Value) -> bool {
    let text = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
    rejects(&url(&format!("http://example.com{}{}", text("path"), text("search"))), RuleName::Repeats)
}

fn is_domain(input: &Value) -> bool {
    format!("multi:{}", input.as_str().unwrap()).parse::<Preset>().is_ok()
}

fn is_under(input: &Value) -> bool {
    let plan = Plan { domains: vec![input["domain"].as_str().unwrap().to_owned()], ..Plan::default() };
    let found = url(&format!("http://{}/", input["host"].as_str().unwrap()));
    Scope::new(&plan).unwrap().decide(&Candidate { url: &found, via: None, hops: "L", root: None }).is_in
}

/// An element is a domain or a pattern.
fn matches(input: &Value) -> bool {
    let elements = input["elements"].as_array().unwrap().iter().map(|element| element.as_str().unwrap());
    let (patterns, domains): (Vec<&str>, Vec<&str>) = elements.partition(|element| element.contains('^'));
    let plan = Plan {
        domains: domains.into_iter().map(str::to_owned).collect(),
        include: Patterns::new("include", patterns).unwrap(),
        ..Plan::default()
    };
    let found = url(input["rawURL"].as_str().unwrap());
    Scope::new(&plan).unwrap().decide(&Candidate { url: &found, via: None, hops: "L", root: None }).is_in
}
