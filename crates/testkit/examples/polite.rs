//! Harvests a thousand hosts with a pause of a second each: `polite PROGRAM FOLDER`; `cargo xtask bench crawl` runs it.
//!
//! The last line has three numbers: requests a second over half a minute, the shortest pause in milliseconds, and how many of
//! the documents came.
#![allow(clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use testkit::crowd::{Crowd, closest, within};

const HOSTS: u64 = 1000;
/// Enough for the time that is measured and some before and behind it.
const PAGES: u64 = 42;
/// When all hosts are under way, and for how long they are counted.
const FROM: Duration = Duration::from_secs(5);
const SPAN: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder] = words.as_slice() else { panic!("usage: polite PROGRAM FOLDER") };
    let folder = Path::new(folder);
    let crowd = Crowd::start(HOSTS, PAGES);
    let seeds = folder.join("seeds.txt");
    fs::write(&seeds, crowd.seeds()).expect("the folder can be written to");
    let archive = folder.join("archive");
    let made = Command::new(program).arg("init").arg(&archive).output().expect("the program can be run");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let output = Command::new(program)
        .args(["harvest", "--scope", "host", "--delay", "1", "--allow-private", "--quiet"])
        // All hosts have one address here, which is to hold none of them up.
        .args(["--concurrency", "1000", "--per-address", "1000"])
        .arg("--seeds")
        .arg(&seeds)
        .arg("--archive")
        .arg(&archive)
        .stdin(Stdio::null())
        .output()
        .expect("the program can be run");
    if !output.status.success() {
        println!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        return ExitCode::FAILURE;
    }
    let visits = crowd.visits();
    let pages = visits.iter().filter(|visit| visit.target != "/robots.txt").count();
    let rate = within(&visits, FROM, FROM + SPAN) as f64 / SPAN.as_secs_f64();
    let Some((visit, gap)) = closest(&visits) else {
        println!("no host was asked twice");
        return ExitCode::FAILURE;
    };
    println!(
        "{} requests; the closest to another of its host was {}{}",
        visits.len(),
        visit.host,
        visit.target
    );
    println!("{rate:.1} {:.3} {:.4}", gap.as_secs_f64() * 1000.0, pages as f64 / (HOSTS * PAGES) as f64);
    ExitCode::SUCCESS
}
