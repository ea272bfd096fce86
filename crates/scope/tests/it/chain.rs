//! The chain of rules: who has the last word, what each says, and that `decide` and `explain` agree.

use scope::{Candidate, Patterns, Plan, RuleName, Scope, Word};

use super::{is_in, plan, scope, url};

#[track_caller]
fn check(scope: &Scope, text: &str, hops: &str, is_in: bool, rule: RuleName) {
    let (url, via) = (url(text), url("http://via.example/"));
    let candidate = Candidate::link(&url, &via, hops);
    let verdict = scope.decide(&candidate);
    assert_eq!((verdict.is_in, verdict.rule), (is_in, rule), "{text} {hops}: {}", scope.why(&candidate));
    let steps = scope.explain(&candidate);
    assert_eq!(steps.len(), RuleName::ALL.len());
    let last = steps.iter().rev().find(|step| step.word != Word::Passes).unwrap();
    assert_eq!((last.rule, last.word == Word::Accepts), (rule, is_in));
    assert!(steps.iter().all(|step| !step.why.is_empty()), "{steps:#?}");
}

#[test]
fn every_rule_has_its_say() {
    let plan = Plan {
        depth: Some(3),
        traps: Patterns::new("traps", [r".*\?buy=\d+"]).unwrap(),
        include: Patterns::new("include", [r"http://in\.example/.*"]).unwrap(),
        exclude: Patterns::new("exclude", [r".*/login.*"]).unwrap(),
        not_extensions: vec![".iso".to_owned(), "video/*".to_owned()],
        domains: vec![".also.example".to_owned()],
        not_domains: vec!["no.also.example".to_owned()],
        ..plan(
            "host",
            "http://example.org/\n-http://(org,example,)/private\n+http://(org,example,)/private/open/",
        )
        .in_year(2026)
    };
    let scope = Scope::new(&plan).unwrap();
    for (text, hops, is_in, rule) in [
        ("http://other.org/", "L", false, RuleName::Default),
        ("https://example.org/a", "L", true, RuleName::Preset),
        ("http://in.example/", "L", true, RuleName::Include),
        ("http://a.also.example/", "L", true, RuleName::Include),
        ("http://x.no.also.example/", "L", false, RuleName::Exclude),
        ("http://example.org/a", "LLLL", false, RuleName::Depth),
        ("http://example.org/a", "LLLE", true, RuleName::Transclusion),
        ("http://cdn.net/a.css", "LE", true, RuleName::Transclusion),
        ("http://cdn.net/a.css", "LEEEEE", false, RuleName::Default),
        ("http://cdn.net/a.js", "LX", true, RuleName::Transclusion),
        ("http://www.w3.org/2000/svg", "LX", false, RuleName::Default),
        ("http://cdn.net/a.js", "LXX", false, RuleName::Default),
        ("http://other.org/", "LR", false, RuleName::Default),
        ("http://example.org/a/b/a/b/a/b/", "L", false, RuleName::Repeats),
        ("http://example.org/2099/01/", "L", false, RuleName::Calendar),
        ("http://example.org/a", "LRRRRRRRRRRR", false, RuleName::Redirects),
        ("http://example.org/a.iso", "L", false, RuleName::Extension),
        ("http://example.org/a.MP4", "LE", false, RuleName::Extension),
        ("http://example.org/", "LLLLL", true, RuleName::Seed),
        ("http://example.org/private/a", "L", false, RuleName::Exclude),
        ("http://example.org/private/open/a", "L", true, RuleName::Include),
        ("http://example.org/login?x", "L", false, RuleName::Exclude),
        ("http://example.org/?buy=12", "L", false, RuleName::Trap),
        ("http://cdn.net/x.js?buy=12", "E", false, RuleName::Trap),
        ("http://cdn.net/robots.txt", "EP", true, RuleName::Prerequisite),
        ("ftp://example.org/", "", false, RuleName::Scheme),
    ] {
        check(&scope, text, hops, is_in, rule);
    }
}

#[test]
fn long_urls_paths_and_queries_are_out_unless_they_are_seeds() {
    let deep = format!("http://example.org/{}", (0..30).map(|part| format!("f{part}/")).collect::<String>());
    let long = format!("http://example.org/{}", "x".repeat(5000));
    let wide =
        format!("http://example.org/?{}", (0..60).map(|part| format!("f{part}=1&")).collect::<String>());
    let scope = scope("host", "http://example.org/");
    check(&scope, &deep, "L", false, RuleName::PathDepth);
    check(&scope, &long, "L", false, RuleName::UrlLength);
    check(&scope, &wide, "L", false, RuleName::QueryFields);
    for text in [deep, long, wide] {
        check(&super::scope("host", &text), &text, "", true, RuleName::Seed);
    }
}

#[test]
fn only_some_kinds_of_files_may_be_wanted() {
    let plan = Plan { extensions: vec!["application/pdf".to_owned()], ..plan("host", "http://example.org/") };
    let scope = Scope::new(&plan).unwrap();
    for (text, expect) in [
        ("a.pdf", true),
        ("a.html", true),
        ("a", true),
        ("a.unknown", true),
        ("a.zip", false),
        ("a.png", false),
    ] {
        assert_eq!(is_in(&scope, &format!("http://example.org/{text}"), "L"), expect, "{text}");
    }
}

#[test]
fn why_is_one_sentence() {
    let scope = scope("host", "http://example.org/");
    let candidate = url("http://example.org/a");
    let candidate = Candidate { url: &candidate, via: None, hops: "L", root: None };
    assert_eq!(scope.why(&candidate), "preset accepts: `host`: it lies under `http://(org,example,)`");
}

#[test]
fn case_of_the_path_and_the_scheme_do_not_part_prefixes() {
    let scope = scope("prefix", "http://example.org/News/");
    assert!(is_in(&scope, "https://EXAMPLE.org/news/a", "L"));
    assert!(!is_in(&scope, "http://example.org:8080/news/a", "L"));
}

#[test]
fn letters_of_hops_are_those_of_extract() {
    use extract::Hop;
    for (hop, distance, embeds) in [
        (Hop::Navigation, 1, 0),
        (Hop::Embed, 0, 1),
        (Hop::Redirect, 0, 0),
        (Hop::Speculative, 1, 0),
        (Hop::Manifest, 1, 0),
    ] {
        let trail = scope::Trail::new(&hop.letter().to_string());
        assert_eq!((trail.distance, trail.embeds), (distance, embeds), "{}", hop.name());
    }
}
