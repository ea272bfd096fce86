//! Any bytes as a patch, and as two versions of something.
#![no_main]

#[path = "../../crates/diff/tests/attacks/patches.rs"]
mod patches;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| patches::attack(bytes));
