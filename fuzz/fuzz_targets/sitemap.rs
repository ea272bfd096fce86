//! Any bytes as a sitemap or feed.
#![no_main]

#[path = "../../crates/robots/tests/attacks/sitemap.rs"]
mod sitemap;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sitemap::attack(bytes));
