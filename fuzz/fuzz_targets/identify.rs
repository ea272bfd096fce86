//! Any bytes as a document of any type.
#![no_main]

#[path = "../../crates/extract/tests/attacks/identify.rs"]
mod identify;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| identify::attack(bytes));
