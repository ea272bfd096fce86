//! The policy is asked about every row. (B17)

use std::sync::Arc;

use archive::access::Rules;

use super::world::{SITE, World, times};

const RULES: &str = "\
org,example)/ block before 2015
org,example)/a exclude
org,example)/b embargo 9000d
org,example,shop)/ staff
org,example)/ allow for anna
";

fn world() -> World {
    let world = World::with(Arc::new(Rules::parse(RULES).unwrap()), |_| {});
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
    let world = world();
    for path in [
        "/cdx?url=example.org/a",
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
        assert!(!text.contains("20140101000000") && !text.contains("CCC"), "{path}: {text}");
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
