//! `/cdx` in pywb's words.

use super::world::{NOW, SITE, World, times};

#[track_caller]
fn check(query: &str, expect: &[&str]) {
    let world = World::of("web", SITE);
    let found = times(&world.get(&format!("/cdx?{query}&output=text")));
    assert_eq!(found, expect, "{query}");
}

const ALL: [&str; 4] = ["20140101000000", "20140101000005", "20150601000000", "20160101000000"];

#[test]
fn one_url_has_its_captures_in_the_order_of_time() {
    check("url=http://www.example.org/", &ALL);
    check("url=example.org", &ALL);
    check("url=example.org/none", &[]);
}

#[test]
fn times_bound_the_answer() {
    check("url=example.org&from=2014&to=2014", &ALL[..2]);
    check("url=example.org&from_ts=20150601000000", &ALL[2..]);
    check("url=example.org&to=201506", &ALL[..3]);
    check("url=example.org/*&from=2015&to=2015", &["20150601000000", "20150101000000"]);
}

#[test]
fn limits_count_from_either_end() {
    check("url=example.org&limit=2", &ALL[..2]);
    check("url=example.org&limit=-2", &ALL[2..]);
    check("url=example.org&limit=-9", &ALL);
    check("url=example.org&limit=0", &ALL);
    check("url=example.org&limit=9223372036854775807", &ALL);
    check("url=*.example.org&limit=-1", &["20150101000000"]);
    check("url=example.org&limit=-1&collapseTime=4", &["20160101000000"]);
}

#[test]
fn orders_are_those_asked_for() {
    let reversed: Vec<&str> = ALL.into_iter().rev().collect();
    check("url=example.org&reverse=true", &reversed);
    check("url=example.org&sort=reverse&limit=1", &reversed[..1]);
    check("url=example.org&sort=reverse&to=2015", &reversed[1..]);
    check("url=example.org&sort=reverse&limit=-1", &ALL[..1]);
    check("url=example.org/*&sort=reverse&limit=2", &["20150101000000", "20140101000000"]);
    let nearest = ["20150601000000", "20160101000000", "20140101000005", "20140101000000"];
    check("url=example.org&closest=20150602000000", &nearest);
    check("url=example.org&closest=20150602&limit=2", &nearest[..2]);
    check("url=example.org&closest=20150602&sort=closest&from=2016", &["20160101000000"]);
    check("url=example.org&closest=2010", &ALL);
    check("url=example.org&closest=now&limit=1", &reversed[..1]);
    check("url=example.org&closest=&sort=closest", &ALL);
    check("url=example.org&closest=20150602&collapseTime=4&limit=1", &nearest[..1]);
}

#[test]
fn filters_have_pywbs_signs() {
    check("url=example.org&filter=mime:html", &["20140101000000", "20150601000000", "20160101000000"]);
    check("url=example.org&filter==status:200", &["20140101000000", "20160101000000"]);
    check("url=example.org&filter=!~status:[24].*", &["20140101000005"]);
    check("url=example.org&filter=status:404&filter=digest:BBB", &["20150601000000"]);
}

#[test]
fn like_captures_collapse() {
    check(
        "url=example.org&collapseTime=4",
        &["20140101000000", "20140101000005", "20150601000000", "20160101000000"],
    );
    check(
        "url=example.org&collapseTime=4&resolveRevisits=1",
        &["20140101000000", "20150601000000", "20160101000000"],
    );
    check("url=example.org&collapse=digest&dialect=pywb", &["20140101000000", "20150601000000"]);
    check(
        "url=example.org&collapse=timestamp:4&dialect=pywb&reverse=1",
        &["20160101000000", "20150601000000", "20140101000000"],
    );
}

#[test]
fn stars_and_match_types_widen_the_question() {
    let count = |query: &str| World::of("web", SITE).get(&format!("/cdx?{query}")).text().lines().count();
    assert_eq!(count("url=example.org/*"), 6);
    assert_eq!(count("url=*.example.org"), 7);
    assert_eq!(count("url=example.org&matchType=host"), 6);
    assert_eq!(count("url=example.org&matchType=domain"), 7);
    assert_eq!(count("url=example.org/a&matchType=prefix"), 1);
    assert_eq!(count("url=*"), 7);
}

