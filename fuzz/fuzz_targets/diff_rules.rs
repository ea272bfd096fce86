//! Any lines as rules.
#![no_main]

#[path = "../../crates/diff/tests/attacks/rules.rs"]
mod rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules::attack(bytes));
