//! How fast an index is loaded, how small it is, how quickly it answers: `cargo run --release -p index --example load FOLDER ROWS`.
//!
//! Makes a sorted CDX file of 11 columns up, as a crawl of many hosts leaves it, loads it, and asks for what is there and what is not. The
//! last line has the figures for `cargo xtask bench access`: rows per second, bytes of CDX text, bytes of the index, and microseconds for
//! a capture by key and time, by URL, by digest, for a key that is not there, and for the first 100 captures of a host, in processor time.
//!
//! What is made up: 40 % of the hosts of registered domains under some top-level domains, with subdomains; 1 to 2,000 pages each (most
//! have few); paths of words, dates, numbers and queries, of which a tenth is in mixed case; each page captured 1 to 8 times in six years; a
//! digest in base 32 for each capture, of which three in ten are that of the capture before; a tenth revisits; media types and
//! status codes as they are usual; lengths around 8 KB; offsets up to 1 GB; files of 40,000 records with names of 60 letters, in the order
//! of crawling and not of keys. The numbers come from a fixed seed.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

use index::{BadLines, Index, Input, Settings};
use rustix::time::{ClockId, clock_gettime};

const LOOKUPS: usize = 20_000;

/// From here on the lines are not put into a file first, which would be larger than many disks: they are made up while they are loaded, which
/// makes loading slower.
const ROWS_OF_A_FILE: u64 = 5_000_000;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(words.next().expect("a folder"));
    let rows: u64 = words.next().map_or(1_000_000, |word| word.parse().unwrap());
    let usual = Settings::default();
    let mut number = |default: usize| words.next().map_or(default, |word| word.parse().unwrap());
    let leaf_bytes = number(usual.leaf_bytes);
    let level = number(usual.level as usize) as i32;
    let settings = Settings { leaf_bytes, level, ..usual };
    std::fs::create_dir_all(&folder).unwrap();
    let place = folder.join("index");
    let index = Index::open_with(&place, settings).unwrap();

    let (made, load) = if index.snapshot().unwrap().rows() == rows {
        // Loaded before: it is asked only.
        (make(std::io::sink(), rows), 0.0)
    } else if rows <= ROWS_OF_A_FILE {
        through_file(&index, &folder, rows)
    } else {
        through_pipe(&index, rows)
    };
    let (asked, text_bytes) = made;
    let bytes: u64 =
        std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let each = |bytes: u64| bytes as f64 / rows as f64;
    println!(
        "{rows} rows: {load:.0} rows/s; {:.1} bytes/row of text, {:.1} of index: {:.3}",
        each(text_bytes),
        each(bytes),
        bytes as f64 / text_bytes as f64
    );

    // Asked of what is open already; the files are in the memory of the system, or as much of them as fits there.
    let index = Index::open(&place).unwrap();
    let snapshot = index.snapshot().unwrap();
    let mut figures = Vec::new();
    let mut time = |what: &str, ask: &dyn Fn(&Question) -> bool| {
        let mut best = f64::MAX;
        for _ in 0..3 {
            let start = processor();
            assert!(asked.iter().all(ask), "{what}");
            best = best.min((processor() - start) * 1e6 / asked.len() as f64);
        }
        println!("{what}: {best:.2} µs");
        figures.push(best);
    };
    time("by key and time", &|question| snapshot.nearest(&question.key, question.at).unwrap().is_some());
    time("by URL", &|question| snapshot.latest(&question.url).unwrap().is_some());
    time("by digest", &|question| snapshot.by_digest(&question.digest).unwrap().is_some());
    time("a key that is not there", &|question| {
        snapshot.nearest(&question.other, question.at).unwrap().is_none()
    });
    time("100 of a host", &|question| snapshot.range(&question.host).take(100).all(|row| row.is_ok()));
    let figures: Vec<String> = figures.iter().map(|figure| format!("{figure:.3}")).collect();
    println!("{load:.0} {text_bytes} {bytes} {}", figures.join(" "));
}

type Made = (Vec<Question>, u64);

/// Loads a file; rows per second.
fn through_file(index: &Index, folder: &Path, rows: u64) -> (Made, f64) {
    let text = folder.join("made-up.cdx");
    let made = make(BufWriter::with_capacity(1 << 20, File::create(&text).unwrap()), rows);
    let load = load(index, File::open(&text).unwrap(), rows);
    std::fs::remove_file(&text).unwrap();
    (made, load)
}

/// Loads what is made up meanwhile.
fn through_pipe(index: &Index, rows: u64) -> (Made, f64) {
    let (reader, writer) = std::io::pipe().unwrap();
    let maker = std::thread::spawn(move || make(BufWriter::with_capacity(1 << 20, writer), rows));
    let load = load(index, reader, rows);
    (maker.join().unwrap(), load)
}

fn load(index: &Index, lines: impl Read + 'static, rows: u64) -> f64 {
    let lines = Box::new(BufReader::with_capacity(1 << 18, lines));
    let (start, before) = (Instant::now(), processor());
    let loaded =
        index.load(None, vec![Input { name: "made up".to_owned(), lines }], BadLines::Refuse).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!((loaded.rows, loaded.bad), (rows, 0));
    println!("loaded in {seconds:.1} s, of which this thread ran {:.1}", processor() - before);
    rows as f64 / seconds
}

