//! B9: sheets of settings by SURT prefix.

use std::time::Duration;

use scope::{Error, Plan, Robots, RuleName, Scope, Sheet, Sheets};

use super::{is_in, plan, url};

#[derive(serde::Deserialize)]
struct File {
    sheet: Vec<Sheet>,
}

fn sheets(text: &str) -> Result<Sheets, Error> {
    Sheets::new(&toml::from_str::<File>(text).unwrap().sheet)
}

const FILE: &str = r#"
    [[sheet]]
    name = "all of org"
    prefixes = ["http://(org,"]
    delay = 2.5
    agent = "varve"
    headers = { "Accept-Language" = "de", "X-Note" = "org" }

    [[sheet]]
    name = "example"
    prefixes = ["example.org", "http://example.com/shop/"]
    delay = 30
    max-objects = 1000
    robots = "ignore"
    headers = { "accept-language" = "en" }
    traps = ['.*/calendar/.*']
    depth = 2

    [[sheet]]
    name = "no shop"
    prefixes = ["http://(org,example,)/shop/"]
    skip = true

    [[sheet]]
    name = "later"
    prefixes = ["example.org"]
    delay = 60
"#;

#[test]
fn b9_the_longest_prefix_wins_setting_by_setting_and_the_later_sheet_wins_ties() {
    let sheets = sheets(FILE).unwrap();
    let other = sheets.for_url(&url("http://other.org/"));
    assert_eq!(other.delay, Some(Duration::from_millis(2500)));
    assert_eq!((other.max_objects, other.robots), (None, None));
    let example = sheets.for_url(&url("https://www.example.org/a"));
    assert_eq!(example.delay, Some(Duration::from_secs(60)));
    assert_eq!(example.agent.as_deref(), Some("varve"));
    assert_eq!(example.robots, Some(Robots::Ignore));
    assert_eq!(example.max_objects, Some(1000));
    assert_eq!(example.budget_prefix.as_deref(), Some("http://(org,example,"));
    let headers: Vec<(&str, &str)> =
        example.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(headers, [("X-Note", "org"), ("accept-language", "en")]);
    assert_eq!(example.sheets, ["all of org", "example", "later"]);
    assert_eq!(sheets.for_url(&url("http://example.org/shop/x")).skip, Some(true));
    assert_eq!(sheets.for_url(&url("http://example.com/shop/x")).delay, Some(Duration::from_secs(30)));
    assert!(sheets.for_url(&url("http://example.com/")).sheets.is_empty());
}

#[test]
fn b9_the_scope_knows_what_sheets_skip_how_deep_they_go_and_their_traps() {
    let plan =
        Plan { sheets: sheets(FILE).unwrap(), ..plan("domain", "http://example.org/\nhttp://other.org/") };
    let scope = Scope::new(&plan).unwrap();
    for (text, hops, expect) in [
        ("http://example.org/a", "LL", true),
        ("http://example.org/a", "LLL", false),
        ("http://other.org/a", "LLL", true),
        ("http://example.org/shop/", "L", false),
        ("http://www.example.org/shop/", "L", true),
        ("http://example.org/calendar/1", "L", false),
        ("http://other.org/calendar/1", "L", true),
    ] {
        assert_eq!(is_in(&scope, text, hops), expect, "{text} {hops}");
    }
    let shop = url("http://example.org/shop/");
    let step =
        scope.explain(&scope::Candidate::seed(&shop)).into_iter().find(|step| step.rule == RuleName::Sheet);
    assert!(step.unwrap().why.contains("no shop"));
}

#[test]
fn a_sheet_that_makes_no_sense_is_named() {
    for (text, expect) in [
        ("name = 'x'", "sheet `x`: it has no prefixes, so it holds nowhere"),
        (
            "name = 'x'\nprefixes = ['http://[']",
            "sheet `x`: its prefix `http://[` is no URL: invalid IPv6 address",
        ),
        (
            "prefixes = ['a.org']\ndelay = -1.0",
            "sheet `number 1`: a delay of -1 seconds is none; 0 to 86400 are",
        ),
        (
            "prefixes = ['a.org']\ndelay = nan",
            "sheet `number 1`: a delay of NaN seconds is none; 0 to 86400 are",
        ),
        (
            "prefixes = ['a.org']\nheaders = { 'a b' = 'c' }",
            "sheet `number 1`: the header `a b` cannot be sent",
        ),
        (
            "prefixes = ['a.org']\nheaders = { 'a' = \"c\\nd\" }",
            "sheet `number 1`: the header `a` cannot be sent",
        ),
        ("prefixes = ['a.org']\nagent = \"a\\nb\"", "sheet `number 1`: its agent has a control character"),
        (
            "name = 'x'\nprefixes = ['a.org']\ntraps = ['.*', '(']",
            "line 2 of the traps of sheet `x`: `(` is no regular expression: unclosed group",
        ),
    ] {
        let error = sheets(&format!("[[sheet]]\n{text}")).unwrap_err();
        assert_eq!(error.to_string(), expect, "{text}");
    }
}

#[test]
fn unknown_keys_of_a_sheet_are_refused() {
    let error = toml::from_str::<File>("[[sheet]]\nprefixes = ['a.org']\ndelya = 5").err().unwrap();
    assert!(error.to_string().contains("delya"), "{error}");
}
