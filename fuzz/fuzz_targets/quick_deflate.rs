//! Any bytes, packed quickly.
#![no_main]

#[path = "../../crates/warc/tests/attacks/quick_deflate.rs"]
mod quick_deflate;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quick_deflate::attack(bytes));