/// Seconds that this thread ran, to the microsecond: on a busy machine the clock tells nothing of how long an answer takes, and what the
/// kernel counts by its ticks nothing of answers that take less than one.
fn processor() -> f64 {
    let ran = clock_gettime(ClockId::ThreadCPUTime);
    ran.tv_sec as f64 + ran.tv_nsec as f64 / 1e9
}

/// What is asked for.
struct Question {
    key: String,
    url: String,
    digest: String,
    at: jiff::Timestamp,
    other: String,
    host: urlkey::KeyRange,
}

impl Question {
    fn of(line: &str) -> Option<Question> {
        let columns: Vec<&str> = line.split(' ').collect();
        let [key, time, url, mime, _, digest, ..] = columns.as_slice() else { return None };
        let host = urlkey::key_range(url, urlkey::Match::Host).ok()?;
        (*mime != "warc/revisit").then(|| Question {
            key: (*key).to_owned(),
            url: (*url).to_owned(),
            digest: (*digest).to_owned(),
            at: urlkey::time::parse_14_clamped(time),
            other: format!("{key}x"),
            host,
        })
    }
}

/// In no order that would help.
fn mix(asked: &mut [Question]) {
    let count = asked.len() as u64;
    for at in (1..asked.len()).rev() {
        asked.swap(at, (scatter(at as u64) % count.min(at as u64 + 1)) as usize);
    }
}

/// Writes the lines: what to ask for of them, and how many bytes they are.
fn make(mut out: impl Write, rows: u64) -> Made {
    out.write_all(b" CDX N b a m s k r M S V g\n").unwrap();
    let mut hosts: Vec<(String, String, u64)> = Vec::new();
    let mut sum = 0;
    // Enough hosts for all rows: about 40 rows for each in the middle.
    for number in 0.. {
        let pages = pages_of(number);
        hosts.push(host(number, pages));
        sum += pages * 3;
        if sum > rows * 2 {
            break;
        }
    }
    hosts.sort();
    hosts.dedup_by(|left, right| left.0 == right.0);
    let mut world = World {
        rows,
        written: 0,
        files: rows / 40_000 + 1,
        last_digest: String::new(),
        line: Vec::new(),
        bytes: 0,
        asked: Vec::new(),
    };
    for (surt, name, pages) in &hosts {
        let seed = scatter(hash(surt) ^ pages);
        let mut paths: Vec<(String, String)> = (0..*pages)
            .map(|page| path(scatter(page ^ seed)))
            .map(|path| (urlkey::key(&format!("http://{name}{path}")), path))
            .collect();
        paths.sort();
        paths.dedup_by(|left, right| left.0 == right.0);
        for (key, path) in &paths {
            world.page(&mut out, surt, name, key, path);
            if world.written == rows {
                break;
            }
        }
        if world.written == rows {
            break;
        }
    }
    assert_eq!(world.written, rows, "too few hosts");
    out.flush().unwrap();
    mix(&mut world.asked);
    (world.asked, world.bytes)
}

/// What is written so far.
struct World {
    rows: u64,
    written: u64,
    files: u64,
    last_digest: String,
    line: Vec<u8>,
    bytes: u64,
    asked: Vec<Question>,
}

impl World {
    /// All captures of a page.
    fn page(&mut self, out: &mut impl Write, surt: &str, name: &str, key: &str, path: &str) {
        let noise = hash(key) ^ hash(surt);
        let captures = 1 + [0, 0, 0, 1, 1, 2, 3, 7][(noise % 8) as usize];
        let scheme = if noise % 5 < 2 { "http" } else { "https" };
        let www = if hash(surt).is_multiple_of(3) { "www." } else { "" };
        let mime = [
            "text/html",
            "text/html",
            "text/html",
            "text/html",
            "image/jpeg",
            "image/png",
            "text/css",
            "application/javascript",
            "application/pdf",
            "text/html",
        ][(noise >> 8) as usize % 10];
        let mut times: Vec<u64> = (0..captures).map(|capture| time(scatter(noise + capture))).collect();
        times.sort_unstable();
        for (number, time) in times.iter().enumerate().take((self.rows - self.written) as usize) {
            let noise = scatter(noise ^ *time);
            let is_same = number > 0 && noise % 10 < 4;
            if !is_same {
                self.last_digest = digest(noise);
            }
            let is_revisit = is_same && noise.is_multiple_of(3);
            let status = match noise % 100 {
                _ if is_revisit => "-",
                0..88 => "200",
                88..93 => "301",
                93..96 => "302",
                96..99 => "404",
                _ => "503",
            };
            let mime = if is_revisit { "warc/revisit" } else { mime };
            let length = 400 + (1 << (6 + (noise >> 20) % 10)) + (noise >> 30) % 3000;
            // A file has what was fetched about one time.
            let file = (*time / 1_000_000 * 7 + noise % 40) % self.files;
            let name_of_file = format!(
                "NATIONAL-{}-{}-{file:05}-crawler{:02}.example.org-8443.warc.gz",
                2019 + file % 6,
                20_190_101_000_000 + file * 1_000_000 + scatter(file) % 240_000,
                file % 12
            );
            self.line.clear();
            let (digest, offset) = (&self.last_digest, (noise >> 12) % 1_000_000_000);
            writeln!(
                self.line,
                "{key} {time} {scheme}://{www}{name}{path} {mime} {status} {digest} - - {length} {offset} {name_of_file}"
            )
            .unwrap();
            out.write_all(&self.line).unwrap();
            self.bytes += self.line.len() as u64;
            self.ask(number as u64);
        }
        self.written += captures.min(self.rows - self.written);
    }

