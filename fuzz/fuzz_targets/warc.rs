//! Any bytes as a whole archive file.
#![no_main]

#[path = "../../crates/warc/tests/attacks/records.rs"]
mod records;
#[path = "../../crates/warc/tests/attacks/rewritten.rs"]
mod rewritten;
#[path = "../../crates/warc/tests/attacks/warc_file.rs"]
mod warc_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warc_file::attack(bytes));
