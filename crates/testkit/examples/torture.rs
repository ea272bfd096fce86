//! Kills crawls for as many rounds as one likes: `torture PROGRAM FOLDER ROUNDS SEED`; `cargo xtask torture crawl` runs it.
#![allow(clippy::panic, clippy::print_stdout)]

use std::path::Path;
use std::process::ExitCode;

use testkit::torture::{Round, Torture};

/// Pages of the site; with all that belongs to them some 400 documents.
const PAGES: u64 = 250;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, rounds, seed] = words.as_slice() else {
        panic!("usage: torture PROGRAM FOLDER ROUNDS SEED")
    };
    let number = |text: &String| text.parse::<u64>().expect("a number");
    let (rounds, seed) = (number(rounds), number(seed));
    let torture = match Torture::start(Path::new(program), Path::new(folder), PAGES) {
        Ok(torture) => torture,
        Err(fault) => {
            println!("the undisturbed crawl fails: {fault}");
            return ExitCode::FAILURE;
        }
    };
    let (captures, whole, commit) = torture.undisturbed();
    println!("undisturbed: {captures} captures in {whole:.2?}, of which the commit took {commit:.2?}");
    let (mut all, mut faults) = (Round::default(), 0);
    for number in 0..rounds {
        match torture.round(seed.wrapping_add(number)) {
            Ok(round) => {
                all.kills += round.kills;
                all.in_commit += round.in_commit;
                all.restarts += round.restarts;
                all.repeats += round.repeats;
            }
            Err(fault) => {
                faults += 1;
                println!("round {number}, seed {}: {fault}", seed.wrapping_add(number));
            }
        }
    }
    println!(
        "{rounds} rounds from seed {seed}: {} kills, {} of them within the commit, {} before there was a job, \
         {} captures repeated, {faults} rounds with faults",
        all.kills, all.in_commit, all.restarts, all.repeats
    );
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
