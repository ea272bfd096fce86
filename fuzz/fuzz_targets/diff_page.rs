//! Any bytes as two pages, and as two texts.
#![no_main]

#[path = "../../crates/diff/tests/attacks/pages.rs"]
mod pages;
#[path = "../../crates/diff/tests/attacks/texts.rs"]
mod texts;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pages::attack(bytes);
    texts::attack(bytes);
});
