//! How long a key takes: `cargo run --release -p urlkey --example key_speed` prints nanoseconds per call.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

const CALLS: u32 = 300_000;

fn main() {
    for url in [
        "http://www.example.org/",
        "https://cdn.example.net/assets/js/app.3f2a9c.min.js",
        "https://www.example.com/path/to/Page.html?b=2&a=1&session=xyz",
        "http://example.org/index.php?PHPSESSID=0123456789abcdefghijklemopqrstuv&action=profile;u=4221",
        "http://bücher.example:8080/caf%C3%A9?q=%20x",
    ] {
        // The best of five rounds: what the machine can do when nobody else wants it.
        let best = (0..5).map(|_| round(url)).min().unwrap_or_default();
        println!("{best:>6} ns  {url}");
    }
}

fn round(url: &str) -> u128 {
    let start = Instant::now();
    for _ in 0..CALLS {
        let _ = black_box(urlkey::surt(black_box(url)));
    }
    start.elapsed().as_nanos() / u128::from(CALLS)
}
