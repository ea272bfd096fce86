//! A7: modules that users bring along.

use std::sync::{Arc, Mutex};

use filter::{Chain, Error, Facts, Filter, Judgement, Level, Limits, Module};
use proptest::prelude::*;

use super::{dropped, module, page, wat};

/// Answers with the facts themselves as the reason.
const ECHO: &str = "(i64.or (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32)) (i64.extend_i32_u (local.get $length)))";

#[test]
fn a7_a_module_keeps_or_drops_with_and_without_a_reason() {
    assert_eq!(dropped(module("i64.const 0", ""), &page()), None);
    let silent = dropped(module("i64.const 1", ""), &page());
    assert_eq!(silent, Some(("mine".to_owned(), "the module gives no reason".to_owned())));
    let reason = module("(i64.const 0x0000_0010_0000_0008)", r#"(data (i32.const 16) "too\nlong")"#);
    assert_eq!(dropped(reason, &page()), Some(("mine".to_owned(), "too long".to_owned())));
}

#[test]
fn a7_a_short_answer_is_an_answer() {
    for (answer, is_kept) in [(0, true), (1, false), (-1, false)] {
        let text = format!(
            r#"(module (memory (export "memory") 1)
                (func (export "varve_interface") (result i32) i32.const 1)
                (func (export "varve_alloc") (param i32) (result i32) i32.const 8)
                (func (export "varve_filter") (param i32 i32) (result i32) i32.const {answer}))"#
        );
        let wasm = wat::parse_str(text).unwrap();
        let module = Module::new("short", &wasm, None, Limits::default()).unwrap();
        assert_eq!(dropped(module.into(), &page()).is_none(), is_kept, "{answer}");
    }
}

#[test]
fn a7_facts_are_json() {
    let expect = r#"{"url":"http://example.org/a.html","status":200,"mime":"text/html","claimed_mime":"text/plain","bytes":1000,"language":"en-GB","title":"A \"page\"","commit_time":"2026-11-16T00:00:00Z","create_time":null,"hops":"L","via":"http://example.org/","headers":[["Server","x"],["Content-Type","text/plain"]]}"#;
    assert_eq!(page().to_json(), expect);
    assert_eq!(dropped(module(ECHO, ""), &page()).unwrap().1, expect);
}

#[test]
fn headers_are_left_out_where_facts_are_too_long() {
    let limits = Limits { facts_bytes_max: 300, ..Limits::default() };
    let module = Module::new("mine", &wat(ECHO, ""), None, limits).unwrap();
    let long = "x".repeat(400);
    let facts = Facts { headers: &[("A", &long)], ..page() };
    assert!(dropped(module.into(), &facts).unwrap().1.ends_with(r#""headers":null}"#));
}

/// Keeps the settings' first byte, and drops everything if it is `d`.
const CONFIGURED: (&str, &str) = (
    "(i64.extend_i32_u (i32.eq (global.get $first) (i32.const 100)))",
    r#"(global $first (mut i32) (i32.const 0))
       (data (i32.const 16) "that is no setting")
       (func (export "varve_configure") (param $at i32) (param $length i32) (result i64)
         (if (i32.eqz (local.get $length)) (then (return (i64.const 0x0000_0010_0000_0012))))
         (global.set $first (i32.load8_u (local.get $at)))
         (i64.extend_i32_u (i32.eq (global.get $first) (i32.const 33))))"#,
);

#[test]
fn a7_a_module_has_settings_of_its_own() {
    let (filter, more) = CONFIGURED;
    let make = |settings| Module::new("mine", &wat(filter, more), settings, Limits::default());
    assert!(dropped(make(Some("drop")).unwrap().into(), &page()).is_some());
    assert!(dropped(make(Some("keep")).unwrap().into(), &page()).is_none());
    assert!(dropped(make(None).unwrap().into(), &page()).is_none());
    let error = make(Some("")).unwrap_err();
    assert_eq!(error.to_string(), "filter module `mine` refuses its settings: that is no setting");
    let error = make(Some("!")).unwrap_err();
    assert_eq!(error.to_string(), "filter module `mine` refuses its settings: it does not say why");
}

#[test]
fn what_a_module_logs_is_taken_down_cut_and_counted() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taken = lines.clone();
    let log = Arc::new(move |name: &str, level: Level, line: &str| {
        taken.lock().unwrap().push((name.to_owned(), level, line.to_owned()));
    });
    let filter = "(call $log (i32.const 2) (i32.const 16) (i32.const 5)) (call $log (i32.const 1) (i32.const -1) (i32.const 5)) \
                  (loop $again (call $log (i32.const 9) (i32.const 16) (i32.const 60000)) (br_if $again (i32.const 1))) (i64.const 0)";
    let limits =
        Limits { log_lines_max: 3, text_bytes_max: 4, fuel_per_document: 10_000, ..Limits::default() };
    let wasm = wat(filter, r#"(data (i32.const 16) "hello")"#);
    let module = Module::with_log("mine", &wasm, None, limits, log).unwrap();
    assert!(Chain::new(vec![module.into()]).judge(&page()).is_err());
    let hell = |level| ("mine".to_owned(), level, "hell".to_owned());
    assert_eq!(*lines.lock().unwrap(), [hell(Level::Warn), hell(Level::Error)]);
}

#[test]
fn several_threads_ask_one_chain() {
    let (filter, more) = CONFIGURED;
    let module = Module::new("mine", &wat(filter, more), Some("drop"), Limits::default()).unwrap();
    let chain = Chain::new(vec![module.into()]);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..100 {
                    assert_ne!(chain.judge(&page()).unwrap(), Judgement::Keep);
                }
            });
        }
    });
}

/// Counts how often it was asked, and fails the third time.
#[test]
fn an_instance_that_failed_is_not_asked_again() {
    let filter = "(global.set $n (i32.add (global.get $n) (i32.const 1))) \
                  (if (i32.eq (global.get $n) (i32.const 3)) (then unreachable)) (i64.const 0)";
    let chain = Chain::new(vec![module(filter, "(global $n (mut i32) (i32.const 0))")]);
    let failed: Vec<bool> = (0..6).map(|_| chain.judge(&page()).is_err()).collect();
    assert_eq!(failed, [false, false, true, false, false, true]);
}

proptest! {
    /// Whatever a document claims arrives whole.
    #[test]
    fn any_text_arrives_as_it_is(url in ".{0,60}", title in ".{0,60}", header in ".{0,60}") {
        let facts = Facts { url: &url, title: Some(&title), headers: &[("X", &header)], ..page() };
        let json: serde_json::Value = serde_json::from_str(&facts.to_json()).unwrap();
        prop_assert_eq!(json["url"].as_str(), Some(url.as_str()));
        prop_assert_eq!(json["title"].as_str(), Some(title.as_str()));
        prop_assert_eq!(json["headers"][0][1].as_str(), Some(header.as_str()));
    }
}

#[test]
fn a_failure_names_module_and_document() {
    let chain = Chain::new(vec![module("unreachable", "")]);
    let error = chain.judge(&page()).unwrap_err();
    assert!(matches!(error, Error::Failed { .. }));
    let expect = "filter module `mine` failed at `http://example.org/a.html`: it gave up (`unreachable`), as a panic does";
    assert_eq!(error.to_string(), expect);
}

#[test]
fn a_filter_made_of_a_module_has_its_name() {
    let filter: Filter =
        Module::new("mine", &wat("i64.const 0", ""), None, Limits::default()).unwrap().into();
    assert_eq!(filter.name(), "mine");
}
