//! What is on the pages. Whatever came from an archive or a caller is escaped.

use insta::assert_snapshot;

use crate::archived::{IMPORT, JOB};
use crate::served::Served;

#[test]
fn the_start_page_has_a_box_figures_harvests_and_a_form() {
    assert_snapshot!(Served::start().shown("/"));
}

#[test]
fn an_empty_archive_invites_to_fill_it() {
    let page = Served::empty().get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("An archive that is still empty") && page.body.contains("New harvest"));
}

#[test]
fn harvests_are_listed() {
    assert_snapshot!(Served::start().shown("/jobs"));
}

#[test]
fn a_harvest_has_a_page() {
    assert_snapshot!(Served::start().shown(&format!("/jobs/{JOB}")));
}

#[test]
fn an_import_is_told_as_what_it_is() {
    let served = Served::with_import();
    assert_snapshot!(served.shown(&format!("/jobs/{IMPORT}")));
    let list = served.get("/jobs").body;
    assert!(list.contains("import</a><small>into old-days</small>"), "{list}");
    let file = served.get(&format!("/jobs/{IMPORT}/files/import.jsonl"));
    assert!(file.status == 200 && file.body.contains("old.warc"), "{}", file.body);
}

#[test]
fn other_collections_are_named_with_a_way_to_them() {
    let served = Served::with_import();
    for page in ["/", "/search?q=nowhere"] {
        let body = served.get(page).body;
        assert!(body.contains("/old-days/\">old-days</a> <span class=\"aside\">1 capture</span>"), "{body}");
    }
    assert_eq!(served.get("/api/v1/collections").body, r#"[{"name":"old-days","captures":1}]"#);
    let figures = served.get("/").body;
    assert!(figures.contains("<dt>Last harvest</dt><dd>16 Nov 2026</dd>"), "{figures}");
    assert!(!Served::start().get("/").body.contains("Other collections"));
}

#[test]
fn whoever_asks_here_for_an_archived_page_is_led_to_replay() {
    let served = Served::with_import();
    for path in ["/web/*/http://a.test/?q=1", "/old-days/2009/http://old.test/"] {
        let answer = served.get(path);
        assert_eq!(answer.status, 303, "{}", answer.body);
        assert!(answer.head.contains(&format!("{path}\r\n")), "{}", answer.head);
    }
    let none = served.get("/elsewhere/x");
    assert_eq!(none.status, 404);
    assert!(
        none.body.contains("<h1>Nothing here</h1>") && !none.body.contains("Archive in"),
        "{}",
        none.body
    );
}

#[test]
fn a_harvest_that_has_left_nothing_says_why() {
    let served = Served::start();
    let page = served.get("/jobs/%3Ci%3E-20261116110000");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Nothing came: &#60;its host&#62; was not found."), "{}", page.body);
    assert!(!page.body.contains("not known yet"), "{}", page.body);
    assert!(!page.body.contains("\"><script>") && !page.body.contains("<i>"), "{}", page.body);
}

#[test]
fn a_log_comes_page_by_page_and_filtered() {
    let served = Served::start();
    let page = served.get(&format!("/jobs/{JOB}/log?filter=MISSING"));
    assert!(
        page.body.contains("http://a.test/missing") && !page.body.contains("http://a.test/b<"),
        "{}",
        page.body
    );
    let none = served.get(&format!("/jobs/{JOB}/log?filter=%3Cscript%3E"));
    assert!(none.body.contains("No line has that in it"), "{}", none.body);
    assert!(none.body.contains("value=\"&#60;script&#62;\""), "{}", none.body);
    let last = served.get(&format!("/jobs/{JOB}/log?last=true"));
    assert!(last.body.contains("From the start"), "{}", last.body);
    let late = served.get(&format!("/jobs/{JOB}/log?from=1000"));
    assert!(late.body.contains("nothing in it from line 1,000 on"), "{}", late.body);
}

#[test]
fn files_are_shown_as_text() {
    let served = Served::start();
    assert_snapshot!(served.shown(&format!("/jobs/{JOB}/files/seeds-report.txt")));
    let settings = served.get(&format!("/jobs/{JOB}/files/job.toml"));
    assert!(settings.body.contains("&#60;made by hand&#62;"), "{}", settings.body);
    let raw = served.get(&format!("/api/v1/jobs/{JOB}/files/job.toml"));
    assert!(raw.head.contains("content-type: text/plain") && raw.head.contains("nosniff"), "{}", raw.head);
    assert!(raw.body.contains("<made by hand>"));
}

#[test]
fn what_is_not_there_is_told_as_a_page() {
    let served = Served::start();
    assert_snapshot!(served.shown("/jobs/no-such-job"));
    for path in ["/nothing", "/jobs/..", "/jobs/domains", "/jobs/%2e%2e%2fstore", "/assets/none"] {
        let answer = served.get(path);
        assert!(answer.status == 404 && answer.body.contains("<main"), "{path}: {}", answer.status);
    }
    for path in [format!("/jobs/{JOB}/files/..%2f..%2fvarve.toml"), format!("/jobs/{JOB}/log?file=none.log")]
    {
        assert_eq!(served.get(&path).status, 404, "{path}");
    }
}

#[test]
fn an_address_leads_to_its_versions_and_a_word_to_sites() {
    let served = Served::start();
    let location = |query: &str| {
        let answer = served.get(&format!("/search?q={query}"));
        assert_eq!(answer.status, 303, "{}", answer.body);
        answer.head.lines().find_map(|line| line.strip_prefix("location: ").map(str::to_owned)).unwrap()
    };
    assert_eq!(location("a.test"), "http://localhost:8471/web/*/a.test");
    assert_eq!(
        location("http%3A%2F%2Fa.test%2Fnews%2F*"),
        "http://localhost:8471/web/*/http://a.test/news/*"
    );
    assert_eq!(location("a.test%2F%0D%0AX-Evil:+1"), "http://localhost:8471/web/*/a.test/%0d%0ax-evil:%201");
    assert_eq!(location(""), "/");
    let page = served.get("/search?q=%3Cb%3Etes");
    assert!(
        page.body.contains("“&#60;b&#62;tes”") && page.body.contains("Nothing by that name"),
        "{}",
        page.body
    );
    let page = served.get("/search?q=TES");
    assert!(page.body.contains("http://localhost:8471/web/*/a.test/*"), "{}", page.body);
}

#[test]
fn every_page_is_well_formed_enough_to_be_read_aloud() {
    let served = Served::start();
    for path in
        ["/", "/jobs", &format!("/jobs/{JOB}"), &format!("/jobs/{JOB}/log"), "/search?q=x", "/nothing"]
    {
        let page = served.get(path).body;
        for part in
            ["<html lang=\"en\"", "<title>", "<main id=\"content\"", "<nav aria-label", "<header", "<footer"]
        {
            assert!(page.contains(part), "{path} has no {part}");
        }
        assert_eq!(page.matches("<h1>").count(), 1, "{path}");
        // Neither scripts nor styles within a page: the policy would forbid them.
        assert!(
            !page.contains("<style") && !page.contains(" style=") && !page.contains("<script>"),
            "{path}"
        );
        for control in ["<input name=", "<select id=", "<textarea id="] {
            for rest in page.split(control).skip(1) {
                let tag = rest.split('>').next().unwrap_or_default();
                let name = tag.trim_start_matches('"').split('"').next().unwrap_or_default();
                let is_named = tag.contains("aria-label") || page.contains(&format!("<label for=\"{name}\""));
                assert!(is_named, "{path}: {control}{tag}");
            }
        }
    }
}
