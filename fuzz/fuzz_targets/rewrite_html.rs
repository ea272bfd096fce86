//! Any bytes as a page on its way into the archive.
#![no_main]

#[path = "../../crates/rewrite/tests/attacks/html.rs"]
mod html;
#[path = "../../crates/rewrite/tests/attacks/through.rs"]
mod through;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| html::attack(bytes));
