//! The access rules decide about every row. (B17)

use policy::RuleSet;

use super::world::{SITE, World, times};

const RULES: &str = "\
org,example)/ block before 2015
org,example)/a exclude
org,example)/b embargo 9000d
org,example,shop)/ staff
org,example)/ allow for anna
";

fn world() -> World {
    let world = World::with(RuleSet::parse(RULES).unwrap(), |_| {});
    world.load("web", SITE);
    world
}

#[test]
fn b17_rows_that_may_not_be_seen_are_left_out() {
    let world = world();
    assert_eq!(times(&world.get("/cdx?url=*.example.org&output=text")), ["20150601000000", "20160101000000"]);
    let anna = world.get_with("/cdx?url=example.org&output=text", &[("x-pywb-acl-user", "anna")]);
    assert_eq!(times(&anna).len(), 4);
}

#[test]
fn b17_every_way_to_ask_is_covered() {
    let (world, open) = (world(), World::of("web", SITE));
    for path in [
        "/cdx?url=example.org/a&showPagedIndex=true",
        "/cdx?url=example.org/a&showPagedIndex=true&output=json",
        "/cdx?url=example.org/a",
        "/cdx?url=example.org/a&page=0&sort=reverse",
        "/cdx?url=example.org/a&page=0&limit=-1",
        "/cdx?url=example.org/a&page=0&closest=2014",
        "/cdx?url=example.org/a&showAccess=true",
        "/cdx?url=example.org/a&closest=2014",
        "/cdx?url=example.org/a&reverse=true",
        "/cdx?url=example.org/a&limit=-1",
        "/cdx?url=example.org/a&output=link",
        "/cdx?url=example.org/a&page=0",
        "/cdx?url=example.org/a&fl=urlkey,access&output=text",
        "/cdx/web?url=example.org/a*",
        "/outbackcdx/web?url=example.org/a",
        "/outbackcdx/web?urlkey=org,example)/a",
        "/outbackcdx/web/ap/public?url=example.org/a",
        "/outbackcdx/web/captures?key=org,example)/a",
        "/outbackcdx/web?q=type:urlquery+url:example.org/a",
        "/outbackcdx/web?q=type:prefixquery+url:example.org/a",
    ] {
        let text = world.get(path).text();
        let tells =
            |text: &str| ["20140101000000", "CCC", "org,example)/a"].iter().any(|word| text.contains(word));
        assert!(!tells(&text), "{path}: {text}");
        // It is the rules that keep it quiet.
        let text = open.get(path).text();
        assert!(tells(&text), "{path}: {text}");
    }
}

#[test]
fn b17_pages_count_what_may_be_seen() {
    let count = |world: &World, url: &str, user: &str| {
        let path = format!("/cdx?url={url}&showNumPages=true&pageSize=1");
        let text = world.get_with(&path, &[("x-pywb-acl-user", user)]).text();
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["blocks"].as_u64().unwrap()
    };
    assert_eq!(count(&world(), "example.org/a", "carl"), 0);
    assert_eq!(count(&World::of("web", SITE), "example.org/a", "carl"), 1);
    // Whoever asks first must not decide what others are told.
    let line = |number: usize, host: &str| {
        format!("org,example)/{host}{number:05} 20140101000000 {{\"url\": \"http://example.org/\"}}\n")
    };
    let lines: String =
        (0..6000).map(|number| line(number, if number % 2 == 0 { "x" } else { "y" })).collect();
    let rules = "org,example)/y exclude\norg,example)/y allow for anna\n";
    let world = World::with(RuleSet::parse(rules).unwrap(), |_| {});
    world.load("web", &lines);
    for _ in 0..2 {
        assert_eq!(count(&world, "example.org/*", "anna"), 2);
        assert_eq!(count(&world, "example.org/*", "carl"), 1);
    }
    let page = |page: usize| {
        let path = format!("/cdx?url=example.org/*&fl=urlkey&output=text&pageSize=1&page={page}");
        world.get(&path).text()
    };
    assert_eq!((page(0).lines().count(), page(1).lines().count()), (3000, 0));
    assert!(!page(0).contains("/y"));
}

