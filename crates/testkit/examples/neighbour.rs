//! Harvests a site that behaves, alone and beside a hostile one: `neighbour PROGRAM FOLDER`; `cargo xtask bench crawl` runs
//! it.
//!
//! The last line has four numbers: seconds from the first request to the last of the good site alone and beside the other, how
//! many of its documents came then, and seconds by which the crawl overran the time that it was given.
#![allow(clippy::panic, clippy::print_stdout, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testkit::hostile::Hostile;
use testkit::portal::Portal;

const HOST: &str = "good.localhost";
const PAGES: u64 = 300;
/// What a polite crawl waits between two requests to a host; shorter than usual, so that nobody grows old meanwhile.
const DELAY: &str = "0.05";
/// When a crawl has not ended so long after its time it will not.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder] = words.as_slice() else { panic!("usage: neighbour PROGRAM FOLDER") };
    let (portal, hostile) = (Portal::new(PAGES), Hostile::start());
    let serving = portal.serve(Duration::ZERO);
    let good = serving.url(HOST, "/");
    let folder = Path::new(folder);

    let alone = harvest(program, &folder.join("alone"), &[&good], Duration::from_secs(600));
    let first = serving.span();
    println!("alone: {} requests in {first:.1?}; {}", serving.asked().values().sum::<u64>(), alone.said);
    serving.forget();
    // Half as long again, and some: a crawl that is slowed down by more than that is so in any case.
    let time = first.mul_f64(1.5) + Duration::from_secs(5);
    let beside = harvest(program, &folder.join("beside"), &[&good, &hostile.url()], time);
    let second = serving.span();
    println!("beside: {} requests in {second:.1?}; {}", serving.asked().values().sum::<u64>(), beside.said);
    println!("the hostile site was asked {:?}", hostile.asked());
    let share = serving.asked().len() as f64 / portal.everything().count() as f64;
    let over = beside.took.saturating_sub(time).as_secs_f64();
    println!("{:.3} {:.3} {share:.4} {over:.1}", first.as_secs_f64(), second.as_secs_f64());
    ExitCode::SUCCESS
}

struct Harvested {
    took: Duration,
    said: String,
}

fn harvest(program: &str, archive: &Path, urls: &[&str], at_most: Duration) -> Harvested {
    if archive.exists() {
        fs::remove_dir_all(archive).expect("an old archive can be removed");
    }
    let made = Command::new(program).arg("init").arg(archive).output().expect("the program can be run");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let started = Instant::now();
    let mut child = Command::new(program)
        .arg("harvest")
        .args(urls)
        .arg("--archive")
        .arg(archive)
        // All hosts have one address here, which is no reason to let one wait for the other.
        .args(["--scope", "domain", "--delay", DELAY, "--per-address", "64", "--allow-private", "--quiet"])
        .args(["--max-time", &format!("{}s", at_most.as_secs())])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program can be run");
    loop {
        let took = started.elapsed();
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => return Harvested { took, said: status.to_string() },
            None if took > at_most + PATIENCE => {
                child.kill().and_then(|()| child.wait()).expect("a child can be killed");
                return Harvested { took, said: "it did not end and was killed".to_owned() };
            }
            None => thread::park_timeout(Duration::from_millis(10)),
        }
    }
}
