//! Which rule decides, and how rules are read and written. (B17)

use jiff::Timestamp;
use policy::{Decision, Request, RuleSet, decide};

const NOW: &str = "2026-11-16T08:00:00Z";

/// One question, in words: a key, then `at 2019`, `from 192.0.2.1`, `by anna` in any order.
#[track_caller]
fn check(rules: &RuleSet, question: &str, expect: Decision) {
    let words: Vec<&str> = question.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name).map(|at| words[at + 1]);
    let request = Request {
        key: words[0],
        captured: after("at").map(|digits| urlkey::time::parse_14(digits).unwrap()),
        now: NOW.parse().unwrap(),
        client: after("from").map(|address| address.parse().unwrap()),
        user: after("by"),
    };
    assert_eq!(decide(rules, &request), expect, "{request:?}");
}

const RULES: &str = "
    # The house.
    on-site 192.0.2.0/24 2001:db8::/32
    staff anna ben
    *                     allow
    org,example,          on-site
    org,example)/press    allow
    https://www.example.org/press/secret.html   block
    com,news)/            embargo 365d
    com,news)/members     staff
    com,news)/members     allow for carl
    com,old,              exclude from 2015 before 2020
    net,gone,             exclude
";

#[test]
fn b17_the_longest_prefix_decides() {
    let rules = RuleSet::parse(RULES).unwrap();
    check(&rules, "org,other)/", Decision::Allow);
    check(&rules, "org,example)/", Decision::OnSite);
    check(&rules, "org,example,shop)/a", Decision::OnSite);
    check(&rules, "org,example:8080)/a", Decision::OnSite);
    check(&rules, "org,examples)/", Decision::Allow);
    check(&rules, "org,example)/press/1", Decision::Allow);
    check(&rules, "org,example)/press/secret.html", Decision::Blocked);
    check(&rules, "org,example)/press/secret.html2", Decision::Allow);
    check(&rules, "net,gone)/", Decision::Excluded);
}

#[test]
fn b17_networks_users_and_times_count() {
    let rules = RuleSet::parse(RULES).unwrap();
    check(&rules, "org,example)/ from 192.0.2.77", Decision::Allow);
    check(&rules, "org,example)/ from 2001:db8::1", Decision::Allow);
    check(&rules, "org,example)/ from 198.51.100.7", Decision::OnSite);
    check(&rules, "org,example)/ from 127.0.0.1", Decision::OnSite);
    check(&rules, "org,example)/ from 198.51.100.7 by anna", Decision::Allow);
    check(&rules, "com,news)/members/1", Decision::Staff);
    check(&rules, "com,news)/members/1 by ben", Decision::Allow);
    check(&rules, "com,news)/members/1 by carl", Decision::Allow);
    check(&rules, "com,news)/members/1 by dora", Decision::Staff);
    check(&rules, "com,old)/ at 20141231", Decision::Allow);
    check(&rules, "com,old)/ at 20150101", Decision::Excluded);
    check(&rules, "com,old)/ at 2020", Decision::Allow);
    check(&rules, "com,old)/", Decision::Allow);
    let until: Timestamp = "2027-11-15T00:00:00Z".parse().unwrap();
    check(&rules, "com,news)/a at 20261115", Decision::Embargo { until });
    check(&rules, "com,news)/a at 20261115 by anna", Decision::Allow);
    check(&rules, "com,news)/a at 20251115", Decision::Allow);
    // Nobody outside sees what is blocked, and staff do not, either.
    check(&rules, "org,example)/press/secret.html by anna", Decision::Blocked);
}

#[test]
fn without_networks_only_this_machine_is_on_site() {
    let rules = RuleSet::parse("* on-site").unwrap();
    check(&rules, "org,example)/ from 127.0.0.1", Decision::Allow);
    check(&rules, "org,example)/ from ::ffff:127.0.0.1", Decision::Allow);
    check(&rules, "org,example)/ from 192.0.2.1", Decision::OnSite);
    check(&rules, "org,example)/", Decision::OnSite);
}

#[test]
fn a_malformed_line_is_an_error_with_its_number() {
    for (text, what) in [
        ("* allow\norg,example) hide", "line 2: `hide` is none of"),
        ("org,example)", "without a word on who may see it"),
        ("example.org allow", "is no part of the web"),
        ("on-site 192.0.2.7/24", "is no network"),
        ("* embargo", "without its length"),
        ("* embargo 1x", "is no length of time"),
        ("* allow from", "`from` without a value"),
        ("* allow from last", "is no time"),
        ("* allow until 2020", "`until` is none of"),
    ] {
        let error = RuleSet::parse(text).unwrap_err().to_string();
        assert!(error.contains(what), "{text:?}: {error}");
    }
}

