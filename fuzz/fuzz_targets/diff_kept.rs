//! Any bytes as rules and habits in JSON.
#![no_main]

#[path = "../../crates/diff/tests/attacks/kept.rs"]
mod kept;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kept::attack(bytes));
