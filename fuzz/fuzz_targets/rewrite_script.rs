//! Any bytes as a script on its way into the archive.
#![no_main]

#[path = "../../crates/rewrite/tests/attacks/script.rs"]
mod script;
#[path = "../../crates/rewrite/tests/attacks/through.rs"]
mod through;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| script::attack(bytes));
