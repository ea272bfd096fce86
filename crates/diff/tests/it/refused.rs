//! Rules that make no sense, take too long, or meet what they were not made for.

use diff::{Document, Error, Habits, Limits, Outcome, RuleSet, Rules, Trigger, compare};

fn only(rule: &str) -> RuleSet {
    RuleSet { only: vec![rule.to_owned()], ..RuleSet::default() }
}

fn never(rule: &str) -> RuleSet {
    RuleSet { never: vec![rule.to_owned()], ..RuleSet::default() }
}

fn trigger(find: &str) -> RuleSet {
    RuleSet { triggers: vec![Trigger::Appears(find.to_owned())], ..RuleSet::default() }
}

#[test]
fn what_is_wrong_with_a_rule_of_any_kind_is_told_with_its_place() {
    for (rule, told) in [
        ("css:p:nosuch", "rule `css:p:nosuch`: there is no `:nosuch`, at character 7"),
        ("css:a >", "rule `css:a >`: "),
        ("xpath://a[", "rule `xpath://a[`: "),
        ("//a]", "rule `//a]`: "),
        ("xpath:nosuch()", "rule `xpath:nosuch()`: "),
        ("json:$.a[", "rule `json:$.a[`: "),
        ("$..", "rule `$..`: "),
        ("regex:a(b", "rule `regex:a(b`: unclosed group, at character 8"),
        ("regex:/a{2,1}/i", "rule `regex:/a{2,1}/i`: "),
        ("regex:(?=a)", "rule `regex:(?=a)`: "),
        ("regex:(a)\\1", "rule `regex:(a)\\1`: "),
        ("text: ", "rule `text: `: there is nothing in it, at character 6"),
        ("", "rule ``: there is nothing in it, at character 1"),
    ] {
        for set in [only(rule), never(rule)] {
            let error = Rules::new(&set, &Limits::default()).unwrap_err();
            assert!(error.to_string().starts_with(told), "{rule}: {error}");
            assert!(
                matches!(error, Error::Rule { at, ref why, .. } if (1..=rule.chars().count().max(1) + 1).contains(&at) && !why.is_empty()),
                "{rule}: {error}"
            );
        }
    }
    for find in ["", "/a(/", "/[/i"] {
        assert!(matches!(Rules::new(&trigger(find), &Limits::default()), Err(Error::Rule { .. })), "{find}");
    }
    let many = RuleSet { only: vec!["p".to_owned(); 300], ..RuleSet::default() };
    let error = Rules::new(&many, &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "300 rules are more than the 256 that are allowed");
}

/// Compares two texts, as text, page and JSON, with so many steps for patterns.
fn compared(set: &RuleSet, old: &str, new: &str, regex_steps_max: u64) -> Vec<Result<Outcome, Error>> {
    let limits = Limits { regex_steps_max, ..Limits::default() };
    let rules = Rules::new(set, &limits).unwrap();
    let page = |text: &str| Document::page(&format!("<p>{text}</p>"), &limits);
    let json = |text: &str| Document::Json(serde_json::json!([text]));
    let documents =
        [(Document::text(old), Document::text(new)), (page(old), page(new)), (json(old), json(new))];
    documents.iter().map(|(old, new)| compare(old, new, &rules, &Habits::default())).collect()
}

#[test]
fn patterns_that_run_away_elsewhere_take_steps_by_the_length_of_the_text() {
    let old = "a".repeat(20_000);
    let new = format!("{old}!");
    for pattern in ["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){12}$", "(?:a?){50}a{50}$"] {
        for set in [
            only(&format!("regex:{pattern}")),
            never(&format!("regex:{pattern}")),
            trigger(&format!("/{pattern}/")),
        ] {
            // A few looks at each byte; to find groups each byte is looked at by each state.
            for outcome in compared(&set, &old, &new, 8_000_000) {
                outcome.unwrap_or_else(|error| panic!("{pattern}: {error}"));
            }
        }
    }
}

