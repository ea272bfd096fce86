//! `cargo xtask torture crawl`: crawls are killed at random moments, resumed, and held against one left in peace. `cargo xtask torture
//! store`: everything goes wrong with the files that are kept, and none may be lost.
//!
//! The work is done by examples of `testkit`; short versions of it are among the tests of `varve`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail, ensure};

use crate::step::Step;
use crate::{debian, places, tools};

/// What is tortured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Crawl,
    Store,
}

impl Victim {
    /// The example that does it, and how many rounds it goes unless told otherwise.
    fn example(self) -> (&'static str, u64) {
        match self {
            Victim::Crawl => ("torture", 200),
            Victim::Store => ("vault_torture", 500),
        }
    }
}

/// Runs `--rounds N` rounds from `--seed N`.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (victim, rounds, seed) = arguments(words)?;
    let (example, _) = victim.example();
    if victim == Victim::Store {
        debian::install(&debian::FOR_TORTURE_STORE)?;
        tools::install()?;
    }
    // Any seed will do; it is printed, so that a round can be had again.
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = seed.unwrap_or_else(now);
    Step::cargo("build", "build --release --package varve").run()?;
    Step::cargo("build", "build --release --package testkit --features servers --example")
        .args([example])
        .run()?;
    let target = places::target();
    let folder = target.join("torture");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    println!("{rounds} rounds from seed {seed}");
    let status = Command::new(target.join("release").join("examples").join(example))
        .arg(target.join("release").join("varve"))
        .arg(&folder)
        .args([rounds.to_string(), seed.to_string()])
        .env("PATH", places::search_path())
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot run `{example}`"))?;
    ensure!(status.success(), "there are faults; their archives are in `{}`", folder.display());
    Ok(())
}

fn arguments(words: &[&str]) -> anyhow::Result<(Victim, u64, Option<u64>)> {
    let (victim, words) = match words {
        ["crawl", words @ ..] => (Victim::Crawl, words),
        ["store", words @ ..] => (Victim::Store, words),
        _ => bail!("name what is to be tortured: `crawl` or `store`"),
    };
    let (_, mut rounds) = victim.example();
    let mut seed = None;
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
    Ok((victim, rounds, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_seed_are_told_apart() {
        assert_eq!(arguments(&["crawl"]).unwrap(), (Victim::Crawl, 200, None));
        assert_eq!(arguments(&["store"]).unwrap(), (Victim::Store, 500, None));
        assert_eq!(
            arguments(&["crawl", "--seed", "7", "--rounds", "3"]).unwrap(),
            (Victim::Crawl, 3, Some(7))
        );
        assert!(arguments(&[]).is_err() && arguments(&["crawl", "--rounds"]).is_err());
        assert!(arguments(&["crawl", "fast"]).unwrap_err().to_string().contains("--rounds"));
    }
}
