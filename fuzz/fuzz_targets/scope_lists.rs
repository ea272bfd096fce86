//! Any bytes as a seed list, a list of traps, sheets, and URLs to ask about.
#![no_main]

#[path = "../../crates/scope/tests/attacks/lists.rs"]
mod lists;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lists::attack(bytes));
