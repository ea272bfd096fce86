//! The crate's public face: built-in filters, and modules good and bad.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods
)]

mod builtins;
mod example;
mod faults;
mod modules;

use filter::{Chain, Facts, Filter, Judgement, Limits, Module};

/// A page as filters see it.
fn page() -> Facts<'static> {
    Facts {
        url: "http://example.org/a.html",
        status: Some(200),
        mime: "text/html",
        claimed_mime: Some("text/plain"),
        bytes: 1000,
        language: Some("en-GB"),
        title: Some("A \"page\""),
        commit_time: Some("2026-11-16T00:00:00Z".parse().unwrap()),
        create_time: None,
        hops: "L",
        via: Some("http://example.org/"),
        headers: &[("Server", "x"), ("Content-Type", "text/plain")],
    }
}

/// Who dropped it and why, `None` if it was kept.
#[track_caller]
fn dropped(filter: Filter, facts: &Facts<'_>) -> Option<(String, String)> {
    match Chain::new(vec![filter]).judge(facts).unwrap() {
        Judgement::Keep => None,
        Judgement::Drop { by, why } => Some((by, why)),
    }
}

/// The interpreter is slow in a debug build, so an endless loop gets less to burn than in a crawl.
fn limits() -> Limits {
    Limits { fuel_at_start: 1_000_000, fuel_per_document: 1_000_000, ..Limits::default() }
}

/// A module of the interface, with a body for `varve_filter` and anything else.
fn wat(filter: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "varve" "log" (func $log (param i32 i32 i32)))
            (memory (export "memory") 1)
            (func (export "varve_interface") (result i32) i32.const 1)
            (func (export "varve_alloc") (param i32) (result i32) i32.const 1024)
            (func (export "varve_filter") (param $at i32) (param $length i32) (result i64) {filter})
            {more})"#
    );
    wat::parse_str(text).unwrap()
}

#[track_caller]
fn module(filter: &str, more: &str) -> Filter {
    Filter::from(Module::new("mine", &wat(filter, more), None, limits()).unwrap())
}
