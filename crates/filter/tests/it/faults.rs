//! Modules that are broken: at the start if it can be seen then, and never more than an error.

use filter::{Chain, Error, Limits, Module};

use super::{limits, module, page, wat};

/// A module with some of its parts left out or changed.
fn parts(memory: &str, version: &str, alloc: &str, filter: &str, more: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {more} {memory} {version} {alloc} {filter})")).unwrap()
}

const MEMORY: &str = r#"(memory (export "memory") 1)"#;
const VERSION: &str = r#"(func (export "varve_interface") (result i32) i32.const 1)"#;
const ALLOC: &str = r#"(func (export "varve_alloc") (param i32) (result i32) i32.const 8)"#;
const FILTER: &str = r#"(func (export "varve_filter") (param i32 i32) (result i64) i64.const 0)"#;

#[track_caller]
fn check(wasm: &[u8], expect: &str) {
    let error = Module::new("mine", wasm, None, limits()).unwrap_err();
    assert!(matches!(error, Error::Broken { .. }));
    let text = error.to_string();
    let why = text.strip_prefix("filter module `mine`: ").unwrap();
    assert!(why.starts_with(expect), "{why}");
}

#[test]
fn a7_what_is_no_module_is_refused_at_the_start() {
    check(b"", "it is no WebAssembly: the file does not begin with `\\0asm`");
    check(b"(module)", "it is no WebAssembly: the file does not begin with `\\0asm`");
    check(b"\0asm\x01\0\0\0\xff\xff", "it is no WebAssembly that can be run: ");
    check(b"\0asm\x02\0\0\0", "it is no WebAssembly that can be run: ");
}

#[test]
fn a7_a_module_without_its_exports_is_refused_at_the_start() {
    check(&parts("", VERSION, ALLOC, FILTER, ""), "it does not export its memory as `memory`");
    check(&parts(MEMORY, "", ALLOC, FILTER, ""), "it does not export the function `varve_interface`");
    check(&parts(MEMORY, VERSION, "", FILTER, ""), "it does not export the function `varve_alloc`");
    check(&parts(MEMORY, VERSION, ALLOC, "", ""), "it does not export the function `varve_filter`");
    let wrong = r#"(func (export "varve_filter") (param i32) (result i64) i64.const 0)"#;
    check(
        &parts(MEMORY, VERSION, ALLOC, wrong, ""),
        "its export `varve_filter` is no function of the right type",
    );
    let wrong = r#"(func (export "varve_configure") (param i32 i32))"#;
    check(
        &parts(MEMORY, VERSION, ALLOC, FILTER, wrong),
        "its export `varve_configure` is no function of the right type",
    );
    let wrong = r#"(global (export "varve_free") i32 (i32.const 0))"#;
    check(
        &parts(MEMORY, VERSION, ALLOC, FILTER, wrong),
        "its export `varve_free` is no function of the right type",
    );
}

#[test]
fn a7_another_version_and_other_imports_are_refused_at_the_start() {
    let later = VERSION.replace("i32.const 1", "i32.const 2");
    check(
        &parts(MEMORY, &later, ALLOC, FILTER, ""),
        "it was made for version 2 of the interface, and this is version 1",
    );
    let import = r#"(import "wasi_snapshot_preview1" "fd_write" (func (param i32)))"#;
    check(
        &parts(MEMORY, VERSION, ALLOC, FILTER, import),
        "it imports `wasi_snapshot_preview1.fd_write`, and",
    );
    let import = r#"(import "varve" "log" (func (param i32)))"#;
    check(&parts(MEMORY, VERSION, ALLOC, FILTER, import), "it imports `varve.log`, and there is nothing");
}

#[test]
fn a7_a_module_that_fails_while_it_starts_is_refused() {
    let start = "(func $go unreachable) (start $go)";
    check(&parts(MEMORY, VERSION, ALLOC, FILTER, start), "it cannot be started: it gave up");
    let start = "(func $go (loop $again (br $again))) (start $go)";
    check(
        &parts(MEMORY, VERSION, ALLOC, FILTER, start),
        "it cannot be started: it took more steps than it may",
    );
    let failing = VERSION.replace("i32.const 1", "unreachable");
    check(&parts(MEMORY, &failing, ALLOC, FILTER, ""), "`varve_interface` fails: it gave up");
    let greedy = MEMORY.replace("1)", "60000)");
    check(&parts(&greedy, VERSION, ALLOC, FILTER, ""), "it cannot be started: ");
    let outside = r#"(data (i32.const 65530) "0123456789")"#;
    check(&parts(MEMORY, VERSION, ALLOC, FILTER, outside), "it cannot be started: ");
}

