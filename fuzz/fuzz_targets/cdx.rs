//! Any bytes as a file of index lines: read, written, sorted, packed, searched.
#![no_main]

#[path = "../../crates/cdx/tests/attacks/lines.rs"]
mod lines;
#[path = "../../crates/cdx/tests/attacks/sorted.rs"]
mod sorted;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    lines::attack(bytes);
    sorted::attack(bytes);
});
