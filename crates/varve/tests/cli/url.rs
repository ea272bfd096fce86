//! `varve url …`: one line out for each URL in.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::run::varve;

#[test]
fn help_of_key() {
    assert_snapshot!(varve(["url", "key", "--help"]).shown());
}

#[test]
fn help_of_surt() {
    assert_snapshot!(varve(["url", "surt", "-h"]).shown());
}

#[test]
fn help_of_canon() {
    assert_snapshot!(varve(["url", "canon", "-h"]).shown());
}

#[test]
fn each_verb_has_its_form() {
    let url = "HTTPS://www.Example.org:443/A/../b/?y=2&x=1#top";
    let answer = |verb| String::from_utf8(varve(["url", verb, url]).output().stdout).unwrap();
    assert_eq!(answer("key"), "org,example)/b?x=1&y=2\n");
    assert_eq!(answer("surt"), "https://(org,example,www,)/b/?y=2&x=1#top\n");
    assert_eq!(answer("canon"), "https://example.org/b?x=1&y=2\n");
}

#[test]
fn what_cannot_be_understood_is_an_empty_line_and_a_reason() {
    let lines = "http://example.org/a\r\nhttp://a:b/\n \nexample.org/c";
    for verb in ["key", "surt", "canon"] {
        assert_snapshot!(format!("bad_lines_{verb}"), varve(["url", verb]).stdin(lines).shown());
    }
}

#[test]
fn json_has_url_and_answer_or_error() {
    assert_snapshot!(
        varve(["url", "key", "--json", "http://example.org/\u{e4}", "-"]).stdin("http://a:b/\n").shown()
    );
}

#[test]
fn bytes_that_are_not_utf8_are_answered() {
    for verb in ["key", "surt", "canon"] {
        let output = varve(["url", verb]).stdin(b"http://example.org/caf\xe9\n".as_slice()).output();
        let answer = String::from_utf8(output.stdout).unwrap();
        assert!(answer.to_lowercase().ends_with("/caf%e9\n"), "{verb}: {answer}");
    }
    let mut rules: Vec<&str> = urlkey::Rules::ALL.iter().map(|rules| rules.name()).collect();
    for rules in rules.drain(..) {
        let output = varve(["url", "key", "--rules", rules])
            .stdin(b"http://\xff\x00:99/\x80?\xfe\n\n\x07".as_slice())
            .output();
        assert_eq!(output.stdout.split(|byte| *byte == b'\n').count(), 4, "{rules}");
    }
}

#[test]
fn rules_of_others_are_at_hand() {
    let answer = |words: &[&str]| String::from_utf8(varve(words).output().stdout).unwrap();
    let url = "http://www.example.org/A/?b#c";
    assert_eq!(answer(&["url", "key", "--rules", "urlcanon-semantic", url]), "org,example,www)/A/?b\n");
    assert_eq!(answer(&["url", "canon", "--rules", "whatwg", url]), "http://www.example.org/A/?b#c\n");
    assert_eq!(answer(&["url", "surt", "--rules", "wayback", url]), "http://(org,example,)/a?b\n");
    assert_eq!(varve(["url", "key", "--rules", "mine", url]).output().status.code(), Some(2));
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let mut lines = vec![b'a'; 3 << 20];
    lines.extend_from_slice(b"\nhttp://example.org/");
    let output = varve(["url", "key"]).stdin(lines).output();
    assert_eq!(output.stdout, b"\norg,example)/\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: line 1: longer than 1048576 bytes\n");
}

/// A program may ask one URL, wait, and ask the next.
#[test]
fn each_line_is_answered_before_the_next_is_asked() {
    let pipe = Stdio::piped;
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["url", "key"])
        .stdin(pipe())
        .stdout(pipe())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for number in 0..3 {
        writeln!(stdin, "http://example.org/{number}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("org,example)/{number}\n"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
