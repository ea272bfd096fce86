//! Any bytes as a question to the CDX servers, and as lines sent to one.
#![no_main]

#[path = "../../crates/cdxserver/tests/attacks/questions.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| questions::attack(bytes));