#[test]
fn rules_are_written_as_they_are_read() {
    let rules = RuleSet::parse(RULES).unwrap();
    let lines = rules.to_lines();
    assert_eq!(RuleSet::parse(&lines).unwrap().to_lines(), lines);
    assert_eq!(rules.len(), lines.lines().count());
    assert!(lines.contains("\norg,example)/press allow\n"), "{lines}");
    assert!(lines.contains("=org,example)/press/secret.html block\n"), "{lines}");
}

#[test]
fn pywb_lists_are_understood() {
    let list = "com,example, - {\"access\": \"exclude\"}\n\
                com,example)/abc/page.html - {\"access\": \"allow\"}\n\
                com,example)/abc - {\"access\": \"block\"}\n\
                com,example)/abc - {\"access\": \"allow\", \"user\": \"staff\"}\n\
                org,iana)/### - {\"access\": \"allow\"}\n\
                org,iana)/ - {\"access\": \"exclude\", \"before\": \"20140127\"}\n\
                net, - {\"access\": \"block\", \"newer\": {\"years\": 1}}\n";
    let rules = RuleSet::parse_pywb(list).unwrap();
    check(&rules, "com,example)/", Decision::Excluded);
    check(&rules, "com,example)/abc", Decision::Blocked);
    check(&rules, "com,example)/abc by staff", Decision::Allow);
    check(&rules, "com,example)/abc/page.html", Decision::Allow);
    check(&rules, "org,iana)/ at 20140101", Decision::Allow);
    check(&rules, "org,iana)/a at 20140101", Decision::Excluded);
    check(&rules, "org,iana)/a at 20140128", Decision::Allow);
    check(&rules, "net,x)/ at 2026", Decision::Blocked);
    check(&rules, "net,x)/ at 2024", Decision::Allow);
    for bad in ["com,example)/ {}", "com,example)/ - {\"access\": \"maybe\"}", "com,example)/ - {", "x"] {
        assert!(RuleSet::parse_pywb(bad).is_err(), "{bad}");
    }
}

/// Digits that are missing are the last that they can be.
#[test]
fn pywb_times_stand_for_their_last_second() {
    let rules = |condition: &str| {
        RuleSet::parse_pywb(&format!("org,iana)/ - {{\"access\": \"block\", {condition}}}\n")).unwrap()
    };
    let after = rules("\"after\": \"20140126\"");
    check(&after, "org,iana)/ at 20140126200624", Decision::Allow);
    check(&after, "org,iana)/ at 20140126235959", Decision::Allow);
    check(&after, "org,iana)/ at 20140127000000", Decision::Blocked);
    let after = rules("\"after\": \"2014012700\"");
    check(&after, "org,iana)/ at 20140127005959", Decision::Allow);
    check(&after, "org,iana)/ at 20140127010000", Decision::Blocked);
    let before = rules("\"before\": \"2014-01-26\"");
    check(&before, "org,iana)/ at 20140126235958", Decision::Blocked);
    check(&before, "org,iana)/ at 20140126235959", Decision::Allow);
    let year = rules("\"after\": 2014");
    check(&year, "org,iana)/ at 20141231235959", Decision::Allow);
    check(&year, "org,iana)/ at 20150101000000", Decision::Blocked);
    assert!(RuleSet::parse_pywb("org,iana)/ - {\"access\": \"block\", \"after\": \"soon\"}").is_err());
}

#[test]
fn pywb_lists_of_the_world_are_read_whole() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let folder = vectors.join("01-warc-arc/pywb-sample_archive/access");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let rules = RuleSet::parse_pywb(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            rules.len(),
            text.lines().filter(|line| !line.trim().is_empty()).count(),
            "{}",
            path.display()
        );
        assert_eq!(RuleSet::parse(&rules.to_lines()).unwrap().to_lines(), rules.to_lines());
    }
}

/// A take-down list of a hundred thousand URLs costs no more to ask than a short one.
#[test]
fn long_lists_are_asked_quickly() {
    let mut text: String = (0..100_000).map(|number| format!("org,site{number})/a exclude\n")).collect();
    text.push_str("* allow\n");
    let rules = RuleSet::parse(&text).unwrap();
    for number in (0..100_000).step_by(7) {
        check(&rules, &format!("org,site{number})/a/b"), Decision::Excluded);
        check(&rules, &format!("org,site{number})/b"), Decision::Allow);
    }
}

#[test]
fn lengths_of_time_are_written_exactly() {
    for (length, word) in
        [(r#"{"hours": 12}"#, "12h"), (r#"{"days": 3}"#, "3d"), (r#"{"days": 1, "hours": 0.5}"#, "88200s")]
    {
        let line = format!(r#"org,example)/ - {{"access": "block", "newer": {length}}}"#);
        let rules = RuleSet::parse_pywb(&line).unwrap();
        assert_eq!(rules.to_lines(), format!("org,example)/ block newer {word}\n"));
        assert_eq!(RuleSet::parse(&rules.to_lines()).unwrap().to_lines(), rules.to_lines());
    }
}
