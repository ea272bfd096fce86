//! Any bytes as what is kept of a watch in JSON: its rules, and the habits of its page.
//!
//! What can be read is written and read again as the same, and whatever it says, it is used without harm.

use diff::{Document, Finding, Habits, Limits, Rule, RuleSet, Rules, Trigger, What, compare};

/// Tries the bytes as each.
pub(crate) fn attack(bytes: &[u8]) {
    let limits =
        Limits { regex_bytes_max: 1 << 16, regex_steps_max: 1 << 20, habits_max: 10, ..Limits::default() };
    if let Ok(set) = serde_json::from_slice::<RuleSet>(bytes) {
        rules(&set, &limits);
    }
    if let Ok(kept) = serde_json::from_slice::<Habits>(bytes) {
        habits(kept, &limits);
    }
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(64) {
        if let Ok(rule) = line.parse::<Rule>() {
            assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule, "{line}");
        }
        if let Ok(trigger) = line.parse::<Trigger>() {
            assert_eq!(trigger.to_string().parse::<Trigger>().unwrap(), trigger, "{line}");
        }
    }
}

fn rules(set: &RuleSet, limits: &Limits) {
    let json = serde_json::to_string(set).unwrap();
    // A trigger that says nothing can be put together, but is no line; as a rule it is refused.
    match serde_json::from_str::<RuleSet>(&json) {
        Ok(again) => assert_eq!(set.triggers, again.triggers),
        Err(_) => assert!(Rules::new(set, limits).is_err(), "{json}"),
    }
    if let Ok(rules) = Rules::new(set, limits) {
        let (old, new) =
            (Document::page("<p>Cod: 12 left", limits), Document::page("<p>Cod: sold out", limits));
        if let Ok(outcome) = compare(&old, &new, &rules, &Habits::default()) {
            assert!(outcome.html(300).len() <= 300 && outcome.text(300).len() <= 300);
            assert!(!outcome.summary().contains(char::is_control));
        }
    }
}

fn habits(kept: Habits, limits: &Limits) {
    let json = serde_json::to_string(&kept).unwrap();
    assert_eq!(serde_json::from_str::<Habits>(&json).unwrap(), kept);
    let finding = |path: &str| Finding {
        what: What::Changed,
        path: path.to_owned(),
        attribute: None,
        region: None,
        old: "a".to_owned(),
        new: "b".to_owned(),
        noise: None,
    };
    let mut habits = kept;
    for visit in 0..12 {
        let before = habits.visits();
        let findings = [finding("body/p"), finding(&format!("body/div{visit}"))];
        let _ = habits.expects(&findings[0]);
        habits.learn(findings.iter(), limits);
        assert_eq!(habits.visits(), before.saturating_add(1));
    }
    assert!(serde_json::to_string(&habits).unwrap().len() < json.len() + 1000);
}
