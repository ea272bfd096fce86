//! How fast the index is: `cargo run --release -p index --example speed [ROWS] [COMMITS] [LEAF_BYTES] [LEVEL]`.
//!
//! Publishes made-up rows as a crawl has them, then looks up keys, URLs and digests that are there and that are not.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::path::Path;
use std::time::Instant;

use cdx::{Capture, Extra, Timestamp, Value};
use index::{Commit, Error, Index, Settings};

const LOOKUPS: u64 = 20_000;

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u64| words.next().map_or(default, |word| word.parse().unwrap());
    let (rows, commits) = (number(2_000_000), number(1));
    let usual = Settings::default();
    let leaf_bytes = number(usual.leaf_bytes as u64) as usize;
    let settings = Settings { leaf_bytes, level: number(usual.level as u64) as i32, ..usual };
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("index");

    publish(&folder, rows, commits, settings);
    let entries = std::fs::read_dir(&folder).unwrap();
    let bytes: u64 = entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let segments = std::fs::read_dir(&folder).unwrap().count() - 2;
    println!("on disk: {:.1} bytes/row in {segments} segments", bytes as f64 / rows as f64);

    let asked: Vec<Question> =
        (0..LOOKUPS).map(|number| Question::new(page(scatter(number) % rows, rows))).collect();
    let empty = memory("VmRSS");
    let start = Instant::now();
    let index = Index::open(&folder).unwrap();
    let snapshot = index.snapshot().unwrap();
    println!("open: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    for round in ["first", "second", "third"] {
        println!("{round} round:");
        look_up(&index, &snapshot, &asked);
    }
    println!("memory: {empty} before the index was opened, {} now", memory("VmRSS"));

    let start = Stopwatch::start();
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let count = snapshot.range(&everything).map(Result::unwrap).count() as u64;
    assert_eq!(count, rows);
    println!("range over all: {} rows", start.per_second(rows));
}

fn publish(folder: &Path, rows: u64, commits: u64, settings: Settings) {
    let index = Index::open_with(folder, settings).unwrap();
    let share = |commit: u64| (0..rows / commits).map(move |row| page(row * commits + commit, rows));
    let start = Stopwatch::start();
    let made = share(0).filter(|page| page.offset.is_some()).count() as u64;
    println!("making rows up: {} rows, which is part of what follows", start.per_second(made));
    let start = Stopwatch::start();
    for commit in 0..commits {
        let name = format!("job-{commit}");
        let about = Commit { name, at: jiff::Timestamp::UNIX_EPOCH, facts: Vec::new() };
        index.publish(&about, share(commit).map(Ok::<_, Error>)).unwrap();
    }
    println!("publish: {} rows; the most memory {}", start.per_second(rows), memory("VmHWM"));
}

/// What is asked for, made beforehand.
struct Question {
    key: String,
    url: String,
    digest: String,
    other_key: String,
    other_url: String,
    other_digest: String,
}

impl Question {
    fn new(page: Capture<'static>) -> Question {
        let text = |text: Option<std::borrow::Cow<'static, str>>| text.unwrap().into_owned();
        let (key, url, digest) = (text(page.key), text(page.url), text(page.digest));
        let other = |text: &str| format!("{text}x");
        Question {
            other_key: other(&key),
            other_url: other(&url),
            other_digest: other(&digest),
            key,
            url,
            digest,
        }
    }
}

fn look_up(index: &Index, snapshot: &index::Snapshot, asked: &[Question]) {
    let at: jiff::Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
    let time = |what: &str, expect: bool, ask: &dyn Fn(&Question) -> bool| {
        let start = Stopwatch::start();
        let found = asked.iter().filter(|question| ask(question)).count();
        assert_eq!(found, if expect { asked.len() } else { 0 }, "{what}");
        println!("  {what}: {}", start.each(asked.len() as u64));
    };
    time("snapshot, unchanged", true, &|_| index.snapshot().unwrap().rows() > 0);
    time("key, hit", true, &|question| snapshot.nearest(&question.key, at).unwrap().is_some());
    time("key, miss", false, &|question| snapshot.nearest(&question.other_key, at).unwrap().is_some());
    time("url, hit", true, &|question| snapshot.latest(&question.url).unwrap().is_some());
    time("url, miss", false, &|question| snapshot.latest(&question.other_url).unwrap().is_some());
    time("digest, hit", true, &|question| snapshot.by_digest(&question.digest).unwrap().is_some());
    time("digest, miss", false, &|question| snapshot.by_digest(&question.other_digest).unwrap().is_some());
}

