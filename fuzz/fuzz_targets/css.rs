//! Any bytes as a style sheet.
#![no_main]

#[path = "../../crates/extract/tests/attacks/bounds.rs"]
mod bounds;
#[path = "../../crates/extract/tests/attacks/css.rs"]
mod css;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| css::attack(bytes));
