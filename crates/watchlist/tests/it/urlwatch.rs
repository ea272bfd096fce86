//! urlwatch.

use serde_json::Value;
use testkit::vectors;
use watchlist::{Limits, urlwatch};

use super::{left_out, list, one, rules};

#[test]
fn a_job_is_read() {
    let entry = one(
        "name: \"Shop\"\nurl: https://example.org/shop\nenabled: no\ntags: [a, b]\nnote: mine\nuser_visible_url: https://example.org/\n\
         headers:\n  Accept: text/html\ncookies:\n  k: v\n  l: w\ndata:\n  q: a b\n  n: 1\nssl_no_verify: true\nignore_cached: false\n\
         filter:\n  - css:\n      selector: .price\n      exclude: .ad\n  - html2text\n  - grepi: visitors\n  - strip\n",
    );
    assert_eq!((entry.title.as_deref(), entry.notes.as_deref()), (Some("Shop"), Some("mine")));
    assert!(entry.is_paused);
    assert_eq!(entry.tags, ["a", "b"]);
    assert_eq!(entry.page.as_deref(), Some("https://example.org/"));
    assert_eq!((entry.method.as_deref(), entry.body.as_deref()), (Some("POST"), Some("q=a+b&n=1")));
    let headers: Vec<_> = entry.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        headers,
        ["Accept: text/html", "Cookie: k=v; l=w", "Content-Type: application/x-www-form-urlencoded"]
    );
    assert_eq!(rules(&entry.only), ["css:.price"]);
    assert_eq!(rules(&entry.never), ["css:.ad", "regex:visitors"]);
    assert_eq!(entry.unsupported, <[&str; 0]>::default());
}

#[test]
fn what_is_not_done_is_told_with_its_line() {
    let entry = one(
        "url: https://example.org/\nmax_tries: 3\ndiff_filter:\n  - grep: '^[+]'\nnovelty: 1\nfilter:\n  - shellpipe: rm -rf /\n  - re.sub: a\n",
    );
    assert_eq!(
        entry.unsupported,
        [
            "line 2: `max_tries: 3`: how often a page is tried again is said for the whole program",
            "line 4: `diff_filter: a list of 1`: all of a difference counts, added and taken away",
            "line 5: `novelty: 1`: this is not understood",
            "line 7: filter `shellpipe`: no commands are run",
            "line 8: filter `re.sub`: texts are not replaced; lines count or do not",
        ]
    );
}

#[test]
fn jobs_that_watch_no_page_are_left_out() {
    let list = list(
        "command: ls\n---\nname: none\n---\nnavigate: https://example.org/\nwait_until: load\n---\nurl: file:///etc/passwd\n",
    );
    assert_eq!(list.entries.len(), 1);
    assert_eq!(
        list.entries[0].unsupported,
        [
            "line 5: the page is fetched without a browser, so that scripts do not run",
            "line 6: `wait_until: load`: there is no browser",
        ]
    );
    assert_eq!(
        left_out(&list),
        [
            "line 1: the job runs the command `ls`, which is no page",
            "line 3: there is no `url` and no `navigate`",
            "line 8: `file:///etc/passwd` is neither http nor https",
        ]
    );
}

/// What becomes of a filter.
#[track_caller]
fn check(filter: &str, only: &[&str], never: &[&str], told: usize) {
    let entry = one(&format!("url: https://example.org/\nfilter: {filter}\n"));
    assert_eq!((rules(&entry.only), rules(&entry.never)), (strings(only), strings(never)), "{filter}");
    assert_eq!(entry.unsupported.len(), told, "{filter}: {:?}", entry.unsupported);
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn filters_are_read_in_both_spellings() {
    check("css:div,html2text", &["css:div"], &[], 0);
    check("'xpath://div[1]/text()'", &["xpath://div[1]/text()"], &[], 0);
    check("[{xpath: {path: //div, exclude: //a, method: html}}]", &["xpath://div"], &["xpath://a"], 0);
    check("[{css: {selector: item, method: xml, maxitems: 1}}]", &["css:item"], &[], 2);
    check("element-by-id:bar", &["css:[id=\"bar\"]"], &[], 0);
    check("[{element-by-class: {class: a b}}]", &["css:[class=\"a b\"]"], &[], 0);
    check("element-by-tag:body", &["css:body"], &[], 0);
    check("[{grep: 'a|b'}]", &["regex:(?m)^(.*(?:a|b).*)$"], &[], 0);
    check("[{re.findall: 'a(b)'}]", &["regex:(a(b))"], &[], 0);
    check("[{re.findall: {pattern: a, repl: b}}]", &[], &[], 1);
    check("[{jq: '.[0].name'}]", &["json:$[0].name"], &[], 0);
    check("[{jq: {query: 'length'}}]", &[], &[], 1);
    check("[sort, {reverse: '|'}, hexdump, novelty]", &[], &[], 4);
    check("[css, grep]", &[], &[], 2);
    // Each works on what the one before it left, which only one of each sort can.
    check("[{css: main}, {xpath: //a}]", &["css:main"], &[], 1);
    check("[{grep: a}, {grep: b}]", &["regex:(?m)^(.*(?:a).*)$"], &[], 1);
    check("[{grep: a}, {css: b}]", &["regex:(?m)^(.*(?:a).*)$"], &[], 1);
    check("[{css: main}, {grep: b}]", &["css:main", "regex:(?m)^(.*(?:b).*)$"], &[], 0);
}

/// Every filter of urlwatch's own tests is taken over or told; which, is listed.
#[test]
fn filters_of_urlwatchs_own_tests_are_taken_over_or_told() {
    const TOLD: [&str; 6] = ["format-json", "hexdump", "sort", "reverse", "re.findall", "xml"];
    let Some(dir) = vectors::dir() else { return };
    let mut seen = 0;
    for case in vectors::jsonl(dir.join("08-text-change").join("urlwatch-filters.jsonl")) {
        let Some(filter) = case["input"].get("filter") else { continue };
        seen += 1;
        // JSON is YAML.
        let job = format!("url: https://example.org/\nfilter: {filter}\n");
        let list = urlwatch::read(&job, &Limits::default()).unwrap();
        let entry = &list.entries[0];
        let is_taken = !entry.only.is_empty() || !entry.never.is_empty();
        let text = filter.to_string();
        let is_told = !entry.unsupported.is_empty();
        let done_anyway = ["strip", "html2text", "format-json", "pretty-xml", "beautify"];
        let is_anyway = done_anyway.iter().any(|name| text.contains(name));
        assert!(is_taken || is_told || is_anyway, "{text} is dropped silently");
        assert!(
            !is_told || TOLD.iter().any(|name| text.contains(name)) || case["name"] == Value::Null,
            "{text}: {:?}",
            entry.unsupported
        );
    }
    assert!(seen > 10, "{seen}");
}
