//! Any bytes as what a server sends.
#![no_main]

#[path = "../../crates/fetch/tests/attacks/response.rs"]
mod response;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| response::attack(bytes));
