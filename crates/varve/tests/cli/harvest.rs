//! `varve harvest` as far as it goes without a server: help, settings, and everything that is refused before anybody is asked.

use insta::assert_snapshot;
use testkit::site::Site;

use crate::run::{Run, varve};

/// `varve harvest` in a new archive with these settings.
fn harvest(words: &[&str], settings: &str) -> Run {
    let run = varve(["harvest"].iter().chain(words));
    let made = varve(["init", "."]).inside(run.folder()).output();
    assert_eq!(made.status.code(), Some(0));
    run.file("varve.toml", settings)
}

/// What it says when it refuses, without the lines that only tell that there are settings.
#[track_caller]
fn refused(words: &[&str], settings: &str) -> String {
    let shown = harvest(words, settings).shown();
    assert!(shown.starts_with("exit: 1\n") || shown.starts_with("exit: 2\n"), "{shown}");
    shown
}

#[test]
fn help_of_harvest() {
    assert_snapshot!(varve(["harvest", "--help"]).shown());
}

#[test]
fn a2_at_least_one_url_is_needed() {
    assert_snapshot!(refused(&[], ""));
    let empty = harvest(&["--seeds", "seeds.txt"], "")
        .file("seeds.txt", "# nothing\n-http://(org,example,\n")
        .shown();
    assert!(empty.contains("there is no URL to begin with"), "{empty}");
}

#[test]
fn b10_a_bad_line_of_a_list_is_named() {
    let run = harvest(&["--seeds", "seeds.txt"], "").file("seeds.txt", "example.org\n\nhttp://[x]/\n");
    assert_snapshot!({ run }.shown());
    let run = harvest(&["--seeds", "-"], "").stdin("example.org\nhttp://[x]/\n");
    assert_snapshot!("b10_standard_input", { run }.shown());
    assert_snapshot!("b10_no_list", refused(&["--seeds", "sedes.txt"], ""));
}

#[test]
fn wrong_options_are_wrong_usage() {
    for (name, words) in [
        ("bad_depth", ["example.org", "--depth", "deep"]),
        ("bad_time", ["example.org", "--max-time", "3 weeks"]),
        ("bad_size", ["example.org", "--max-bytes", "much"]),
        ("bad_robots", ["example.org", "--robots", "obay"]),
        ("bad_regex", ["example.org", "--exclude-url", "("]),
        ("bad_option", ["example.org", "--max-object", "5"]),
        ("bad_setting", ["example.org", "--set", "max_object=5"]),
        ("bad_value", ["example.org", "--set", "gzip_level=12"]),
    ] {
        assert_snapshot!(name, refused(&words, ""));
    }
}

/// What a change of the command line mends ends with 2, and names the way out; what a file says wrong ends with 1.
#[test]
fn whose_fault_it_is_shows_in_the_exit_code() {
    #[track_caller]
    fn check(words: &[&str], settings: &str, code: i32, said: &str) {
        let run =
            harvest(words, settings).file("ftp.txt", "ftp://example.org/\n").file("bad.txt", "http://[x]/\n");
        let shown = { run }.shown();
        assert!(shown.starts_with(&format!("exit: {code}\n")), "{words:?}: {shown}");
        assert!(shown.contains(said), "{words:?}: {shown}");
        assert!(code == 1 || shown.contains("\nhint: "), "{words:?}: {shown}");
    }
    check(&[], "", 2, "there is no URL to begin with");
    check(
        &["ftp://example.org/"],
        "",
        2,
        "the scheme `ftp` are not fetched\n\nhint: those of http and https are",
    );
    check(&["file:///etc/passwd"], "", 2, "`file:///etc/passwd` is no URL of a host");
    check(&["http://[x]/"], "", 2, "is no URL");
    check(&["+http://(org,example,"], "", 2, "is no URL");
    check(&["example.org", "--profile", "selectiv"], "", 2, "there is no profile `selectiv`");
    check(&["example.org", "--profile", "none-of-ours"], "", 2, "hint: there are `broad`, ");
    check(&["example.org"], "[harvest]\nprofile = 'selectiv'\n", 1, "there is no profile `selectiv`");
    let upon = "[profiles.mine]\nprofile = 'selectiv'\n";
    check(&["example.org", "--profile", "mine"], upon, 1, "there is no profile `selectiv`");
    check(&["--seeds", "ftp.txt"], "", 1, "the scheme `ftp` are not fetched");
    check(&["--seeds", "bad.txt"], "", 1, "bad.txt, line 1: ");
}

