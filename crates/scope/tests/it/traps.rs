//! Crawler traps: users' lists, and what is seen as a trap without any list.

use scope::{Error, Hosts, Limits, Patterns, Plan, RuleName, Scope, Shapes};

use super::{is_in, plan, scope, url};

#[test]
fn b9_a_trap_must_match_the_whole_url() {
    let traps = Patterns::parse(
        "traps",
        "# global\n.*webbyen.*kontakt\\.asp.*\r\n\nhttp://a\\.org/x\n.*end\n(?i).*CASE.*\n",
    )
    .unwrap();
    for (text, line) in [
        ("http://www.webbyen.dk/a/kontakt.asp?b", Some(2)),
        ("http://www.webbyen.dk/kontaktxasp", None),
        ("http://a.org/x", Some(4)),
        ("http://a.org/xy", None),
        ("http://b.org/the-end", Some(5)),
        ("http://b.org/the-end/", None),
        ("http://b.org/Case/", Some(6)),
    ] {
        assert_eq!(traps.first_match(text).map(|(line, _)| line), line, "{text}");
        assert_eq!(traps.is_match(text), line.is_some(), "{text}");
    }
}

/// Patterns are changed before they are compiled, so that they are quicker; what they match must stay.
#[test]
fn every_spelling_of_a_pattern_matches_what_it_says() {
    let texts = [
        "http://x.org/",
        "http://x.org/a",
        "http://x.org/ab",
        "http://x.org/a.b",
        "http://x.org/a|b",
        "http://x.org/a.....",
        "b",
    ];
    for pattern in [
        ".*",
        ".*a.*",
        ".*a",
        "http.*a",
        r".*\.*",
        r".*/a\.*",
        ".*a|b",
        "(.*a|b)",
        ".*[|(]b.*",
        ".*?b.*",
        ".*{1}b",
        r".*\|.*",
        "(?x) .* a .* # b",
        r".*\\.*",
        ".*[ab].*",
        "a|.*b.*",
        r".*\p{L}",
        ".*(a|b)",
    ] {
        let ours = Patterns::new("traps", [pattern]).unwrap();
        let theirs = regex::Regex::new(&format!("^(?:{pattern}\n)$")).unwrap();
        for text in texts {
            // A line feed at the end of both lets a comment end.
            let expect = if pattern.contains("(?x)") {
                theirs.is_match(text)
            } else {
                regex::Regex::new(&format!("^(?:{pattern})$")).unwrap().is_match(text)
            };
            assert_eq!(ours.is_match(text), expect, "{pattern} {text}");
        }
    }
}

#[test]
fn a_bad_trap_is_named_by_its_line() {
    let error = Patterns::parse("traps", ".*ok.*\n\n.*(?!no).*\n").unwrap_err();
    let expect = "line 3 of the traps: `.*(?!no).*` is no regular expression: look-around, including look-ahead and \
                  look-behind, is not supported; repeating folders are noticed without a pattern";
    assert_eq!(error.to_string(), expect);
    let error = Patterns::parse("traps", "(a{1000}){1000}").unwrap_err();
    assert!(error.to_string().contains("line 1 of the traps: `(a{1000}){1000}` takes more than"), "{error}");
    let limits = Limits { patterns_max: 1, pattern_bytes_max: 5, ..Limits::default() };
    assert!(matches!(Patterns::parse_within("traps", "a\nb", &limits), Err(Error::TooMany { .. })));
    assert!(matches!(
        Patterns::parse_within("traps", "aaaaaa", &limits),
        Err(Error::Pattern { line: 1, .. })
    ));
    let limits = Limits { patterns_compiled_bytes_max: 100_000, ..Limits::default() };
    let many: String = (0..1000).map(|number| format!(".*[a-z]{{50}}{number}.*\n")).collect();
    assert!(matches!(Patterns::parse_within("traps", &many, &limits), Err(Error::TooMany { .. })));
}

#[test]
fn paths_that_go_round_are_traps_and_ordinary_ones_are_not() {
    let scope = scope("host", "http://example.org/");
    for (path, expect) in [
        ("fonts/fonts/fonts/a", false),
        ("a/b/a/b/a/b/c", false),
        ("a/x/a/y/a/z/a/q", false),
        ("a/a/b", true),
        ("a/b/a/b/c", true),
        ("2011/11/11/11/", true),
        ("tiles/1/1/1/1.png", true),
        ("a//b//c", true),
        ("a//////b", false),
        ("?x=1&x=1&x=1&x=1", false),
        ("?x=1&x=2&x=3&x=4&x=5", true),
        ("a/b/c/d/e/f/g/h/i/j/k", true),
    ] {
        assert_eq!(is_in(&scope, &format!("http://example.org/{path}"), "L"), expect, "{path}");
    }
}

