//! Any bytes as a segment of an index.
#![no_main]

#[path = "../../crates/index/tests/attacks/segment.rs"]
mod segment;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| segment::attack(bytes));
