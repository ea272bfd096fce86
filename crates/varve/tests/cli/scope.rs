//! `varve scope explain`: which rule decides, and why.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Run, varve};

/// `varve scope explain` of a crawl of example.org, in a folder with settings.
fn explain(url: &str, words: &[&str]) -> Run {
    let usual = ["scope", "explain", url, "--seed", "https://www.example.org/docs/"];
    varve(usual.iter().chain(words)).file("varve.toml", "")
}

#[track_caller]
fn check(url: &str, words: &[&str], is_in: bool, rule: &str) {
    let output = explain(url, &[words, &["--json"]].concat()).output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&row["in"], &row["rule"]), (&is_in.into(), &rule.into()), "{url} {words:?}");
}

#[test]
fn help_of_explain() {
    let help = varve(["scope", "explain", "--help"]).shown();
    // The settings are those of `harvest`, whose help is looked at there.
    let own = help.split("What belongs to it:").next().unwrap();
    assert_snapshot!(own);
}

#[test]
fn each_rule_says_its_word() {
    assert_snapshot!(explain("https://www.example.org/docs/a/b", &["--scope", "prefix", "--all"]).shown());
}

#[test]
fn the_rule_that_decides_is_told_in_a_few_lines() {
    #[track_caller]
    fn check(url: &str, words: &[&str], expected: &str) {
        let output = explain(url, words).output();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{url} {words:?}");
    }
    check(
        "https://www.example.org/docs/a/b",
        &["--scope", "prefix"],
        "https://www.example.org/docs/a/b belongs to the crawl: `preset` decides\n  \
         `prefix`: it lies under `http://(org,example,www,)/docs/`\n",
    );
    check(
        "https://www.example.org/other/",
        &["--scope", "prefix"],
        "https://www.example.org/other/ does not belong to the crawl: `default` decides\n  \
         no rule takes it in; the scope is `prefix` of https://www.example.org/docs/\n",
    );
    check(
        "https://example.com/",
        &["--seed", "http://example.net/"],
        "https://example.com/ does not belong to the crawl: `default` decides\n  \
         no rule takes it in; the scope is `host` of 2 start URLs\n",
    );
    check(
        "https://www.example.org/a.zip",
        &["--exclude-url", ".*zip"],
        "https://www.example.org/a.zip does not belong to the crawl: `exclude` decides\n  \
         it matches `.*zip` (line 1)\n  \
         although `preset` accepts: `host`: it lies under `http://(org,example,www,)`\n",
    );
}

#[test]
fn presets_decide() {
    check("https://www.example.org/other/", &[], true, "preset");
    check("https://www.example.org/other/", &["--scope", "prefix"], false, "default");
    check("https://example.org/", &["--scope", "domain"], true, "preset");
    check("https://example.org/", &["--scope", "host"], false, "default");
    check("https://example.com/", &["--scope", "multi"], true, "preset");
    check("https://example.com/", &["--scope", "multi:.example.org"], false, "default");
    check("https://www.example.org/docs/", &["--scope", "list"], true, "seed");
}

#[test]
fn options_of_harvest_are_understood() {
    let url = "https://www.example.org/a";
    check(url, &["--hops", "LLL", "--depth", "2"], false, "depth");
    check(url, &["--exclude-url", ".*/a"], false, "exclude");
    check(url, &["--exclude-prefix", "https://www.example.org/"], false, "exclude");
    check("http://example.com/x", &["--include-domain", "example.com"], true, "include");
    check("http://cdn.example.com/x.png", &["--hops", "E"], true, "transclusion");
    check("http://cdn.example.com/x.png", &["--hops", "E", "--set", "embed_hops=0"], false, "default");
    check("https://www.example.org/x.zip", &["--exclude-files", ".zip"], false, "extension");
    check("https://www.example.org/a/a/a/a/a", &[], false, "repeats");
    check("https://www.example.org/a/a/a/a/a", &["--set", "harvest.repeats=9"], true, "preset");
}

#[test]
fn sheets_and_traps_of_the_settings_have_a_say() {
    let settings = "[harvest]\ntraps = ['traps.txt']\n\
                    [[sheets]]\nname = 'forum'\nprefixes = ['https://www.example.org/forum/']\nskip = true\n";
    let run = |url: &str| {
        let run = varve(["scope", "explain", url, "--seed", "www.example.org", "--exit-code"]);
        run.file("varve.toml", settings).file("traps.txt", ".*/calendar/.*\n")
    };
    let shown = run("https://www.example.org/forum/1").shown();
    assert!(shown.contains("`sheet` decides") && shown.contains("sheets that hold here: forum"), "{shown}");
    assert!(run("https://www.example.org/calendar/1").shown().contains("`trap` decides"));
    assert_eq!(run("https://www.example.org/calendar/1").output().status.code(), Some(1));
    assert_eq!(run("https://www.example.org/").output().status.code(), Some(0));
}

#[test]
fn what_is_no_url_is_said_to_be_none() {
    assert_snapshot!("no_url", explain("http://", &[]).shown());
    assert_snapshot!("no_preset", explain("example.org", &["--scope", "hots"]).shown());
    assert_snapshot!("no_setting", explain("example.org", &["--set", "dept=3"]).shown());
}
