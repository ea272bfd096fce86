//! `varve access`: who may see what. (B17)

use std::fs;

use insta::assert_snapshot;

use crate::run::{Run, varve};

/// An archive with these rules.
fn archive(rules: &str) -> Run {
    let mut run = varve(["init", "a"]);
    assert_eq!(run.output().status.code(), Some(0));
    fs::write(run.folder().join("a").join("access.rules"), rules).unwrap();
    run
}

fn check(run: &Run, words: &[&str]) -> String {
    let words = ["access", "check"].iter().chain(words);
    varve(words).env("VARVE_ARCHIVE", "a").inside(run.folder()).shown()
}

#[test]
fn help_of_access() {
    assert_snapshot!(varve(["access", "check", "--help"]).shown());
}

#[test]
fn b17_the_rules_of_an_archive_decide() {
    let run =
        archive("on-site 192.0.2.0/24\norg,example, on-site\nnet,gone, exclude\ncom,news, embargo 36500d\n");
    assert_snapshot!("allowed", check(&run, &["https://other.example/"]));
    assert_snapshot!("on_site", check(&run, &["https://www.example.org/a", "--client", "198.51.100.1"]));
    assert_snapshot!("on_site_here", check(&run, &["https://www.example.org/a", "--client", "192.0.2.1"]));
    assert_snapshot!("excluded", check(&run, &["http://gone.net/", "--json"]));
    assert_snapshot!("embargo", check(&run, &["http://news.com/", "--at", "20260101"]));
}

#[test]
fn without_rules_that_is_said_and_what_is_no_url_is_wrong_usage() {
    let run = archive("");
    fs::remove_file(run.folder().join("a/access.rules")).unwrap();
    assert_snapshot!("no_rules", check(&run, &["https://example.org/"]));
    assert_snapshot!("no_url", check(&run, &["not a url"]));
}

#[test]
fn a_mistake_in_the_rules_is_told_with_its_line() {
    let run = archive("* allow\norg,example, hide\n");
    assert_snapshot!(check(&run, &["http://example.org/"]));
}

#[test]
fn lists_of_pywb_become_rules() {
    let run = archive("");
    let list = "org,iana)/about - {\"access\": \"block\"}\norg,iana)/### - {\"access\": \"allow\", \"user\": \"staff\"}\n";
    fs::write(run.folder().join("list.aclj"), list).unwrap();
    assert_snapshot!(varve(["access", "convert", "list.aclj"]).inside(run.folder()).shown());
    fs::write(run.folder().join("list.aclj"), "org,iana)/about {}\n").unwrap();
    assert_snapshot!("bad_list", varve(["access", "convert", "list.aclj"]).inside(run.folder()).shown());
}
