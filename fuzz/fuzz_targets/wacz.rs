//! Any bytes as a package: opened, judged, every entry read.
#![no_main]

#[path = "../../crates/wacz/tests/attacks/package.rs"]
mod package;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| package::attack(bytes));
