//! Any bytes as a list of watched pages, of every kind.
#![no_main]

#[path = "../../crates/watchlist/tests/attacks/lists.rs"]
mod lists;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lists::attack(bytes));
