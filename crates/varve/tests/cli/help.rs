//! What `--help` says, verb by verb.

use insta::assert_snapshot;

use crate::run::varve;

#[test]
fn short_help_lists_the_verbs() {
    assert_snapshot!(varve(["-h"]).shown());
}

#[test]
fn long_help_tells_the_exit_codes() {
    assert_snapshot!(varve(["--help"]).shown());
}

#[test]
fn no_verb_is_wrong_usage_and_shows_help() {
    let output = varve([""; 0]).output();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: varve"));
}

#[test]
fn version_is_one_line() {
    assert_snapshot!(varve(["--version"]).shown());
}

#[test]
fn help_of_completions() {
    assert_snapshot!(varve(["help", "completions"]).shown());
}

#[test]
fn help_of_man() {
    assert_snapshot!(varve(["man", "--help"]).shown());
}
