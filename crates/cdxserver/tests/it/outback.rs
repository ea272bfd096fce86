//! `/outbackcdx`: lines in, captures out.

use policy::RuleSet;

use super::world::{SITE, World, times};

const LINES: &str = "\
 CDX N b a m s k r M S V g
- 20050614070159 http://nla.example/ text/html 200 AAA - - 120 337023 a.warc.gz
- 20060614070159 http://nla.example/ text/html 200 BBB - - 130 400000 a.warc.gz

- 20040614070159 http://nla.example/b text/html 302 CCC http://nla.example/ 500000 b.warc.gz
com,wrong)/ 20070614070159 {\"url\": \"http://nla.example/\", \"mime\": \"warc/revisit\", \"digest\": \"AAA\", \"length\": \"50\", \"offset\": \"1\", \"filename\": \"c.warc.gz\"}
- 20080614070159 http://nla.example/ warc/revisit - AAA - - 60 2 d.warc.gz 120 337023 a.warc.gz
";

fn world() -> World {
    let world = World::new();
    assert_eq!(world.post("/outbackcdx/test", LINES).text(), "Added 5 records\n");
    world
}

#[test]
fn lines_of_all_kinds_are_taken_and_given_their_own_key() {
    let world = world();
    assert_eq!(
        world.get("/outbackcdx/test?url=nla.example").text(),
        "example,nla)/ 20050614070159 http://nla.example/ text/html 200 AAA - - 120 337023 a.warc.gz\n\
         example,nla)/ 20060614070159 http://nla.example/ text/html 200 BBB - - 130 400000 a.warc.gz\n\
         example,nla)/ 20070614070159 http://nla.example/ warc/revisit - AAA - - 50 1 c.warc.gz\n\
         example,nla)/ 20080614070159 http://nla.example/ warc/revisit - AAA - - 60 2 d.warc.gz\n"
    );
    assert_eq!(
        world.get("/outbackcdx/test?url=nla.example&output=cdx14&sort=reverse&limit=1").text(),
        "example,nla)/ 20080614070159 http://nla.example/ warc/revisit - AAA - - 60 2 d.warc.gz 120 337023 a.warc.gz\n"
    );
    assert_eq!(
        world.get("/outbackcdx/test?urlkey=example,nla)/b&output=json").text(),
        "[[\"example,nla)/b\",20040614070159,\"http://nla.example/b\",\"text/html\",302,\"CCC\",\"http://nla.example/\",\"-\",-1,500000,\"b.warc.gz\"]]\n"
    );
    assert_eq!(
        world.get("/outbackcdx/test?url=nla.example/b&output=jsondict&fl=urlkey,statuscode,length").text(),
        "[{\"urlkey\":\"example,nla)/b\",\"statuscode\":302,\"length\":-1}]\n"
    );
    assert!(
        world
            .get("/outbackcdx/test?url=nla.example/b&output=cdxj")
            .text()
            .starts_with("example,nla)/b 20040614070159 {\"url\"")
    );
    assert_eq!(world.get("/outbackcdx/test?url=nla.example/c&output=json").text(), "[]\n");
}

#[test]
fn the_same_capture_again_replaces_itself() {
    let world = world();
    world.post("/outbackcdx/test", LINES).text();
    assert_eq!(times(&world.get("/outbackcdx/test?url=nla.example")).len(), 4);
}

#[test]
fn questions_are_put_in_outbacks_words() {
    let world = world();
    let ask = |query: &str| times(&world.get(&format!("/outbackcdx/test?url=nla.example{query}")));
    assert_eq!(ask("&sort=closest&closest=20070101&limit=2"), ["20070614070159", "20060614070159"]);
    assert_eq!(ask("&closest=20070101&sort=default").len(), 4);
    assert_eq!(ask("&closest=&sort=closest").len(), 4);
    assert_eq!(ask("&from=2006&to=2006"), ["20060614070159"]);
    assert_eq!(ask("&filter=mimetype:text/html&filter=!digest:A.*"), ["20060614070159"]);
    assert_eq!(ask("&filter=~filename:d.w"), ["20080614070159"]);
    assert_eq!(ask("&collapse=digest"), ["20050614070159", "20060614070159", "20070614070159"]);
    assert_eq!(ask("&collapseToFirst=timestamp:3"), ["20050614070159"]);
    assert_eq!(ask("&collapseToLast=digest"), ["20050614070159", "20060614070159", "20080614070159"]);
    assert_eq!(ask("&collapseToLast=timestamp:3"), ["20080614070159"]);
    let range = world.get("/outbackcdx/test?urlkey=example,nla)/b&matchType=range");
    assert_eq!(times(&range), ["20040614070159"]);
    assert_eq!(times(&world.get("/outbackcdx/test?url=nla.example/*&limit=10")).len(), 5);
}

#[test]
fn other_methods_have_keys_of_their_own() {
    let world = world();
    let line = r#"- 20210203115119 {"url": "http://nla.example/", "status": "200", "offset": "1234", "filename": "p.warc.gz", "method": "POST", "requestBody": "x=1&y=2"}"#;
    assert_eq!(world.post("/outbackcdx/test", line).text(), "Added 1 records\n");
    assert_eq!(times(&world.get("/outbackcdx/test?url=nla.example")).len(), 4);
    let ask = |body: &str| {
        times(&world.get(&format!("/outbackcdx/test?url=nla.example&method=POST&requestBody={body}")))
    };
    assert_eq!(ask("x%3D1%26y%3D2"), ["20210203115119"]);
    assert_eq!(ask("x%3D2"), [""; 0]);
}

#[test]
fn aliases_lead_both_ways_to_one_answer() {
    let world = world();
    world.post("/outbackcdx/test", "@alias http://old.example/ http://nla.example/\n- 20010614070159 http://old.example/ text/html 200 OOO - - 1 1 o.warc.gz\n").text();
    let whole = ["20010614070159", "20050614070159", "20060614070159", "20070614070159", "20080614070159"];
    assert_eq!(times(&world.get("/outbackcdx/test?url=nla.example")), whole);
    assert_eq!(times(&world.get("/outbackcdx/test?url=old.example")), whole);
    assert_eq!(
        times(&world.get("/cdx/test?url=old.example&output=text&closest=2003&limit=2")),
        ["20010614070159", "20050614070159"]
    );
    let reversed: Vec<&str> = whole.into_iter().rev().collect();
    assert_eq!(times(&world.get("/cdx/test?url=old.example&output=text&reverse=true")), reversed);
    assert!(
        world
            .get("/outbackcdx/test?url=old.example")
            .text()
            .lines()
            .all(|line| line.starts_with("example,nla)/ "))
    );
    assert_eq!(
        world.get("/outbackcdx/test/aliases").text(),
        r#"[{"alias":"example,old)/","target":"example,nla)/"}]"#
    );
    assert_eq!(world.get("/outbackcdx/test/aliases?key=example,p").text(), "[]");
    world.post("/outbackcdx/test/delete", "@alias http://old.example/ http://nla.example/\n").refused(400);
}

#[test]
fn deleted_captures_are_gone() {
    let world = world();
    let line = LINES.lines().nth(1).unwrap();
    assert_eq!(world.post("/outbackcdx/test/delete", line).text(), "Deleted 1 records\n");
    assert_eq!(times(&world.get("/outbackcdx/test?url=nla.example")).len(), 3);
    assert_eq!(world.post("/outbackcdx/test/delete", line).text(), "Deleted 1 records\n");
    world.post("/outbackcdx/none/delete", line).refused(404);
}

#[test]
fn what_is_deleted_of_the_stores_own_files_is_written_down_there() {
    let world = world();
    let work = world.archive().work().join("job-00001.warc.gz");
    std::fs::write(&work, "a file").unwrap();
    world.archive().store().seal("job", &work).unwrap();
    let line = "- 20260614070159 http://own.example/ text/html 200 D - - 9 1 job/job-00001.warc.gz";
    let jobs = || world.archive().store().jobs().unwrap();
    for line in [line, LINES.lines().nth(1).unwrap()] {
        world.post("/outbackcdx/test", line).text();
        assert_eq!(world.post("/outbackcdx/test/delete", line).text(), "Deleted 1 records\n");
        // Nothing of the other, whose file lies elsewhere.
        assert_eq!(jobs(), ["job", "removal-20261116120000"]);
    }
    assert_eq!(world.get("/outbackcdx/test?url=own.example").text(), "");
    assert!(!world.get("/api/v1/jobs").text().contains("removal-"));
}

/// Checks of watched pages are committed every few minutes: nobody wants them among the harvests.
#[test]
fn jobs_of_checks_are_not_listed_among_harvests() {
    let world = World::new();
    let collection = world.archive().collection("web").unwrap().unwrap();
    for (name, kind) in [("harvest-1", None), ("watch-20261116120000", Some("watch"))] {
        let facts = kind.map(|kind| ("kind".to_owned(), kind.to_owned())).into_iter().collect();
        let commit =
            index::Commit { name: name.to_owned(), at: "2026-11-16T12:00:00Z".parse().unwrap(), facts };
        collection.index().publish(&commit, std::iter::empty()).unwrap();
    }
    let jobs = world.get("/api/v1/jobs").text();
    assert!(jobs.contains("harvest-1") && !jobs.contains("watch-"), "{jobs}");
}

#[test]
fn a_bad_line_refuses_all_unless_it_is_to_be_skipped() {
    let world = World::new();
    let lines = "- 20060614070159 http://a.example/ text/html bad-wolf D - - - 1 a.warc.gz\n- 20050614070159 http://a.example/ text/html 200 D - - - 1 a.warc.gz\nnonsense\n- 2005 http://a.example/ text/html 200 D - - - 1 a.warc.gz\n\u{0}\u{1}\n@alias one\n";
    let answer = world.post("/outbackcdx/test", lines).refused(400);
    assert!(answer.starts_with("At line 1: the status is `bad-wolf`"), "{answer}");
    world.get("/outbackcdx/test?url=a.example").refused(404);
    let answer = world.post("/outbackcdx/test?badLines=skip", lines).text();
    assert_eq!(answer, "Added 1 records, skipped 5 bad lines\n");
    assert_eq!(times(&world.get("/outbackcdx/test?url=a.example")), ["20050614070159"]);
    world.post("/outbackcdx/test?badLines=keep", lines).refused(400);
}

#[test]
fn the_archives_own_collection_cannot_be_written() {
    let world = World::of("web", SITE);
    assert!(
        world.post("/outbackcdx/web", LINES).refused(403).contains("follows from the archive's WARC files")
    );
    world.post("/outbackcdx/web/delete", LINES).refused(403);
    assert_eq!(times(&world.get("/outbackcdx/web?url=example.org")).len(), 4);
}

#[test]
fn pages_of_other_origins_cannot_write() {
    let world = world();
    for headers in [
        ("origin", "http://localhost:8471"),
        ("origin", "null"),
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        for path in ["/outbackcdx/test", "/outbackcdx/test/delete"] {
            world.send("POST", path, &[headers], LINES.into()).refused(403);
        }
    }
    for headers in [("origin", "http://127.0.0.1:8470"), ("sec-fetch-site", "same-origin")] {
        world.send("POST", "/outbackcdx/test", &[headers], LINES.into()).text();
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let world = World::with(policy::CurrentRules::default(), |settings| settings.limits.body_bytes = 1000);
    world.post("/outbackcdx/test", "x".repeat(1001)).refused(413);
    assert_eq!(world.post("/outbackcdx/test", "\n".repeat(1000)).text(), "Added 0 records\n");
}

#[test]
fn names_that_are_none_make_no_collection() {
    let world = World::new();
    world.post("/outbackcdx/..%2fstore", LINES).refused(400);
    world.post("/outbackcdx/.hidden", LINES).refused(400);
    assert_eq!(world.get("/outbackcdx/api/collections").text(), r#"["web"]"#);
}

#[test]
fn what_there_is_can_be_listed() {
    let world = world();
    assert_eq!(world.get("/outbackcdx/api/collections").text(), r#"["web","test"]"#);
    assert_eq!(world.get("/outbackcdx/test/stats").text(), r#"{"estimatedRecordCount":5}"#);
    let captures = world.get("/outbackcdx/test/captures?key=example,nla)/b&limit=1").text();
    let captures: serde_json::Value = serde_json::from_str(&captures).unwrap();
    assert_eq!(captures[0]["original"], "http://nla.example/b");
    assert_eq!(captures.as_array().unwrap().len(), 1);
    for path in ["stats", "captures", "aliases", "access/policies", "ap/public"] {
        world.get(&format!("/outbackcdx/none/{path}?url=a")).refused(404);
    }
}

#[test]
fn openwayback_is_answered_in_xml() {
    let world = world();
    let ask = |query: &str| {
        let answer = world.get(&format!("/outbackcdx/test?q={query}"));
        assert_eq!(answer.header("content-type"), "application/xml; charset=utf-8");
        answer.text()
    };
    insta::assert_snapshot!(ask("type:urlquery+url:http%253A%252F%252Fnla.example%252Fb"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <wayback><results><result><compressedoffset>500000</compressedoffset><mimetype>text/html</mimetype><file>b.warc.gz</file><redirecturl>http://nla.example/</redirecturl><urlkey>example,nla)/b</urlkey><digest>CCC</digest><httpresponsecode>302</httpresponsecode><robotflags>-</robotflags><url>http://nla.example/b</url><capturedate>20040614070159</capturedate></result></results><request><startdate>19960101000000</startdate><enddate>20261116120000</enddate><type>urlquery</type><firstreturned>0</firstreturned><url>example,nla)/b</url><resultsrequested>10000</resultsrequested><resultstype>resultstypecapture</resultstype><numreturned>1</numreturned><numresults>1</numresults></request></wayback>
    "#);
    let xml = ask("type:prefixquery+url:nla.example");
    assert!(xml.contains("<originalurl>http://nla.example/</originalurl><numversions>3</numversions><numcaptures>4</numcaptures><firstcapturets>20050614070159</firstcapturets><lastcapturets>20080614070159</lastcapturets>"), "{xml}");
    assert!(xml.contains("<numreturned>2</numreturned><numresults>2</numresults>"), "{xml}");
    assert!(ask("type:urlquery+url:nla.example/c").contains("<error><title>Resource Not In Archive</title>"));
    assert!(ask("type:other+url:nla.example").contains("<title>Unsupported query type</title>"));
    let xml = ask("type:urlquery+url:nla.example+startdate:2006+enddate:2007");
    assert!(xml.contains("<numresults>2</numresults>"), "{xml}");
    world.get("/outbackcdx/test?q=type:urlquery").refused(400);
}

#[test]
fn xml_is_escaped() {
    let world = World::new();
    let line = r#"- 20210203115119 {"url": "http://a.example/?a=1&b=<x>", "mime": "</wayback>", "filename": "a\u0001\u000b\u0000b"}"#;
    world.post("/outbackcdx/test", line).text();
    let xml = world
        .get("/outbackcdx/test?q=url:http%253A%252F%252Fa.example%252F%253Fa%253D1%2526b%253D%253Cx%253E")
        .text();
    assert!(xml.contains("<url>http://a.example/?a=1&amp;b=&lt;x&gt;</url>"), "{xml}");
    assert_eq!(xml.matches("</wayback>").count(), 1);
    assert!(xml.contains("<file>a??") && xml.contains("<mimetype>&lt;/wayback&gt;</mimetype>"), "{xml}");
}

#[test]
fn access_points_hide_more_and_never_show_more() {
    let rules = "example,nla)/b allow for anna\nexample,nla)/b staff\nexample,nla)/ exclude before 2006\n";
    let world = World::with(RuleSet::parse(rules).unwrap(), |settings| {
        let anna = api::Visitor { client: None, user: Some("anna".to_owned()) };
        settings.access_points.insert("desk".to_owned(), anna);
        settings.rules = Some(rules.to_owned());
    });
    world.post("/outbackcdx/test", LINES).text();
    let ask = |path: &str, user: &str| {
        times(&world.get_with(&format!("/outbackcdx/test{path}"), &[("x-pywb-acl-user", user)])).len()
    };
    assert_eq!((ask("?url=nla.example/b", "anna"), ask("?url=nla.example/b", "ben")), (1, 0));
    assert_eq!(ask("/ap/public?url=nla.example/b", "anna"), 0);
    assert_eq!(ask("?url=nla.example/b&accesspoint=public", "anna"), 0);
    assert_eq!((ask("/ap/desk?url=nla.example/b", "anna"), ask("/ap/desk?url=nla.example/b", "ben")), (1, 0));
    assert_eq!(ask("?url=nla.example/", "ben"), 3);
    world.get("/outbackcdx/test/ap/none?url=nla.example").refused(404);
    let check = world.get("/outbackcdx/test/ap/public/check?url=nla.example&timestamp=20050614070159").text();
    assert_eq!(check, r#"{"allowed":false}"#);
    let check = world.post(
        "/outbackcdx/test/ap/public/check",
        r#"[{"url": "nla.example", "timestamp": "2007"}, {"url": "nla.example/b", "timestamp": "2007"}]"#,
    );
    assert_eq!(check.text(), r#"[{"allowed":true,"policy":"allow"},{"allowed":false,"policy":"staff"}]"#);
    world.post("/outbackcdx/test/ap/public/check", "{}").refused(400);
    assert!(world.get("/outbackcdx/test/access/policies").text().contains(r#"{"id":5,"name":"exclude"}"#));
    assert!(world.get("/outbackcdx/test/access/rules").text().contains(r#""rule":"example,nla)/b staff""#));
    World::of("web", SITE).get("/outbackcdx/web/access/rules").refused(403);
}

#[test]
fn the_last_of_each_run_up_to_a_limit_is_sound_json() {
    let world = World::of("web", SITE);
    for (query, expect) in [
        ("limit=1", vec!["20140101000005"]),
        ("limit=2", vec!["20140101000005", "20160101000000"]),
        ("limit=9", vec!["20140101000005", "20160101000000"]),
        ("sort=reverse&limit=-1", vec!["20140101000005"]),
        ("sort=reverse&limit=1", vec!["20160101000000"]),
    ] {
        let text = world
            .get(&format!("/outbackcdx/web?url=example.org&collapseToLast=digest&output=jsondict&{query}"))
            .text();
        let rows: Vec<serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{query}: {error}: {text}"));
        let times: Vec<String> =
            rows.iter().map(|row| row["timestamp"].to_string().replace('"', "")).collect();
        assert_eq!(times, expect, "{query}");
    }
}

/// More than is sorted in memory: in any order, with one capture twice, and with braces where URLs have them.
#[test]
fn long_bodies_are_taken_whole() {
    let count = 150_000_u64;
    let line = |number: u64, digest: &str| {
        let path = number * 7919 % count;
        format!(
            "- 20140101000000 http://example.org/?{{{path:06}}} text/html 200 {digest} - - 1 {number} a.warc.gz\n"
        )
    };
    let mut lines = line(5, "OLD");
    lines.extend((0..count).map(|number| line(number, "NEW")));
    let world = World::new();
    assert_eq!(world.post("/outbackcdx/x", lines).text(), format!("Added {} records\n", count + 1));
    let stats = world.get("/outbackcdx/x/stats").text();
    assert_eq!(stats, format!("{{\"estimatedRecordCount\":{count}}}"));
    let found = world
        .get(&format!("/outbackcdx/x?url=http://example.org/?{{{:06}}}&fl=digest,offset", 5 * 7919))
        .text();
    assert_eq!(found, "NEW 5\n");
}
