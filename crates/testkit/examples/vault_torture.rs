//! Lets everything go wrong with the vault of a program, round by round, and says how it went: see `cargo xtask torture store`.

// Whoever runs it reads what it says.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::ExitCode;

use testkit::vault_torture::VaultTorture;

/// Program, folder, rounds, seed.
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, rounds, seed] = &words[..] else {
        println!("usage: vault_torture PROGRAM FOLDER ROUNDS SEED");
        return ExitCode::FAILURE;
    };
    let (Ok(rounds), Ok(seed)) = (rounds.parse::<u64>(), seed.parse::<u64>()) else {
        println!("rounds and seed are numbers");
        return ExitCode::FAILURE;
    };
    let Some(mut torture) = VaultTorture::start(Path::new(program), Path::new(folder)) else {
        println!("without these nothing is shown");
        return ExitCode::FAILURE;
    };
    let mut faults = 0;
    for number in 0..rounds {
        if let Err(fault) = torture.round(seed.wrapping_add(number)) {
            faults += 1;
            println!("round {number}, seed {}: {fault}\n", seed.wrapping_add(number));
        }
        if number % 50 == 49 {
            println!("{}\n", torture.figures());
        }
    }
    println!("{}\n{rounds} rounds from seed {seed}, {faults} with faults", torture.figures());
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
