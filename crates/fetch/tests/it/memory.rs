//! The misbehaviour suite within 256 MB, and a body of more than a gigabyte. (Issue 3, acceptance 3.)
//!
//! What counts is the memory that a process really had at its peak (`VmHWM`), so the suite runs in a process of its own:
//! this same test, started again by itself with the servers left in the first process. A limit on the address space
//! (`RLIMIT_AS`) would measure something else: stacks of threads and a file mapped for reading count there in full,
//! touched or not.

use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

use fetch::{Fetcher, Settings};
use testkit::misbehave::{Misbehave, table};
use testkit::server::{Place, Server};

use crate::expected::EXPECTED;
use crate::fetcher::{get, request, settings, wait};
use crate::misbehaviour::{request_of, settings_of, wrong_outcome};

/// Where the second process finds the servers: `name url`, one a line.
const SERVERS: &str = "VARVE_TEST_SERVERS";

const MEGABYTE: u64 = 1 << 20;
const PEAK_MAX: u64 = 256 * MEGABYTE;

/// The body that is larger than the memory that there may be.
const LARGE: u64 = 1100 * MEGABYTE;

/// So many endless bodies at once.
const AT_ONCE: usize = 64;

#[test]
fn the_suite_needs_less_than_256_megabytes() {
    match std::env::var(SERVERS) {
        Ok(servers) => in_second_process(&servers),
        Err(_) => in_first_process(),
    }
}

fn in_first_process() {
    let misbehave = Misbehave::start();
    let large = Server::answering(&Place::default(), |wire, _| {
        wire.send(format!("HTTP/1.1 200 OK\r\nContent-Length: {LARGE}\r\n\r\n").as_bytes())?;
        let piece = vec![b'v'; MEGABYTE as usize];
        (0..LARGE / MEGABYTE).try_for_each(|_| wire.send(&piece))?;
        Ok(true)
    });
    let mut servers: String =
        table().map(|row| format!("{} {}\n", row.name, misbehave.url(row.name))).collect();
    servers += &format!("large {}\n", large.url("/"));
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::the_suite_needs_less_than_256_megabytes", "--nocapture"])
        .env(SERVERS, servers)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let peak = said.lines().find_map(|line| line.split_once("peak: ")).map(|(_, peak)| peak);
    println!("{}", peak.expect("the second process says how much it needed"));
}

fn in_second_process(servers: &str) {
    let urls: HashMap<&str, &str> = servers.lines().filter_map(|line| line.split_once(' ')).collect();
    for row in EXPECTED {
        let exchange = wait(async {
            Fetcher::new(settings_of(row)).unwrap().fetch(request_of(row.0, urls[row.0])).await
        });
        assert_eq!(wrong_outcome(row, &exchange), None);
    }
    many_at_once(urls["endless-body"]);
    bomb(urls["gzip-bomb"]);
    let exchange = get(patient(), urls["large"]);
    assert_eq!((exchange.outcome.code(), exchange.body_bytes()), ("complete", LARGE));
    assert!(exchange.response.is_spilled());
    let read = std::io::copy(&mut exchange.body(), &mut std::io::sink()).unwrap();
    assert_eq!(read, LARGE);
    let peak = peak();
    println!("peak: {} MB", peak / MEGABYTE);
    assert!(peak < PEAK_MAX, "{} MB", peak / MEGABYTE);
}

/// Settings under which only silence comes to its end by time. How long half a gigabyte and more takes depends on what else
/// the machine does, and is not what is measured here; how long one server says nothing hardly does.
fn patient() -> Settings {
    let mut settings = settings();
    settings.timeouts.whole = Duration::from_secs(3600);
    settings
}

/// Bodies without end, each cut off at eight megabytes, of which one is held in memory.
fn many_at_once(url: &str) {
    let mut settings = patient();
    settings.limits.body_bytes = 8 * MEGABYTE;
    wait(async {
        let fetcher = Fetcher::new(settings).unwrap();
        let all: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (fetcher, request) = (fetcher.clone(), request(url));
                tokio::spawn(async move { fetcher.fetch(request).await })
            })
            .collect();
        let mut held = Vec::new();
        for exchange in all {
            held.push(exchange.await.unwrap());
        }
        let outcomes: Vec<_> = held.iter().map(|exchange| exchange.outcome.code()).collect();
        assert_eq!(outcomes, ["truncated-length"; AT_ONCE]);
    });
}

/// A bomb, unfolded up to twice the memory that there may be.
fn bomb(url: &str) {
    let exchange = get(patient(), url);
    let mut document = exchange.document(2 * PEAK_MAX).unwrap();
    assert!(std::io::copy(&mut document, &mut std::io::sink()).is_err());
}

/// The most memory that this process ever had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}
