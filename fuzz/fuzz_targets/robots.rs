//! Any bytes as a robots.txt and a URL to ask it about.
#![no_main]

#[path = "../../crates/robots/tests/attacks/robots_txt.rs"]
mod robots_txt;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| robots_txt::attack(bytes));
