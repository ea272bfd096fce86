//! Any bytes as a PDF.
#![no_main]

#[path = "../../crates/extract/tests/attacks/bounds.rs"]
mod bounds;
#[path = "../../crates/extract/tests/attacks/pdf.rs"]
mod pdf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pdf::attack(bytes));
