//! Any bytes as a script, JSON, or text.
#![no_main]

#[path = "../../crates/extract/tests/attacks/bounds.rs"]
mod bounds;
#[path = "../../crates/extract/tests/attacks/script.rs"]
mod script;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| script::attack(bytes));
