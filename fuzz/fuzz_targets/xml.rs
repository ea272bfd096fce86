//! Any bytes as XML.
#![no_main]

#[path = "../../crates/extract/tests/attacks/bounds.rs"]
mod bounds;
#[path = "../../crates/extract/tests/attacks/xml.rs"]
mod xml;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| xml::attack(bytes));