#[test]
fn a7_settings_that_a_module_cannot_take_are_an_error_at_the_start() {
    let make = |wasm: &[u8], settings: &str| {
        Module::new("mine", wasm, Some(settings), Limits { settings_bytes_max: 100, ..limits() })
            .unwrap_err()
            .to_string()
    };
    let plain = wat("i64.const 0", "");
    let expect = "filter module `mine`: there are settings for it, and it does not export `varve_configure`";
    assert_eq!(make(&plain, "x"), expect);
    assert!(
        make(&plain, &"x".repeat(101)).contains("the file of settings has 101 bytes, and 100 are the most")
    );
    let configure =
        |body: &str| format!(r#"(func (export "varve_configure") (param i32 i32) (result i64) {body})"#);
    let trapping = wat("i64.const 0", &configure("unreachable"));
    assert!(make(&trapping, "x").contains("`varve_configure` fails: it gave up"));
    let endless = wat("i64.const 0", &configure("(loop $again (br $again)) (i64.const 0)"));
    assert!(make(&endless, "x").contains("`varve_configure` fails: it took more steps than it may"));
}

#[track_caller]
fn check_at_document(filter: &str, more: &str, expect: &str) {
    let chain = Chain::new(vec![module(filter, more)]);
    let error = chain.judge(&page()).unwrap_err().to_string();
    assert_eq!(error, format!("filter module `mine` failed at `http://example.org/a.html`: {expect}"));
}

#[test]
fn a7_a_module_that_fails_at_a_document_is_an_error_and_nothing_more() {
    check_at_document("(loop $again (br $again)) (i64.const 0)", "", "it took more steps than it may");
    check_at_document(
        "(call $deep (i64.const 0))",
        "(func $deep (param i64) (result i64) (i64.add (call $deep (i64.const 1)) (i64.const 1)))",
        "its calls went too deep",
    );
    check_at_document("(i64.const -1)", "", "the place of its reason lies outside of its memory");
    check_at_document(
        "(i64.const 0x0001_0000_0000_0001)",
        "",
        "the place of its reason lies outside of its memory",
    );
    check_at_document("(i64.load (i32.const -8))", "", "out of bounds memory access");
    check_at_document("(i64.div_u (i64.const 1) (i64.const 0))", "", "integer divide by zero");
}

#[test]
fn a_module_that_has_no_room_for_the_facts_is_an_error() {
    for place in ["0", "-1", "65500"] {
        let alloc = ALLOC.replace("i32.const 8", &format!("i32.const {place}"));
        let module =
            Module::new("mine", &parts(MEMORY, VERSION, &alloc, FILTER, ""), None, Limits::default())
                .unwrap();
        let error = Chain::new(vec![module.into()]).judge(&page()).unwrap_err().to_string();
        assert!(error.contains("`varve_alloc` gives no place for"), "{place}: {error}");
    }
}

#[test]
fn memory_is_bounded() {
    // Grows until it is refused, and says so by dropping.
    let filter = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) (i64.extend_i32_u (memory.size))";
    let limits = Limits { memory_bytes_max: 4 << 20, ..Limits::default() };
    let wasm = wat(filter, "");
    let module = Module::new("mine", &wasm, None, limits).unwrap();
    // The answer is a number of pages, which is the length of a reason at the place 0.
    let chain = Chain::new(vec![module.into()]);
    let filter::Judgement::Drop { why, .. } = chain.judge(&page()).unwrap() else { panic!("kept") };
    assert!(why.len() <= 64, "{}", why.len());
}

#[test]
fn a_module_file_that_is_too_large_is_refused() {
    let limits = Limits { module_bytes_max: 10, ..Limits::default() };
    let error = Module::new("mine", &wat("i64.const 0", ""), None, limits).unwrap_err().to_string();
    assert!(error.contains("the file has") && error.contains("and 10 are the most"), "{error}");
}
