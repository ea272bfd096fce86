//! What holds for every verb: errors, hints, colours, closed pipes, wrong usage.

use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::run::varve;

#[test]
fn an_unknown_verb_is_wrong_usage() {
    assert_snapshot!(varve(["upp"]).shown());
}

#[test]
fn quiet_and_verbose_exclude_each_other() {
    assert_eq!(varve(["-q", "-v", "jobs", "ls"]).output().status.code(), Some(2));
}

#[test]
fn general_options_stand_before_or_after_the_verb() {
    let before = varve(["--archive", "a", "--json", "jobs", "ls"]).shown();
    let after = varve(["jobs", "ls", "--archive", "a", "--json"]).shown();
    let by_environment = varve(["jobs", "ls"]).env("VARVE_ARCHIVE", "a").shown();
    assert_eq!(before, after);
    assert_eq!(before, by_environment);
}

#[test]
fn an_error_carries_its_cause_and_its_hint() {
    assert_snapshot!(varve(["man", "occupied/man1"]).file("occupied", "").shown());
}

#[test]
fn archived_text_in_an_error_is_escaped() {
    let shown = varve(["man", "occupied/\x1b[2J\u{202e}"]).file("occupied", "").shown();
    assert!(!shown.contains('\x1b') && !shown.contains('\u{202e}'), "{shown}");
    assert!(shown.contains("\\x1b[2J\\u{202e}"), "{shown}");
}

#[test]
fn colours_come_only_when_asked_for_and_no_color_is_obeyed() {
    let has_colour =
        |words: &[&str], no_color: &str| varve(words).env("NO_COLOR", no_color).shown().contains('\x1b');
    assert!(!has_colour(&["jobs", "ls"], ""));
    assert!(has_colour(&["--color", "always", "jobs", "ls"], ""));
    assert!(has_colour(&["--color", "always", "jobs", "ls"], "1"));
    assert!(!has_colour(&["--color", "never", "jobs", "ls"], ""));
    assert!(!has_colour(&["--color", "auto", "jobs", "ls"], "1"));
    assert!(has_colour(&["--color", "always", "--help"], ""));
    assert!(!has_colour(&["--color", "never", "--help"], ""));
}

#[test]
fn a_bad_log_filter_is_said_and_does_not_stop_the_work() {
    let shown = varve(["jobs", "ls"]).env("VARVE_LOG", "warc=loud").shown();
    assert!(shown.contains("warning: $VARVE_LOG is not understood"), "{shown}");
}

#[test]
fn a_closed_pipe_is_success() {
    // A pipe whose reading end is gone before the program starts: the first write fails.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["completions", "bash"])
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = varve(["completions", shell]).output();
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("varve"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written_one_per_verb() {
    let mut run = varve(["man", "pages"]);
    assert_eq!(run.output().status.code(), Some(0));
    for page in ["varve.1", "varve-up.1"] {
        assert!(run.folder().join("pages").join(page).is_file(), "{page}");
    }
    let page = varve(["man"]).output().stdout;
    assert!(String::from_utf8_lossy(&page).contains(".TH varve 1"));
}
