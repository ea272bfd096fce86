//! Any bytes as an archive file to index.
#![no_main]

#[path = "../../crates/cdx/tests/attacks/making.rs"]
mod making;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| making::attack(bytes));
