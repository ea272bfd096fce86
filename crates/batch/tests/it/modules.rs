//! Somebody's own WebAssembly module.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use batch::{Error, Level, Limits, Module, Why};

use super::{World, page, warc};

/// A module of the interface: what is told of a record goes to `record_begin`, its payload to `record_data`.
fn wat(begin: &str, data: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "varve" "emit" (func $emit (param i32 i32)))
            (import "varve" "log" (func $log (param i32 i32 i32)))
            (memory (export "memory") 4)
            (func (export "varve_batch_version") (result i32) i32.const 1)
            (func (export "varve_alloc") (param i32) (result i32) i32.const 1024)
            (func (export "varve_record_begin") (param $at i32) (param $length i32) (result i32) {begin})
            (func (export "varve_record_data") (param $at i32) (param $length i32) {data})
            {more})"#
    );
    wat::parse_str(text).unwrap()
}

/// The interpreter is slow in a debug build, so an endless loop gets less to burn.
fn limits() -> Limits {
    Limits { fuel_per_call: 1_000_000, ..Limits::default() }
}

fn module(wasm: &[u8]) -> Module {
    Module::new("mine", wasm, limits(), None).unwrap()
}

const EMIT: &str = "(call $emit (local.get $at) (local.get $length))";
const NEWLINE: &str = r#"(data (i32.const 8) "\n") (func (export "varve_record_end") (call $emit (i32.const 8) (i32.const 1)))"#;

fn world() -> World {
    World::with(&[("a.warc.gz", &page("herring")), ("b.warc.gz", &page("cod"))])
}

#[test]
fn payloads_are_handed_over_without_what_is_around_them() {
    let ran = world().run(&module(&wat("i32.const 1", EMIT, NEWLINE))).sound();
    assert_eq!(ran.text(), "software: test\r\n\nherring\nsoftware: test\r\n\ncod\n");
    let ran = world().run(&module(&wat("i32.const 0", EMIT, NEWLINE))).sound();
    assert_eq!(ran.text(), "\n\n\n\n");
}

#[test]
fn records_are_told_as_json_and_so_is_the_file() {
    let file_begin = format!(
        r#"{NEWLINE} (func (export "varve_file_begin") (param $at i32) (param $length i32) {EMIT} (call $emit (i32.const 8) (i32.const 1)))"#
    );
    let world = world();
    let ran = world.run(&module(&wat(&format!("{EMIT} i32.const 0"), "", &file_begin))).sound();
    let rows: Vec<serde_json::Value> =
        ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["file"], &rows[0]["job"]), (&"job/a.warc.gz".into(), &"job".into()));
    assert_eq!(rows[0]["sha256"], world.files()[0].sha256);
    assert_eq!((&rows[1]["type"], &rows[1]["url"]), (&"warcinfo".into(), &serde_json::Value::Null));
    let expect = serde_json::json!({
        "offset": rows[2]["offset"],
        "type": "response",
        "id": "urn:uuid:00000000-0000-4000-8000-000000000001",
        "url": "http://example.org/",
        "time": "2026-11-18T03:00:00Z",
        "content_type": "application/http; msgtype=response",
        "fields": rows[2]["fields"],
        "http": {
            "status": 200,
            "method": null,
            "target": null,
            "headers": [["Content-Type", "text/html; charset=utf-8"]],
        },
    });
    assert_eq!(rows[2], expect);
    assert_eq!(rows[2]["fields"][0], serde_json::json!(["WARC-Type", "response"]));
}

#[test]
fn a_file_has_an_instance_of_its_own_and_a_last_word() {
    let counting = r#"(global $count (mut i32) (i32.const 48))
        (func (export "varve_record_end") (global.set $count (i32.add (global.get $count) (i32.const 1))))
        (func (export "varve_file_end") (i32.store8 (i32.const 8) (global.get $count)) (call $emit (i32.const 8) (i32.const 1)))"#;
    let ran = world().run(&module(&wat("i32.const 0", "", counting))).sound();
    assert_eq!(ran.text(), "22");
}

#[test]
fn large_payloads_come_in_pieces() {
    let body = "varve ".repeat(100_000);
    let world = World::with(&[("a.warc.gz", &warc(&[("http://example.org/", "text/plain", &body)]))]);
    let long = "(i32.gt_u (local.get $length) (i32.const 65536)) (if (then unreachable))";
    let ran = world.run(&module(&wat("i32.const 1", &format!("{long} {EMIT}"), ""))).sound();
    assert_eq!(ran.text().strip_prefix("software: test\r\n").unwrap(), body);
}

