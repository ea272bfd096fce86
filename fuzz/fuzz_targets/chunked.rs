//! Any bytes as a chunked body.
#![no_main]

#[path = "../../crates/warc/tests/attacks/chunked.rs"]
mod chunked;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| chunked::attack(bytes));