/// Time by the clock and on the processor: on a busy machine only the latter tells anything.
struct Stopwatch {
    clock: Instant,
    processor: f64,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { clock: Instant::now(), processor: processor() }
    }

    fn seconds(&self) -> (f64, f64) {
        (self.clock.elapsed().as_secs_f64(), processor() - self.processor)
    }

    fn per_second(&self, count: u64) -> String {
        let (clock, processor) = self.seconds();
        format!(
            "{:.0}/s by the clock, {:.0}/s of processor time;",
            count as f64 / clock,
            count as f64 / processor
        )
    }

    fn each(&self, count: u64) -> String {
        let (clock, processor) = self.seconds();
        let each = |seconds: f64| seconds * 1e6 / count as f64;
        format!("{:.2} µs by the clock, {:.2} µs of processor time", each(clock), each(processor))
    }
}

/// Seconds that this thread ran.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).unwrap_or_default() / 1e9
}

/// The row of this number, in the order of keys: hosts of 200 pages, as a crawl has them.
fn page(number: u64, rows: u64) -> Capture<'static> {
    let (host, page) = (number / 200, number % 200);
    let noise = scatter(number);
    let path = format!("section-{}/page-{page:05}.html", page / 20);
    let (day, hour, minute, second) = (noise % 28, (noise >> 8) % 24, (noise >> 16) % 60, (noise >> 24) % 60);
    let text = |name: &'static str, text: String| Extra::new(name, Value::Text(text.into()));
    Capture {
        key: Some(format!("org,example,host{host:07})/{path}").into()),
        timestamp: Timestamp::from_number(
            20_260_101_000_000 + day * 1_000_000 + hour * 10_000 + minute * 100 + second,
        ),
        url: Some(format!("https://www.host{host:07}.example.org/{path}").into()),
        mime: Some(if noise.is_multiple_of(5) { "image/jpeg" } else { "text/html" }.into()),
        status: Some(200),
        digest: Some(digest(number).into()),
        length: Some(3000 + noise % 20_000),
        offset: Some(scatter(noise) % 1_000_000_000),
        filename: Some(format!("host-20260101000000/host-20260101000000-{:05}.warc.gz", noise % 30).into()),
        extra: vec![
            text("rid", uuid(scatter(number + rows), scatter(number + 2 * rows))),
            text("lastmod", "Thu, 01 Jan 2026 00:00:00 GMT".to_owned()),
            text("hops", "LL".to_owned()),
            text("commit", "host-20260101000000".to_owned()),
            text("date", format!("2026-01-01T00:00:00.{:03}Z", noise % 1000)),
        ],
        ..Capture::default()
    }
}

fn digest(number: u64) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let letter = |at| letters.get(scatter(number.wrapping_mul(64) + at) as usize % letters.len());
    (0..52)
        .filter_map(letter)
        .fold("sha256:".to_owned(), |digest, letter| digest + char::from(*letter).encode_utf8(&mut [0; 4]))
}

fn uuid(one: u64, two: u64) -> String {
    let (first, second, third) = (one >> 32, (one >> 16) & 0xffff, one & 0xfff);
    format!(
        "urn:uuid:{first:08x}-{second:04x}-4{third:03x}-a{:03x}-{:012x}",
        two >> 52,
        two & 0xffff_ffff_ffff
    )
}

/// Any number to any other.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

/// What the system says of our memory.
fn memory(what: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
    line.unwrap_or("unknown").trim().to_owned()
}