#[test]
fn a_module_that_loops_or_falls_costs_its_file() {
    let looping = "(loop $again (br $again))";
    let ran = world().run(&module(&wat("i32.const 1", looping, "")));
    let why = "at the record at byte 0: `varve_record_data` fails: it took more steps than it may";
    assert_eq!(ran.told(), [format!("job/a.warc.gz task: {why}"), format!("job/b.warc.gz task: {why}")]);
    let ran = world().run(&module(&wat("unreachable", "", "")));
    assert!(ran.told()[0].contains("`varve_record_begin` fails: it gave up"), "{:?}", ran.told());
    let outside = "(call $emit (i32.const -1) (i32.const 10)) i32.const 0";
    let ran = world().run(&module(&wat(outside, "", "")));
    assert!(ran.told()[0].contains("outside of its memory"), "{:?}", ran.told());
    let greedy =
        "(drop (memory.grow (i32.const 60000))) (i32.store (i32.const 600000) (i32.const 1)) i32.const 0";
    let ran = world().run(&module(&wat(greedy, "", "")));
    assert_eq!(ran.failed.len(), 2);
}

#[test]
fn a_module_that_is_slow_over_many_records_is_ended_by_the_clock() {
    let world = world();
    let mut settings = world.settings();
    let looks = std::sync::atomic::AtomicU32::new(0);
    settings.stopwatch =
        Arc::new(move || Duration::from_secs(100) * looks.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
    let ran = world.run_with(&module(&wat("i32.const 1", EMIT, "")), &settings);
    assert!(ran.failed.iter().all(|failed| failed.why == Why::Time), "{:?}", ran.told());
}

#[test]
fn a_module_that_emits_without_end_is_stopped() {
    let world = world();
    let mut settings = world.settings();
    settings.result_bytes_max = 100;
    let wide = "(call $emit (i32.const 0) (i32.const 200)) i32.const 0";
    let ran = world.run_with(&module(&wat(wide, "", "")), &settings);
    assert!(ran.failed.iter().all(|failed| failed.why == Why::TooMuch), "{:?}", ran.told());
    let endless = "(loop $again (call $emit (i32.const 0) (i32.const 65536)) (br $again)) i32.const 0";
    let ran = world.run(&module(&wat(endless, "", "")));
    assert!(ran.told()[0].contains("it emits more in one call than it may"), "{:?}", ran.told());
}

#[test]
fn what_a_module_logs_is_taken_down() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taken = lines.clone();
    let log = Arc::new(move |file: &str, level: Level, line: &str| {
        taken.lock().unwrap().push(format!("{file} {level:?} {line}"));
    });
    let logging = "(call $log (i32.const 2) (i32.const 16) (i32.const 4)) i32.const 0";
    let wasm = wat(logging, "", r#"(data (i32.const 16) "o\nd!")"#);
    let world = World::with(&[("a.warc.gz", &page("herring"))]);
    world.run(&Module::new("mine", &wasm, limits(), Some(log)).unwrap()).sound();
    assert_eq!(*lines.lock().unwrap(), ["job/a.warc.gz Warn o d!"; 2]);
}

#[test]
fn what_is_no_module_is_said_before_anything_is_read() {
    let why = |wasm: &[u8]| match Module::new("mine", wasm, limits(), None) {
        Err(Error::Module { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert!(why(b"MZ").contains("no WebAssembly"));
    assert!(why(b"\0asm\x01\0\0\0").contains("does not export its memory"));
    let text = |text: &str| wat::parse_str(text).unwrap();
    assert!(why(&text(r#"(module (import "wasi" "x" (func)))"#)).contains("imports `wasi.x`"));
    assert!(why(&text(r#"(module (import "varve" "log" (func)))"#)).contains("imports `varve.log`"));
    let version = |version: i32| {
        format!(
            r#"(module (memory (export "memory") 1)
            (func (export "varve_batch_version") (result i32) i32.const {version})
            (func (export "varve_alloc") (param i32) (result i32) i32.const 8)
            (func (export "varve_record_begin") (param i32 i32) (result i32) i32.const 0))"#
        )
    };
    assert!(why(&text(&version(2))).contains("version 2 of the interface"));
    // No more is needed than this.
    world().run(&module(&text(&version(1)))).sound();
    let wrong = version(1).replace("(param i32 i32) (result i32)", "(param i32) (result i32)");
    assert!(why(&text(&wrong)).contains("`varve_record_begin` is no function of the right type"));
    let looping = version(1).replace("i32.const 1)", "(loop $again (br $again)) i32.const 1)");
    assert!(why(&text(&looping)).contains("it took more steps than it may"));
}