#[test]
fn outputs_are_pywbs() {
    let world = World::of("web", SITE);
    let line = SITE.lines().next().unwrap();
    let ask = |query: &str| world.get(&format!("/cdx?url=example.org&limit=1{query}"));
    assert_eq!(ask("").text(), format!("{line}\n"));
    assert_eq!(ask("").header("content-type"), "text/x-cdxj");
    assert_eq!(ask("").header("x-content-type-options"), "nosniff");
    let object = ask("&output=json");
    assert_eq!(object.header("content-type"), "text/x-ndjson");
    assert!(
        object.text().starts_with(r#"{"urlkey": "org,example)/", "timestamp": "20140101000000", "url": "#)
    );
    assert_eq!(
        ask("&output=text").text(),
        "org,example)/ 20140101000000 http://example.org/ text/html 200 AAA - - 100 0 a.warc.gz\n"
    );
    assert_eq!(
        ask("&fields=timestamp,nosuch,redirect&output=json").text(),
        "{\"timestamp\": \"20140101000000\", \"redirect\": \"-\"}\n"
    );
    assert_eq!(ask("&fl=timestamp,mime").text(), "org,example)/ 20140101000000 {\"mime\": \"text/html\"}\n");
    assert_eq!(ask("&fl=length,offset&output=text").text(), "100 0\n");
}

#[test]
fn a_timemap_links_to_replay() {
    let world = World::of("web", SITE);
    let answer = world.get("/cdx?url=example.org/a&output=link");
    assert_eq!(answer.header("content-type"), "application/link-format");
    insta::assert_snapshot!(answer.text(), @r#"
    <http://example.org/a>; rel="original",
    <http://localhost:8471/web/timemap/link/http://example.org/a>; rel="timemap"; type="application/link-format",
    <http://localhost:8471/web/http://example.org/a>; rel="timegate",
    <http://localhost:8471/web/20140101000000/http://example.org/a>; rel="memento"; datetime="Wed, 01 Jan 2014 00:00:00 GMT"
    "#);
    assert_eq!(world.get("/cdx?url=example.org/none&output=link").text(), "");
}

#[test]
fn revisits_are_told_where_their_payload_lies() {
    let world = World::of("web", SITE);
    let answer = world.get("/cdx?url=example.org&resolveRevisits=true&output=text&limit=2").text();
    let revisit = answer.lines().nth(1).unwrap();
    assert_eq!(
        revisit,
        "org,example)/ 20140101000005 http://example.org/ text/html 200 AAA - - 10 100 a.warc.gz 100 0 a.warc.gz"
    );
    // The original is behind the revisit in this order, and before the first row in that; it is found all the same.
    for query in ["sort=reverse", "closest=20140101000005", "from=20140101000001"] {
        let answer =
            world.get(&format!("/cdx?url=example.org&resolveRevisits=true&output=text&{query}")).text();
        assert!(answer.lines().any(|line| line == revisit), "{query}: {answer}");
    }
}

#[test]
fn a_payload_under_another_url_is_found_too() {
    let lines = format!(
        "{SITE}org,other)/ 20170101000000 {{\"url\": \"http://other.org/\", \"mime\": \"warc/revisit\", \"digest\": \"CCC\"}}\n"
    );
    let answer = World::of("web", &lines).get("/cdx?url=other.org&resolveRevisits=true").text();
    assert!(
        answer.contains("\"mime\": \"image/png\"") && answer.contains("\"orig.offset\": \"360\""),
        "{answer}"
    );
}

#[test]
fn other_collections_have_addresses_of_their_own() {
    let world = World::of("letters", SITE);
    assert_eq!(times(&world.get("/cdx/letters?url=example.org&output=text")), ALL);
    assert_eq!(world.get("/cdx?url=example.org").text(), "");
    let answer = world.get("/cdx/none?url=example.org").refused(404);
    let problem: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(problem["message"], "there is no collection `none`");
    assert_eq!(problem["detail"], problem["message"]);
    assert_eq!(problem["type"], "urn:varve:problem:not-found");
    world.get("/cdx/..%2fstore?url=example.org").refused(404);
}

#[test]
fn now_is_what_the_clock_says() {
    assert_eq!(NOW, "2026-11-16T12:00:00Z");
    let lines = "a)/ 20261116115959 {\"url\": \"http://a/\"}\na)/ 20271116115959 {\"url\": \"http://a/\"}\n";
    let answer = World::of("web", lines).get("/cdx?url=http://a/&closest=now&output=text&limit=1");
    assert_eq!(times(&answer), ["20261116115959"]);
}
