//! Two programs do the same work in turn, and the best time of each counts.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use crate::step::seconds;

/// One side of a contest.
pub(crate) struct Side {
    name: String,
    command: Command,
    /// It prints its own time in seconds, so that an interpreter's start-up does not count against it.
    self_timed: bool,
}

impl Side {
    /// A side whose whole run is measured, start-up included. What it prints is thrown away.
    pub(crate) fn new(name: impl Into<String>, mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Self { name: name.into(), command, self_timed: false }
    }

    /// A side that prints the seconds its work took as its last word, start-up left out.
    pub(crate) fn self_timed(name: impl Into<String>, mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { name: name.into(), command, self_timed: true }
    }

    fn run(&mut self) -> anyhow::Result<Duration> {
        let started = Instant::now();
        let output = self.command.output().with_context(|| format!("cannot run {}", self.name))?;
        let elapsed = started.elapsed();
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{} failed: {}", self.name, complaint.trim());
        if !self.self_timed {
            return Ok(elapsed);
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let time = said.split_whitespace().last().and_then(|word| word.parse().ok());
        let time =
            time.with_context(|| format!("{} does not tell its time: `{}`", self.name, said.trim()))?;
        Ok(Duration::from_secs_f64(time))
    }
}

/// What is compared, and what ratio must be reached.
pub(crate) struct Contest {
    pub(crate) what: String,
    pub(crate) ours: Side,
    pub(crate) peer: Side,
    /// How many times as fast as the peer we must be.
    pub(crate) must: f64,
    /// How many times as fast as the peer we want to be.
    pub(crate) aim: Option<f64>,
}

/// How it went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) what: String,
    pub(crate) ours: (String, Duration),
    pub(crate) peer: (String, Duration),
    pub(crate) must: f64,
    pub(crate) aim: Option<f64>,
}

impl Contest {
    /// Runs both sides in turn, so that whatever else the machine does meets both, and keeps the best of each.
    pub(crate) fn run(mut self, rounds: u32) -> anyhow::Result<Outcome> {
        let mut best = (Duration::MAX, Duration::MAX);
        for round in 1..=rounds {
            let times = (self.ours.run()?, self.peer.run()?);
            let Self { what, ours, peer, .. } = &self;
            let (our_time, peer_time) = (seconds(times.0), seconds(times.1));
            println!("{what}, {round} of {rounds}: {} {our_time}, {} {peer_time}", ours.name, peer.name);
            best = (best.0.min(times.0), best.1.min(times.1));
        }
        let Self { what, ours, peer, must, aim } = self;
        Ok(Outcome { what, ours: (ours.name, best.0), peer: (peer.name, best.1), must, aim })
    }
}

impl Outcome {
    /// How many times as fast as the peer we are.
    pub(crate) fn ratio(&self) -> f64 {
        self.peer.1.as_secs_f64() / self.ours.1.as_secs_f64().max(f64::EPSILON)
    }

    /// Whether we are as fast as we must be.
    pub(crate) fn is_reached(&self) -> bool {
        self.ratio() >= self.must
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(script: &str) -> Side {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Side::new(script, command)
    }

    fn contest(ours: &str, peer: &str) -> Contest {
        Contest { what: "work".into(), ours: side(ours), peer: side(peer), must: 1.5, aim: None }
    }

    #[test]
    fn the_ratio_says_how_many_times_as_fast_we_are() {
        let time = Duration::from_secs;
        let outcome = |ours, peer| Outcome {
            what: String::new(),
            ours: (String::new(), time(ours)),
            peer: (String::new(), time(peer)),
            must: 1.5,
            aim: None,
        };
        assert!(outcome(2, 3).is_reached());
        assert!(!outcome(3, 2).is_reached());
        assert!((outcome(2, 5).ratio() - 2.5).abs() < 1e-9);
    }

    #[test]
    fn a_side_that_fails_is_no_winner() {
        assert!(contest("true", "true").run(1).is_ok());
        let error = contest("echo no >&2; exit 1", "true").run(1).unwrap_err();
        assert!(error.to_string().ends_with("failed: no"), "{error}");
    }
}
