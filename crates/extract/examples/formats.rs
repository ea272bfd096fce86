//! Searches files for links by their ending (`.css`, `.js`, `.json`, `.pdf`, `.xml`, `.txt`): `formats FILE… [--rounds N] [--show]`.
//!
//! Prints what was found in each and how fast; loading of the files is not counted.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::time::Instant;

use extract::{Limits, Links, css, json, pdf, plain, script, xml};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut rounds, mut show) = (1_usize, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().unwrap().parse().unwrap(),
            "--show" => show = true,
            path => measure(path, rounds, show),
        }
    }
}

fn measure(path: &str, rounds: usize, show: bool) {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let limits = Limits::default();
    let mut links = Links::new(&limits);
    // The quickest round: others may have been disturbed.
    let mut speed = 0_f64;
    for _ in 0..rounds {
        let start = Instant::now();
        links = Links::new(&limits);
        match path.rsplit('.').next().unwrap() {
            "css" => css::links(&text, &mut links),
            "js" => script::links(&text, &mut links),
            "json" => json::links(&text, &mut links),
            "pdf" => drop(pdf::links(&bytes, &limits, &mut links)),
            "xml" | "svg" | "rss" => drop(xml::links(&text, &limits, &mut links)),
            _ => plain::links(&text, &mut links),
        }
        speed = speed.max(bytes.len() as f64 / 1e6 / start.elapsed().as_secs_f64());
    }
    println!("{path}: {} bytes, {} links, {speed:.0} MB/s", bytes.len(), links.as_slice().len());
    for link in links.as_slice().iter().filter(|_| show) {
        println!("    {} {} {}", link.hop.letter(), link.rule, link.reference);
    }
}
