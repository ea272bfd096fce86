//! How fast records are packed, and how small: `press [FILE…]`. Without files, the bodies of a made-up crawl: pages, then images.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::time::Duration;

use testkit::corpus::{Corpus, Kind};
use warc::{Draft, Encoding, Press, RecordType, Version, Writer};

fn main() {
    let files: Vec<Vec<u8>> = std::env::args().skip(1).map(|path| std::fs::read(path).unwrap()).collect();
    if !files.is_empty() {
        measure("files", &files);
        return;
    }
    let captures: Vec<_> = Corpus::new(1).captures().take(3000).collect();
    let of = |wanted: Kind| -> Vec<Vec<u8>> {
        let chosen = captures.iter().filter(|capture| capture.kind == wanted);
        chosen.map(|capture| capture.response.clone()).filter(|response| response.len() > 4000).collect()
    };
    measure("pages", &of(Kind::Page));
    measure("images", &of(Kind::Image));
}

fn measure(what: &str, blocks: &[Vec<u8>]) {
    // Enough of them for a clock that ticks a hundred times a second.
    let bytes: usize = blocks.iter().map(Vec::len).sum();
    let blocks: Vec<&[u8]> =
        std::iter::repeat_n(blocks, 1 + (50 << 20) / bytes.max(1)).flatten().map(Vec::as_slice).collect();
    let bytes: usize = blocks.iter().map(|block| block.len()).sum();
    println!("{what}: {} blocks, {} bytes each", blocks.len(), bytes / blocks.len().max(1));
    let date = "2026-11-15T10:11:12Z".parse().unwrap();
    let draft = Draft::new(Version::Warc1_1, &RecordType::Response, "urn:uuid:1", date).target_uri("urn:x");
    let show = |name: &str, time: Duration, packed: usize| {
        let speed = bytes as f64 / time.as_secs_f64() / 1e6;
        let each = time.as_secs_f64() * 1e6 / blocks.len() as f64;
        println!(
            "{name:>14} {speed:7.0} MB/s {each:6.1} µs each, to {:4.1} %",
            packed as f64 * 100.0 / bytes as f64
        );
    };
    for level in [1, 4, 6] {
        let (time, packed) = best(|| {
            let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(level)).unwrap();
            for block in &blocks {
                writer.write(&draft, block).unwrap();
            }
            writer.into_inner().len()
        });
        show(&format!("stream {level}"), time, packed);
    }
    for level in [0, 1, 2, 3, 4, 5, 6, 7, 9] {
        let (time, packed) = best(|| {
            let mut press = Press::default();
            let mut out = Vec::new();
            for block in &blocks {
                press.pack(&draft, block, level, &mut out).unwrap();
            }
            out.len()
        });
        show(&format!("press {level}"), time, packed);
    }
}

/// The best of five, in the time that this thread was on a processor: others use the machine as well.
fn best(mut run: impl FnMut() -> usize) -> (Duration, usize) {
    let timed = |_| {
        let start = on_processor();
        let packed = run();
        (on_processor() - start, packed)
    };
    (0..5).map(timed).min().unwrap()
}

fn on_processor() -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(said.split(' ').next().unwrap().parse().unwrap())
}
