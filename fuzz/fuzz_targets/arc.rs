//! Any bytes as the records of an ARC file.
#![no_main]

#[path = "../../crates/warc/tests/attacks/arc.rs"]
mod arc;
#[path = "../../crates/warc/tests/attacks/records.rs"]
mod records;
#[path = "../../crates/warc/tests/attacks/rewritten.rs"]
mod rewritten;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| arc::attack(bytes));
