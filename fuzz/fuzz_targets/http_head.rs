//! Any bytes as the block of a response.
#![no_main]

#[path = "../../crates/warc/tests/attacks/http_head.rs"]
mod http_head;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| http_head::attack(bytes));
