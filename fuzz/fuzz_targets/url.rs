//! Any bytes as a URL, a time, a set of prefixes, a request's body.
#![no_main]

#[path = "../../crates/urlkey/tests/attacks/times.rs"]
mod times;
#[path = "../../crates/urlkey/tests/attacks/urls.rs"]
mod urls;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    urls::attack(bytes);
    times::attack(bytes);
});
