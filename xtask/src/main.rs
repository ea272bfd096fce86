//! The chores of the project, one file each. Two of them are all that a newcomer needs: `cargo xtask test` installs what
//! the tests need and runs everything; `cargo run --release -- up` is the program.

// A chore talks to the person who runs it, reads its own project whole, and measures time.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

mod bench;
mod debian;
mod fuzz;
mod nginx;
mod peers;
mod places;
mod soak;
mod step;
mod test;
mod tidy;
mod tools;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  test            install what the tests need, then check and test everything; what CI runs
  tidy            check the house rules that the compiler cannot
  graph           draw the crate graph in ARCHITECTURE.md
  peers           make the Python environment with the programs that we compare with
  bench <name>    measure against those programs, into docs/benchmarks.md
  fuzz [target]   look for bytes that break a parser, --seconds N for each target (600)
  soak            run everything at once for --minutes N (30), also with --one-address, and judge latency, memory and errors
  torture crawl   kill crawls at random moments and judge what is left: --rounds N (200), --seed N
  torture store   let everything go wrong with the files that are kept, and judge: --rounds N (500), --seed N
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test::run(),
        ["tidy"] => tidy::run(),
        ["graph"] => tidy::graph::write(),
        ["peers"] => peers::make().map(drop),
        ["bench", names @ ..] => bench::run(names),
        ["fuzz", words @ ..] => fuzz::run(words),
        ["soak", words @ ..] => soak::run(words),
        ["torture", words @ ..] => torture::run(words),
        [] | ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("error: there is no chore `{}`\n\n{USAGE}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
