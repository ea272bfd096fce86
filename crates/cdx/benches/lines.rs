//! How fast lines are read and written: `cargo bench -p cdx`.
//!
//! Prints megabytes of lines per second, best of five, on lines like those of a crawl.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use cdx::sort::{Settings, Sorter, Spill};
use cdx::{Capture, Format, Layout, Limits, Reader};

const LINES: u32 = 300_000;

fn main() {
    let captures: Vec<Capture<'static>> = (0..LINES).map(capture).collect();
    let cdxj = lines(&Format::Cdxj, &captures);
    let cdx11 = lines(&Format::Cdx(Layout::cdx11()), &captures);
    measure("read CDXJ", cdxj.len(), || read(&cdxj));
    measure("write CDXJ", cdxj.len(), || lines(&Format::Cdxj, &captures).len());
    measure("read CDX-11", cdx11.len(), || read(&cdx11));
    measure("write CDX-11", cdx11.len(), || lines(&Format::Cdx(Layout::cdx11()), &captures).len());
    measure("sort CDXJ in memory", cdxj.len(), || sort(&cdxj));
}

fn capture(number: u32) -> Capture<'static> {
    let mixed = number.wrapping_mul(2_654_435_761);
    let line = format!(
        "org,example,host{})/section/{}/page-{mixed}.html 2014{:02}{:02}{:06} https://host{}.example.org/section/{}/Page-{mixed}.html \
         text/html 200 OSSAPWJ23L56IYVRW3GFEAR4{mixed:08X} - - {} {} EXAMPLE-20140126-{:05}.warc.gz",
        mixed % 97,
        number % 31,
        number % 12 + 1,
        number % 28 + 1,
        number % 86_400,
        mixed % 97,
        number % 31,
        mixed % 90_000,
        u64::from(number) * 17_123,
        number / 20_000,
    );
    Layout::cdx11().parse(line.as_bytes()).unwrap().into_owned()
}

fn lines(format: &Format, captures: &[Capture<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(captures.len() * 300);
    for capture in captures {
        format.write(capture, &mut out);
        out.push(b'\n');
    }
    out
}

fn read(text: &[u8]) -> usize {
    let mut reader = Reader::with_limits(text, Limits::default());
    let mut sum = 0;
    while let Some(capture) = reader.next_capture() {
        sum += capture.unwrap().url.map_or(0, |url| url.len());
    }
    sum
}

fn sort(text: &[u8]) -> usize {
    let mut sorter = Sorter::new(Nowhere, Settings { memory_bytes: usize::MAX, ..Settings::default() });
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        sorter.push(line).unwrap();
    }
    let mut sorted = sorter.finish().unwrap();
    let mut sum = 0;
    while let Some(line) = sorted.next_line().unwrap() {
        sum += line.len();
    }
    sum
}

/// Everything fits in memory, so nothing is ever put here.
struct Nowhere;

impl Spill for Nowhere {
    type Writer = std::io::Empty;
    type Reader = std::io::Empty;

    fn create(&mut self) -> std::io::Result<std::io::Empty> {
        Ok(std::io::empty())
    }

    fn reopen(&mut self, run: std::io::Empty) -> std::io::Result<std::io::Empty> {
        Ok(run)
    }
}

fn measure(name: &str, bytes: usize, mut run: impl FnMut() -> usize) {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<22} {:>8.0} MB/s", bytes as f64 / 1e6 / best);
}
