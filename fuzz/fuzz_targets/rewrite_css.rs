//! Any bytes as a style sheet on its way into the archive.
#![no_main]

#[path = "../../crates/rewrite/tests/attacks/css.rs"]
mod css;
#[path = "../../crates/rewrite/tests/attacks/through.rs"]
mod through;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| css::attack(bytes));
