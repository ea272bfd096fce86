//! Any bytes as a folder of files: judged as a bag and as an object, and packed anew.
#![no_main]

#[path = "../../crates/bagit_ocfl/tests/attacks/folders.rs"]
mod folders;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| folders::attack(bytes));
