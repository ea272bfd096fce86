//! Rules that change while a server runs.

use std::sync::{Arc, Mutex};

use policy::{CurrentRules, Decision, Request, RuleSet};

fn request(key: &str) -> Request<'_> {
    Request { key, captured: None, now: "2026-11-16T08:00:00Z".parse().unwrap(), client: None, user: None }
}

#[test]
fn a_changed_rule_applies_to_the_next_request() {
    let held = Arc::new(Mutex::new(Arc::new(RuleSet::default())));
    let source = Arc::clone(&held);
    let current = CurrentRules::from_fn(move || Arc::clone(&source.lock().unwrap()));
    let server = current.clone();
    assert_eq!(server.decide(&request("org,example)/")), Decision::Allow);
    let changed = RuleSet::parse("org,example, exclude").unwrap().with_revision(1);
    *held.lock().unwrap() = Arc::new(changed);
    assert_eq!(server.decide(&request("org,example)/")), Decision::Excluded);
    assert_eq!(server.get().revision(), 1);
}

#[test]
fn without_rules_everybody_may_see_everything() {
    assert_eq!(CurrentRules::default().decide(&request("org,example)/")), Decision::Allow);
}