#[test]
fn huge_repetitions_are_refused() {
    for pattern in ["(a{1000}){1000}", "(?:(?:a{500}){500}){500}", r"\w{5000}", "((a{100}){100}){100}"] {
        for set in [
            only(&format!("regex:{pattern}")),
            never(&format!("regex:/{pattern}/i")),
            trigger(&format!("/{pattern}/")),
        ] {
            match Rules::new(&set, &Limits::default()) {
                Err(Error::Rule { why, .. }) => {
                    assert_eq!(why, "the pattern takes too much memory", "{pattern}")
                }
                other => panic!("{pattern}: {other:?}"),
            }
        }
    }
}

#[test]
fn large_repetitions_are_stopped_when_they_take_too_long() {
    // Each text of the last thousand letters is a state of its own.
    let mut random = 1_u64;
    let text: String = (0..10_000)
        .map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if random >> 40 & 1 == 0 { 'a' } else { 'b' }
        })
        .collect();
    let pattern = "[ab]*a[ab]{1000}c";
    for set in [
        only(&format!("regex:{pattern}")),
        never(&format!("regex:{pattern}")),
        trigger(&format!("/{pattern}/")),
    ] {
        let outcomes = compared(&set, &text, &text, 5_000_000);
        let [text, page, json] = &outcomes[..] else { panic!() };
        for outcome in [text, page] {
            assert!(matches!(outcome, Err(Error::TooSlow { rule }) if rule.contains(pattern)), "{outcome:?}");
        }
        // Rules for lines do not concern JSON, but triggers do.
        assert_eq!(json.is_err(), !set.triggers.is_empty());
    }
}

#[test]
fn patterns_within_xpath_are_bounded_as_well() {
    let limits = Limits { regex_steps_max: 1_000_000, ..Limits::default() };
    let page = Document::page(&"<p>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</p>".repeat(2000), &limits);
    let text =
        |expression: &str| Rules::new(&only(&format!("xpath:{expression}")), &limits).unwrap().text(&page);
    assert_eq!(text("count(//p[matches(., '(a+)+$')])").unwrap(), "2000\n");
    assert_eq!(text("replace(string(//p[1]), '(a)(a)', '$2-')").unwrap(), format!("{}\n", "a-".repeat(16)));
    assert_eq!(text("count(tokenize(string(//p[1]), 'a'))").unwrap(), "33\n");
    // Each is another pattern, and large.
    let many = "count(for $n in 1 to 2000 return matches('a', concat('a{500}b', string($n))))";
    assert!(matches!(text(many), Err(Error::TooSlow { .. })));
}

#[test]
fn binary_declared_as_text_is_compared_within_bounds() {
    let limits = Limits::default();
    let bytes = |seed: u64| -> Vec<u8> {
        let mut random = seed;
        (0..1_000)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 56) as u8
            })
            .collect()
    };
    let (old, new) = (bytes(1), bytes(2));
    let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(&new));
    for media_type in
        ["text/plain", "text/html; charset=utf-8", "application/json", "text/xml", "image/svg+xml"]
    {
        let document = |text: &str| Document::of_type(media_type, text, &limits).unwrap();
        let (old, new) = (document(&old), document(&new));
        for set in [
            RuleSet::default(),
            only("regex:[a-z]{3}"),
            never("css:p"),
            never("xpath://*[contains(., 'a')]"),
            trigger("cod"),
        ] {
            let rules = Rules::new(&set, &limits).unwrap();
            let outcome = compare(&old, &new, &rules, &Habits::default()).unwrap();
            assert!(outcome.html(5000).len() <= 5000 && outcome.text(5000).len() <= 5000);
            assert!(!outcome.summary().contains(char::is_control));
            let same = compare(&old, &old, &rules, &Habits::default()).unwrap();
            assert!(!same.is_meaningful(), "{media_type}");
        }
    }
}

#[test]
fn rules_tell_what_they_have() {
    let none = RuleSet::default();
    assert!(!none.has_thresholds() && !none.has_triggers());
    assert!(RuleSet { words_min: 3, ..RuleSet::default() }.has_thresholds());
    assert!(RuleSet { share_min: 0.1, ..RuleSet::default() }.has_thresholds());
    // A change has a word at least.
    assert!(!RuleSet { words_min: 1, ..RuleSet::default() }.has_thresholds());
    assert!(trigger("cod").has_triggers());
}