#[test]
fn b17_aliases_are_no_way_round_the_rules() {
    let lines = "@alias http://old.org/ http://new.org/\n- 20140101000000 http://old.org/ - 200 OLD - - 1 0 a\n- 20150101000000 http://new.org/ - 200 NEW - - 1 1 a\n";
    for (rules, expect) in
        [("", vec!["OLD", "NEW"]), ("org,old)/ exclude\n", vec!["NEW"]), ("org,new)/ exclude\n", vec![])]
    {
        let world = World::with(RuleSet::parse(rules).unwrap(), |_| {});
        world.post("/outbackcdx/x", lines).text();
        for path in ["url=new.org", "url=old.org", "url=new.org&page=0", "url=new.org&sort=reverse"] {
            let text = world.get(&format!("/cdx/x?{path}&fl=digest&output=text")).text();
            let mut found: Vec<&str> = text.lines().collect();
            found.sort_by_key(|digest| *digest == "NEW");
            assert_eq!(found, expect, "{rules} {path}");
        }
    }
}

#[test]
fn revisits_tell_nothing_of_originals_that_may_not_be_seen() {
    let lines = r#"org,hidden)/ 20140101000000 {"url": "http://hidden.org/", "mime": "text/html", "status": "200", "digest": "AAA", "length": "100", "offset": "7", "filename": "hidden.warc.gz"}
org,seen)/ 20150101000000 {"url": "http://seen.org/", "mime": "warc/revisit", "digest": "AAA", "length": "10", "offset": "100", "filename": "a.warc.gz", "orig.length": "100", "orig.offset": "7", "orig.filename": "hidden.warc.gz", "orig_url": "http://hidden.org/", "orig_date": "2014-01-01T00:00:00Z"}
"#;
    for (rules, tells) in [("", true), ("org,hidden)/ exclude\n", false)] {
        let world = World::with(RuleSet::parse(rules).unwrap(), |_| {});
        world.load("web", lines);
        for query in ["", "&resolveRevisits=true", "&resolveRevisits=true&output=json", "&showAccess=true"] {
            let text = world.get(&format!("/cdx?url=seen.org{query}")).text();
            assert!(text.contains("20150101000000"), "{query}: {text}");
            assert_eq!(text.contains("hidden"), tells, "{rules}{query}: {text}");
        }
    }
}

#[test]
fn whoever_asks_for_it_is_told_what_is_blocked() {
    let world = world();
    let answer = world.get("/cdx?url=*.example.org&fl=urlkey,timestamp,access&output=text").text();
    assert_eq!(
        answer,
        "org,example)/ 20140101000000 block\norg,example)/ 20140101000005 block\norg,example)/ 20150601000000 allow\norg,example)/ 20160101000000 allow\norg,example,shop)/ 20150101000000 block\n"
    );
    let line = world.get("/cdx?url=example.org&showAccess=true&limit=1").text();
    assert!(line.ends_with("\"access\": \"block\"}\n"), "{line}");
}

#[test]
fn limits_count_what_may_be_seen() {
    let world = world();
    assert_eq!(times(&world.get("/cdx?url=example.org&output=text&limit=1")), ["20150601000000"]);
    assert_eq!(
        times(&world.get("/cdx?url=example.org&output=text&closest=2014&limit=1")),
        ["20150601000000"]
    );
}

#[test]
fn b17_hosts_of_which_nothing_may_be_seen_are_not_named() {
    let hosts =
        |world: &World, user: &str| world.get_with("/api/v1/hosts", &[("x-pywb-acl-user", user)]).text();
    let both = r#"{"hosts":["example.org","shop.example.org"],"is_cut":false}"#;
    assert_eq!(hosts(&World::of("web", SITE), "carl"), both);
    let rules =
        "org,example,shop)/ exclude\norg,example)/ block before 2015\norg,example,shop)/ allow for anna\n";
    let world = World::with(RuleSet::parse(rules).unwrap(), |_| {});
    world.load("web", SITE);
    assert_eq!(hosts(&world, "carl"), r#"{"hosts":["example.org"],"is_cut":false}"#);
    assert_eq!(hosts(&world, "anna"), both);
}

#[test]
fn names_that_were_looked_up_do_not_hide_hosts() {
    let lines: String = (0..300)
        .map(|number| {
            format!("dns:host{number:03}.org 20140101000000 {{\"url\": \"dns:host{number:03}.org\"}}\n")
        })
        .collect();
    let world =
        World::with(policy::CurrentRules::default(), |settings| settings.limits.hosts_looked_at = 100);
    world.load("web", &format!("{lines}{SITE}"));
    let text = world.get("/api/v1/hosts").text();
    assert_eq!(text, r#"{"hosts":["example.org","shop.example.org"],"is_cut":false}"#);
}