#[test]
fn a_calendar_ends_ten_years_on_and_old_newspapers_stay() {
    let scope = Scope::new(&plan("host", "http://example.org/").in_year(2026)).unwrap();
    for (path, expect) in [
        ("calendar/2026/12/", true),
        ("calendar/2036/12/31", true),
        ("calendar/2037/1/", false),
        ("calendar/2037-01-15", false),
        ("cal?year=2040&month=1", false),
        ("cal?month=2040-01", false),
        ("cal?date=20400101", false),
        ("cal?date=2040%2F01%2F05", false),
        ("events?y=99999", false),
        ("newspaper/1851/03/12/", true),
        ("x/1400/01/", false),
        ("article/2040", true),
        ("article/20400", true),
        ("news?id=2040", true),
        ("2099-numbers", true),
        ("img/3000/2000/a.jpg", true),
        ("img/3000/12/a.jpg", false),
    ] {
        assert_eq!(is_in(&scope, &format!("http://example.org/{path}"), "L"), expect, "{path}");
    }
}

#[test]
fn a_calendar_without_end_is_noticed_and_articles_without_end_are_not() {
    let shapes = Shapes::default();
    let months = (1..=12).flat_map(|month| (1600..2026).map(move |year| (year, month)));
    let days = months.flat_map(|(year, month)| {
        (1..=2).map(move |day| format!("http://e.org/calendar/{year}/{month}/{day}"))
    });
    let told = days.filter(|text| shapes.note(&url(text)).is_some()).count();
    assert!((4000..6500).contains(&told), "{told}");
    for number in 0..21_000 {
        for text in [
            format!("http://e.org/article/{number}"),
            format!("http://e.org/viewtopic.php?f={}&t={number}", number % 9),
        ] {
            assert_eq!(shapes.note(&url(&text)), None, "{text}");
        }
    }
    let report = shapes.report();
    assert_eq!(report.len(), 1);
    assert_eq!(report[0].shape, "e.org/calendar/0/0/0");
    assert!((9000..11_500).contains(&report[0].about), "{}", report[0].about);
}

#[test]
fn the_same_links_on_every_page_count_once() {
    let shapes = Shapes::default();
    for _ in 0..2000 {
        for day in 1..=28 {
            assert_eq!(shapes.note(&url(&format!("http://e.org/calendar/2026/11/{day}"))), None);
        }
    }
}

#[test]
fn filters_upon_filters_next_pages_and_session_ids_are_noticed() {
    let shapes = Shapes::default();
    let told = |texts: &mut dyn Iterator<Item = String>| {
        texts.filter(|text| shapes.note(&url(text)).is_some()).count()
    };
    let sets = told(&mut (0..4096_u32).map(|set| {
        let fields: Vec<String> =
            (0..12).filter(|field| set >> field & 1 == 1).map(|field| format!("f{field}=1")).collect();
        format!("http://shop.example/list?{}", fields.join("&"))
    }));
    assert!((3000..4000).contains(&sets), "{sets}");
    let values = told(&mut (0..40_000).map(|number| {
        format!("http://a.example/list?a={}&b={}&c={}&d=1", number % 40, number / 40 % 40, number / 1600)
    }));
    assert!((15_000..25_000).contains(&values), "{values}");
    let pages = told(&mut (0..20_000).map(|number| format!("http://b.example/list?page={number}")));
    assert!((8000..12_000).contains(&pages), "{pages}");
    let sessions = told(&mut (0..20).map(|number| format!("http://c.example/a?PHPSESSID={number:032x}")));
    assert!((13..=16).contains(&sessions), "{sessions}");
    assert_eq!(shapes.report().len(), 4);
}

#[test]
fn counters_do_not_grow_with_what_they_are_told() {
    let (shapes, hosts) = (Shapes::default(), Hosts::default());
    for number in 0..40_000 {
        shapes.note(&url(&format!("http://h{number}.example/list?page={number}")));
        hosts.note(&format!("www.d{number}.example"));
    }
    assert!(shapes.report().is_empty() && hosts.report().is_empty());
    let bytes = format!("{shapes:?}").len();
    assert!(bytes < 16 << 20, "{bytes}");
}

#[test]
fn a_plan_may_say_other_numbers() {
    let plan = Plan { repeats: 5, path_depth: 3, ..plan("host", "http://example.org/") };
    let scope = Scope::new(&plan).unwrap();
    let found = url("http://example.org/a/a/a/");
    let candidate = scope::Candidate { url: &found, via: None, hops: "L", root: None };
    assert_eq!(scope.decide(&candidate).rule, RuleName::PathDepth);
    assert!(is_in(&scope, "http://example.org/a/a/a", "L"));
}
