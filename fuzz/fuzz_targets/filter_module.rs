//! Any bytes as a filter module, and as what a sound module is given.
#![no_main]

#[path = "../../crates/filter/tests/attacks/module.rs"]
mod module;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| module::attack(bytes));