    /// Takes a line here and there to ask for.
    fn ask(&mut self, number: u64) {
        let step = (self.rows / (LOOKUPS as u64 * 3 / 2)).max(1);
        if (self.written + number).is_multiple_of(step) && self.asked.len() < LOOKUPS {
            self.asked.extend(Question::of(str::from_utf8(&self.line).unwrap().trim_end()));
        }
    }
}

const WORDS: [&str; 40] = [
    "news",
    "about",
    "images",
    "article",
    "2021",
    "sport",
    "blog",
    "archive",
    "wp-content",
    "uploads",
    "category",
    "tag",
    "page",
    "products",
    "forum",
    "thread",
    "user",
    "static",
    "assets",
    "media",
    "de",
    "en",
    "aktuelles",
    "veranstaltungen",
    "kontakt",
    "politik",
    "kultur",
    "wirtschaft",
    "library",
    "research",
    "docs",
    "download",
    "events",
    "gallery",
    "team",
    "projects",
    "history",
    "shop",
    "item",
    "search",
];

fn host(number: u64, pages: u64) -> (String, String, u64) {
    let noise = scatter(number + 77);
    let top = ["com", "org", "de", "cz", "dk", "net", "info", "eu"][(noise % 8) as usize];
    let name = format!(
        "{}{}{}",
        WORDS[(noise >> 8) as usize % 40].trim_matches(char::is_numeric),
        ["", "-", "", "net"][(noise >> 16) as usize % 4],
        base36(number ^ (noise >> 44))
    );
    match (noise >> 24) % 5 {
        0 => (format!("{top},{name},blog"), format!("blog.{name}.{top}"), pages),
        1 => (
            format!("{top},{name},{}", WORDS[(noise >> 32) as usize % 40]),
            format!("{}.{name}.{top}", WORDS[(noise >> 32) as usize % 40]),
            pages,
        ),
        _ => (format!("{top},{name}"), format!("{name}.{top}"), pages),
    }
}

/// Most hosts have few pages, some have thousands.
fn pages_of(number: u64) -> u64 {
    let noise = scatter(number * 3 + 1);
    match noise % 20 {
        0..10 => 1 + (noise >> 8) % 10,
        10..17 => 10 + (noise >> 8) % 90,
        17..19 => 100 + (noise >> 8) % 400,
        _ => 500 + (noise >> 8) % 1500,
    }
}

fn path(noise: u64) -> String {
    let word = |shift: u32| WORDS[(noise >> shift) as usize % 40];
    let number = scatter(noise) % 100_000;
    let path = match noise % 8 {
        0 => format!("/{}/{}/{}-{}-{number}.html", word(8), word(14), word(20), word(26)),
        1 => format!(
            "/{}/{}/{:02}/{}-{}",
            word(8),
            2015 + noise % 11,
            1 + (noise >> 9) % 12,
            word(20),
            word(30)
        ),
        2 => format!("/{}?id={number}", word(8)),
        3 => format!("/{}/{}/{number}.jpg", word(8), word(14)),
        4 => format!("/index.php?page={}&session={:x}", word(8), scatter(noise) >> 40),
        5 => format!("/{}/{}", word(8), word(14)),
        6 => format!(
            "/wp-content/uploads/{}/{:02}/{}-{}x{}.png",
            2015 + noise % 11,
            1 + (noise >> 9) % 12,
            word(20),
            (noise >> 11) % 1000,
            (noise >> 21) % 1000
        ),
        _ => format!("/{}-{}-{}-{number}/", word(8), word(14), word(20)),
    };
    if noise % 10 == 3 { path.replace("-a", "-A").replace("/i", "/I") } else { path }
}

fn time(noise: u64) -> u64 {
    (((((2020 + noise % 6) * 100 + 1 + (noise >> 8) % 12) * 100 + 1 + (noise >> 16) % 28) * 100
        + (noise >> 24) % 24)
        * 100
        + (noise >> 32) % 60)
        * 100
        + (noise >> 40) % 60
}

fn digest(noise: u64) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    (0..32).map(|at| char::from(letters[(scatter(noise.wrapping_mul(64) + at) % 32) as usize])).collect()
}

fn base36(mut number: u64) -> String {
    let mut text = String::new();
    while number > 0 {
        text.push(char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]));
        number /= 36;
    }
    text
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| scatter(hash ^ u64::from(byte)))
}

/// Any number to any other.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}
