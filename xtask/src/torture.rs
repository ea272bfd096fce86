//! `cargo xtask torture crawl`: crawls are killed at random moments, resumed, and held against one left in peace.
//!
//! The work is done by an example of `testkit`; a short version of it is among the tests of `varve`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail, ensure};

use crate::places;
use crate::step::Step;

const ROUNDS: u64 = 200;

/// Runs `--rounds N` rounds from `--seed N`.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (rounds, seed) = arguments(words)?;
    // Any seed will do; it is printed, so that a round can be had again.
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = seed.unwrap_or_else(now);
    Step::cargo("build", "build --release --package varve").run()?;
    Step::cargo("build", "build --release --package testkit --features servers --example torture").run()?;
    let target = places::target();
    let folder = target.join("torture");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    println!("{rounds} rounds from seed {seed}");
    let status = Command::new(target.join("release").join("examples").join("torture"))
        .arg(target.join("release").join("varve"))
        .arg(&folder)
        .args([rounds.to_string(), seed.to_string()])
        .stdin(Stdio::null())
        .status()
        .context("cannot run `torture`")?;
    ensure!(status.success(), "there are faults; their archives are in `{}`", folder.display());
    Ok(())
}

fn arguments(words: &[&str]) -> anyhow::Result<(u64, Option<u64>)> {
    let (mut rounds, mut seed) = (ROUNDS, None);
    let ["crawl", words @ ..] = words else { bail!("name what is to be tortured: `crawl`") };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let number = words.next().with_context(|| format!("`{word}` wants a number"))?;
            number.parse::<u64>().with_context(|| format!("`{number}` is no number"))
        };
        match *word {
            "--rounds" => rounds = number()?,
            "--seed" => seed = Some(number()?),
            other => bail!("there is no option `{other}`, only `--rounds` and `--seed`"),
        }
    }
    Ok((rounds, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_seed_are_told_apart() {
        assert_eq!(arguments(&["crawl"]).unwrap(), (ROUNDS, None));
        assert_eq!(arguments(&["crawl", "--seed", "7", "--rounds", "3"]).unwrap(), (3, Some(7)));
        assert!(arguments(&[]).is_err() && arguments(&["crawl", "--rounds"]).is_err());
        assert!(arguments(&["crawl", "fast"]).unwrap_err().to_string().contains("--rounds"));
    }
}
