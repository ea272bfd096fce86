//! Compares two files, for the bench: `difference lines OLD NEW` prints the unified form; `difference page OLD NEW` counts
//! what differs between two pages; `difference patch OLD NEW TO` makes
//! a patch, `difference apply OLD PATCH TO` applies it. With `--time` it prints the seconds of the work alone instead.
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

use std::io::Write as _;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let read = |path: &str| std::fs::read(path).unwrap();
    let limits = diff::Limits::default();
    match words.as_slice() {
        [unit @ ("lines" | "words" | "chars"), old, new, rest @ ..] => {
            let (old, new) = (read(old), read(new));
            let started = Instant::now();
            let (old, new) = (String::from_utf8(old).unwrap(), String::from_utf8(new).unwrap());
            let difference = match *unit {
                "lines" => diff::lines(&old, &new, &limits),
                "words" => diff::words(&old, &new, &limits),
                _ => diff::chars(&old, &new, &limits),
            };
            let text = difference.unified("old", "new", 3);
            if rest == ["--time"] {
                println!("coarse {} {}", difference.is_coarse(), started.elapsed().as_secs_f64());
            } else {
                std::io::stdout().write_all(text.as_bytes()).unwrap();
            }
        }
        ["page", old, new] => {
            let page = |path: &str| diff::Document::page(&String::from_utf8_lossy(&read(path)), &limits);
            let started = Instant::now();
            let rules = diff::Rules::none(&limits);
            let outcome = diff::compare(&page(old), &page(new), &rules, &diff::Habits::default()).unwrap();
            let (told, left_out) = (outcome.findings().count(), outcome.left_out().count());
            println!("told {told}, left out {left_out}, {}", started.elapsed().as_secs_f64());
        }
        ["patch", old, new, to, rest @ ..] => {
            let effort = match rest {
                ["--thorough"] => diff::patch::Effort::Thorough,
                _ => diff::patch::Effort::Quick,
            };
            let patch = diff::patch::make(&read(old), &read(new), effort, &limits).unwrap();
            std::fs::write(to, &patch.bytes).unwrap();
            println!("{:?} {:?}", patch.way, patch.tried);
        }
        ["apply", old, patch, to] => {
            let new = diff::patch::apply(&read(old), &read(patch), &limits).unwrap();
            std::fs::write(to, new).unwrap();
        }
        _ => {
            panic!("lines OLD NEW [--time]; page OLD NEW; patch OLD NEW TO [--thorough]; apply OLD PATCH TO")
        }
    }
}
