//! A crawl that fetches nothing: fills a frontier, then takes and settles pages as an engine would, and says how fast.
//!
//! `cargo run --release -p frontier --example crawl FOLDER [QUEUED [PAGES [HOSTS]]]`. Pages have twenty links: a dozen that
//! every page of the host has, seven to pages of the host that were queued at some time before, and one that is new. Ten
//! turns are taken, then settled, at a time. Only time spent in the frontier counts, not that of making links up.
//!
//! The last five words are entries queued per second while filling, entries queued, taken and settled per second without
//! other links, pages per second, seconds to open it again, and the most resident bytes.

// An example is run by a person, who wants to see something.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use frontier::{End, Frontier, Settings, Settled, Turn, Wish};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Wishes that are offered at once while filling.
const OFFERED: u64 = 100;
/// Turns that are settled at once.
const SETTLED: usize = 10;
/// Links of a page that all pages of its host have, and links to some other page of the host.
const COMMON: u64 = 12;
const OTHERS: u64 = 7;
/// Pages after which the frontier is synced, as an engine does every second or so.
const SYNCED: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("name a folder")?;
    let mut numbers = words.map(|word| word.parse::<u64>());
    let mut number = |default| numbers.next().unwrap_or(Ok(default));
    let (queued, pages, hosts) = (number(1_000_000)?, number(500_000)?, number(10_000)?);

    let mut web = Web::new(hosts);
    let frontier = Frontier::open(Path::new(&folder), &Settings::default())?;
    let mut stopwatch = Stopwatch::default();
    web.fill(&frontier, queued, &mut stopwatch)?;
    let filling = stopwatch.say("queued", queued);

    let mut stopwatch = Stopwatch::default();
    web.crawl(&frontier, pages, Links::New, &mut stopwatch)?;
    let passing = stopwatch.say("queued, taken, settled", pages);

    let mut stopwatch = Stopwatch::default();
    web.crawl(&frontier, pages, Links::Many, &mut stopwatch)?;
    let crawling = stopwatch.say("pages with twenty links", pages);

    println!("{:?}", frontier.counts());
    drop(frontier);
    let start = Instant::now();
    let frontier = Frontier::open(Path::new(&folder), &Settings::default())?;
    let opening = start.elapsed().as_secs_f64();
    println!("opened in {opening:.2} s, {} hosts wait", frontier.waiting().len());
    println!("{filling:.0} {passing:.0} {crawling:.0} {opening:.2} {}", status("VmHWM:"));
    Ok(())
}

/// What is found on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    /// One new link.
    New,
    /// One new link, and many that lead to where we have been.
    Many,
}

/// A made-up web.
struct Web {
    hosts: u64,
    /// Pages of each host that were offered.
    pages: Vec<u64>,
    random: u64,
}

impl Web {
    fn new(hosts: u64) -> Web {
        Web { hosts, pages: vec![0; usize::try_from(hosts).unwrap_or(0)], random: 0x9e37_79b9_7f4a_7c15 }
    }

    fn fill(
        &mut self,
        frontier: &Frontier,
        queued: u64,
        stopwatch: &mut Stopwatch,
    ) -> Result<(), frontier::Error> {
        let mut left = queued;
        while left > 0 {
            let count = left.min(OFFERED);
            // Links of one page: most are of one host.
            let main = self.any(self.hosts);
            let wishes = (0..count).map(|n| {
                let host = if n % 4 == 0 { self.any(self.hosts) } else { main };
                self.new_page(host)
            });
            let wishes = wishes.collect();
            stopwatch.time(|| frontier.offer(wishes))?;
            left -= count;
        }
        Ok(())
    }

    fn crawl(
        &mut self,
        frontier: &Frontier,
        pages: u64,
        links: Links,
        stopwatch: &mut Stopwatch,
    ) -> Result<(), frontier::Error> {
        let (mut done, mut host) = (0, 0);
        while done < pages {
            // Each host in turn: that is what politeness comes to.
            let names: Vec<String> =
                (host..host + SETTLED as u64).map(|host| name(host % self.hosts)).collect();
            let turns = stopwatch.time(|| {
                names
                    .iter()
                    .filter_map(|name| frontier.take(name).transpose())
                    .collect::<Result<Vec<Turn>, _>>()
            })?;
            let settled: Vec<Settled> = turns
                .iter()
                .enumerate()
                .map(|(n, turn)| Settled {
                    id: turn.id,
                    end: End::Done,
                    found: self.links((host + n as u64) % self.hosts, links),
                })
                .collect();
            host += SETTLED as u64;
            let before = done;
            done += settled.len() as u64;
            stopwatch.time(|| frontier.settle(settled, &done.to_be_bytes()))?;
            if before / SYNCED != done / SYNCED {
                stopwatch.time(|| frontier.persist())?;
            }
        }
        Ok(())
    }

    fn links(&mut self, host: u64, links: Links) -> Vec<Wish> {
        let mut found = Vec::new();
        if links == Links::Many {
            let offered = self.pages.get(usize::try_from(host).unwrap_or(0)).copied().unwrap_or(0).max(1);
            found.extend((0..COMMON).map(|page| wish(host, page.min(offered - 1))));
            for _ in 0..OTHERS {
                let page = self.any(offered);
                found.push(wish(host, page));
            }
        }
        let other = if self.any(5) == 0 { self.any(self.hosts) } else { host };
        found.push(self.new_page(other));
        found
    }

    fn new_page(&mut self, host: u64) -> Wish {
        let mut page = 0;
        if let Some(pages) = self.pages.get_mut(usize::try_from(host).unwrap_or(0)) {
            page = *pages;
            *pages += 1;
        }
        wish(host, page)
    }

    fn any(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % below.max(1)
    }
}

fn name(host: u64) -> String {
    format!("www.site-{host}.example")
}

/// A URL of some eighty bytes, as many are.
fn wish(host: u64, page: u64) -> Wish {
    const SECTIONS: [&str; 5] = ["news", "articles/archive", "en/products", "blog", "media/images/large"];
    let section = SECTIONS.get((page % 5) as usize).unwrap_or(&"x");
    let name = name(host);
    let topic = page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Wish {
        url: format!(
            "https://{name}/{section}/20{:02}/a-{topic:x}-page-of-some-length-{page}.html",
            page % 27
        ),
        host: name.clone(),
        via: Some(format!("https://{name}/{section}/index.html")),
        hops: "LLL".to_owned(),
        precedence: if page.is_multiple_of(10) { 1 } else { 2 },
        ..Wish::default()
    }
}

/// How long calls took.
#[derive(Default)]
struct Stopwatch {
    elapsed: Duration,
}

impl Stopwatch {
    fn time<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let value = call();
        self.elapsed += start.elapsed();
        value
    }

    /// Prints, and returns, how many of them went by in a second.
    fn say(&self, what: &str, count: u64) -> f64 {
        let per_second = count as f64 / self.elapsed.as_secs_f64();
        println!("{what}: {count}, {per_second:.0}/s, {:.0} MB resident", status("VmRSS:") as f64 / 1e6);
        per_second
    }
}

/// A line of what the kernel says of this process, in bytes.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0) * 1024
}
