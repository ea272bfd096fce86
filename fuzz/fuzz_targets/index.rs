//! Any bytes as an archive file to index.
#![no_main]

#[path = "../../crates/cdx_indexer/tests/attacks/records.rs"]
mod records;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| records::attack(bytes));
