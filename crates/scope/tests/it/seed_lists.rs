//! B10: seed lists of URLs and SURT prefixes with `+` and `-`.

use scope::{Error, Limits, Seeds};
use urlkey::Decision;

use super::{is_in, scope};

#[test]
fn b10_a_list_has_urls_prefixes_comments_and_signs() {
    let seeds = Seeds::parse(
        "\u{feff}# what we keep\n\nhttp://example.org/a#top\n+ https://example.com\nexample.net  # a host alone\n\
         +http://(org,example,docs,\n-http://(org,example,)/private/\n(dk,\r\n-http://example.org/a/b.html\n-example.org\n",
    )
    .unwrap();
    let urls: Vec<&str> = seeds.urls().iter().map(url::Url::as_str).collect();
    assert_eq!(urls, ["http://example.org/a", "https://example.com/", "http://example.net/"]);
    let prefixes: Vec<(&str, bool)> =
        seeds.prefixes().iter().map(|(prefix, said)| (prefix.as_str(), *said == Decision::Accept)).collect();
    let expect = [
        ("http://(org,example,docs,", true),
        ("http://(org,example,)/private/", false),
        ("http://(dk,", true),
        ("http://(org,example,)/a/b.html", false),
        ("http://(org,example,", false),
    ];
    assert_eq!(prefixes, expect);
    assert_eq!(seeds.len(), 8);
}

#[test]
fn b10_the_longest_prefix_decides() {
    let scope = scope(
        "host",
        "http://example.org/\n-http://(org,example,)/a/\n+http://(org,example,)/a/b/\n-http://(org,example,)/a/b/c",
    );
    for (path, expect) in
        [("", true), ("a/", false), ("a/b/", true), ("a/b/c1", false), ("A/x", false), ("ab", true)]
    {
        assert_eq!(is_in(&scope, &format!("http://example.org/{path}"), "L"), expect, "{path}");
    }
}

#[test]
fn b10_prefixes_widen_the_scope_and_names_beyond_ascii_are_the_same_in_both_spellings() {
    let scope = scope("host", "http://www.ølejr.dk\n+http://(dk,ølejr,blog,\n-http://(dk,ølejr,www,)/æ/");
    assert!(is_in(&scope, "http://www.xn--lejr-fra.dk/a", "L"));
    assert!(is_in(&scope, "https://x.blog.ølejr.dk/", "L"));
    assert!(!is_in(&scope, "http://www.ølejr.dk/æ/a", "L"));
    assert!(!is_in(&scope, "http://ølejr.dk/", "L"));
}

#[test]
fn b10_a_list_of_prefixes_alone_begins_at_their_tops() {
    let seeds = Seeds::parse(
        "http://(org,example,\nhttp://(com,example,www,:81)/a/b\nhttp://(dk,\n-http://(net,x,)/",
    )
    .unwrap();
    let starts: Vec<String> = seeds.starts().iter().map(ToString::to_string).collect();
    assert_eq!(starts, ["http://example.org/", "http://www.example.com:81/a/"]);
}

#[test]
fn an_error_names_the_line() {
    for (text, line) in [
        ("http://example.org/\n\nhttp://a b c/\n", Some(3)),
        ("http://example.org/ # a remark\n", None),
        ("a.org\nht tp://x\n", Some(2)),
        ("-http://(org,example, x", Some(1)),
        ("# fine\nhttp://[::1\n", Some(2)),
        ("example.org\n+\n", Some(2)),
        ("mailto:me@example.org", Some(1)),
        ("http://()", Some(1)),
        ("+://(org,", Some(1)),
        ("http://", Some(1)),
    ] {
        let found = match Seeds::parse(text) {
            Err(Error::Seed { line, .. }) => Some(line),
            Err(other) => panic!("{text:?}: {other}"),
            Ok(_) => None,
        };
        assert_eq!(found, line, "{text:?}");
    }
    let error = Seeds::parse("a.org\nhttp://[x\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2 of the seeds: `http://[x` is no URL: invalid IPv6 address");
}

#[test]
fn limits_are_kept() {
    let limits = Limits { seeds_max: 2, seed_bytes_max: 30, ..Limits::default() };
    assert!(Seeds::parse_within("a.org\nb.org\n", &limits).is_ok());
    assert!(matches!(Seeds::parse_within("a.org\nb.org\nc.org", &limits), Err(Error::TooMany { .. })));
    assert!(matches!(Seeds::parse_within(&"a".repeat(31), &limits), Err(Error::Seed { line: 1, .. })));
}

#[test]
fn prefixes_of_a_plan_may_be_written_as_urls_hosts_or_surts() {
    for (prefix, inside, outside) in [
        ("http://example.org/docs/", "http://example.org/docs/a", "http://example.org/other"),
        ("https://example.org/docs/index.html", "http://example.org/docs/a", "http://example.org/other"),
        ("example.org", "http://www.example.org/a", "http://example.net/"),
        ("http://(org,example,)/docs/", "http://example.org/docs/a", "http://example.org/other"),
        ("(org,example,", "http://www.example.org/a", "http://example.net/"),
        ("org,example,", "http://www.example.org/a", "http://example.net/"),
    ] {
        let mut plan = super::plan("host", "http://seed.example.com/");
        plan.prefixes = vec![(prefix.to_owned(), Decision::Accept)];
        let scope = scope::Scope::new(&plan).unwrap();
        assert!(is_in(&scope, inside, "L"), "{prefix}");
        assert!(!is_in(&scope, outside, "L"), "{prefix}");
    }
}