#[test]
fn what_settings_name_must_be_there_and_right() {
    assert_snapshot!("no_profile", refused(&["example.org", "--profile", "selectiv"], ""));
    assert_snapshot!("no_filter", refused(&["example.org", "--filter", "mim"], ""));
    assert_snapshot!("no_module", refused(&["example.org", "--filter", "theses"], ""));
    assert_snapshot!("no_traps", refused(&["example.org", "--traps", "traps.txt"], ""));
    assert_snapshot!("no_scheme", refused(&["ftp://example.org/"], ""));
    let run = harvest(&["example.org", "--filter", "mine"], "").file("filters/mine.wasm", "no module");
    assert_snapshot!("bad_module", { run }.shown());
    let run = harvest(&["example.org", "--sheet", "slow.toml"], "");
    let run = run.file("slow.toml", "prefixes = ['example.org']\ndealy = '5s'\n");
    assert_snapshot!("bad_sheet", { run }.shown());
    let run = harvest(&["example.org", "--traps", "traps.txt"], "").file("traps.txt", ".*\n(\n");
    assert_snapshot!("bad_traps", { run }.shown());
}

#[test]
fn a_job_that_is_not_there_is_not_resumed() {
    assert_snapshot!("resume_none", refused(&["--resume", "last"], ""));
    assert_snapshot!("resume_unknown", refused(&["--resume", "example.org-20261116000000"], ""));
    assert_snapshot!("resume_and_urls", refused(&["example.org", "--resume", "last"], ""));
}

/// A module that drops every document.
fn dropping() -> Vec<u8> {
    let text = r#"(module (memory (export "memory") 1)
        (func (export "varve_interface") (result i32) i32.const 1)
        (func (export "varve_alloc") (param i32) (result i32) i32.const 8)
        (func (export "varve_filter") (param i32 i32) (result i32) i32.const 1))"#;
    wat::parse_str(text).unwrap()
}

#[test]
fn a7_filters_come_from_the_settings_and_from_the_archive() {
    let site = Site::start();
    let about = site.url("/about");
    let words = ["--scope", "list", "--delay", "0", "--resolve", "www.varve.test:127.0.0.1", "--json"];
    let filtered = |filter: &[&str], settings: &str| {
        let run = harvest(&[&[about.as_str()], &words[..], filter].concat(), settings);
        let run = run.file("filters/mine.wasm", dropping()).file("elsewhere.wasm", dropping());
        let output = { run }.output();
        let row: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        row["filtered"].as_u64().unwrap() > 0
    };
    assert!(!filtered(&[], ""));
    assert!(filtered(&["--filter", "mine"], ""));
    assert!(filtered(&[], "[harvest]\nfilters = ['other']\n[filters.other]\nmodule = 'elsewhere.wasm'\n"));
    let mime = "[filters.mime]\ninclude = ['image/*']\n";
    assert!(!filtered(&[], mime), "a filter that is not named is not used");
    assert!(filtered(&["--filter", "mime"], mime));
}

/// A2, B9: what is built in, the file, the profile, a sheet, the command line.
#[test]
fn each_layer_holds_over_the_one_before() {
    let site = Site::start();
    let agent = |words: &[&str], settings: &str| {
        let about = site.url("/about");
        let usual =
            [about.as_str(), "--scope", "list", "--delay", "0", "--resolve", "www.varve.test:127.0.0.1"];
        let output = harvest(&[&usual, words].concat(), settings).output();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let head = String::from_utf8(site.last("/about").request).unwrap();
        let line = head.lines().find_map(|line| line.strip_prefix("User-Agent: ").map(str::to_owned));
        line.unwrap()
    };
    assert!(agent(&[], "").starts_with("varve/"));
    let file = "[harvest]\nagent = 'file'\n[profiles.mine]\nagent = 'profile'\n";
    assert_eq!(agent(&[], file), "file");
    assert_eq!(agent(&["--profile", "mine"], file), "profile");
    let with_sheet = format!("{file}[[sheets]]\nprefixes = ['www.varve.test']\nagent = 'sheet'\n");
    assert_eq!(agent(&["--profile", "mine"], &with_sheet), "sheet");
    assert_eq!(agent(&["--profile", "mine", "--agent", "flag"], &with_sheet), "flag");
}
