//! Any bytes as a page.
#![no_main]

#[path = "../../crates/extract/tests/attacks/html.rs"]
mod html;
#[path = "../../crates/extract/tests/attacks/html_tokens.rs"]
mod html_tokens;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| html::attack(bytes));
