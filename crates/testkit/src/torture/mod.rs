//! Crawls that are killed (`kill -9`) at moments that dice choose, resumed, and held against one that was left in peace.
//!
//! A round harvests a small site into an empty archive, kills the program once or several times, resumes it until it ends,
//! and judges what is there (see [`judge`](Archive::judge)). Moments are spread over the whole run: a third of them fall into
//! the commit, which is short. The same seed gives the same moments, as far as a machine repeats itself.

// Killing at a moment needs a clock.
#![allow(clippy::disallowed_methods)]

mod archive;
mod run;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::corpus::Dice;
use crate::portal::{Portal, Serving};

pub use archive::{Archive, Judged, Known};
use run::{Ended, Run};

/// The host of the site; its name means this machine.
const HOST: &str = "site.localhost";
/// How many requests may be under way, and so be repeated after a kill.
const CONCURRENCY: u64 = 8;
/// How long the server takes for each answer, so that there is time to be killed.
const PAUSE: Duration = Duration::from_millis(3);
/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// Kills of one round, at most.
const KILLS_MAX: u64 = 3;

/// The site, the program, and what an undisturbed crawl makes of them.
#[derive(Debug)]
pub struct Torture {
    program: PathBuf,
    folder: PathBuf,
    portal: Portal,
    serving: Serving,
    expected: BTreeSet<Known>,
    /// How long the undisturbed run took in all, and how long its commit.
    whole: Duration,
    commit: Duration,
}

/// How a round went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// How often the program was killed.
    pub kills: u64,
    /// How many of these kills came while it committed.
    pub in_commit: u64,
    /// How often it had to begin from nothing, because it was killed before there was a job.
    pub restarts: u64,
    /// Captures that are there once more than in an undisturbed crawl.
    pub repeats: u64,
}

/// When to kill.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// So long after the site was asked for so many different things.
    Paths(usize, Duration),
    /// So long after the program started.
    Time(Duration),
    /// So long after the commit began.
    Commit(Duration),
}

impl Torture {
    /// Starts the site and crawls it undisturbed. `folder` is there and empty; archives are made below it.
    pub fn start(program: &Path, folder: &Path, pages: u64) -> Result<Torture, String> {
        let portal = Portal::new(pages);
        let serving = portal.serve(PAUSE);
        let mut torture = Torture {
            program: program.to_owned(),
            folder: folder.to_owned(),
            portal,
            serving,
            expected: BTreeSet::new(),
            whole: Duration::ZERO,
            commit: Duration::ZERO,
        };
        let archive = torture.archive("undisturbed")?;
        let mut run = torture.harvest(&archive)?;
        let started = Instant::now();
        run.until(PATIENCE, || archive.is_committing());
        let committing = Instant::now();
        // The program may go on for a while when all is done; that is not the commit.
        run.until(PATIENCE, || !archive.is_committing());
        torture.commit = committing.elapsed().max(Duration::from_millis(1));
        torture.succeeded(run.end(PATIENCE)?)?;
        torture.whole = started.elapsed();
        let judged = archive.judge(&torture.program, None)?;
        let asked: u64 = torture.serving.asked().values().sum();
        if judged.repeats > 0 || asked != torture.portal.everything().count() as u64 {
            return Err(format!(
                "undisturbed: {asked} requests for {} things, {} captures more than once",
                torture.portal.everything().count(),
                judged.repeats
            ));
        }
        torture.expected = judged.captures;
        Ok(torture)
    }

    /// What was learnt of the undisturbed crawl: its captures, its time, and that of its commit.
    pub fn undisturbed(&self) -> (usize, Duration, Duration) {
        (self.expected.len(), self.whole, self.commit)
    }

    /// One round with dice of this seed. Where something is wrong the archive is left to be looked at.
    pub fn round(&self, seed: u64) -> Result<Round, String> {
        let mut dice = Dice::new(&[seed, 9]);
        let archive = self.archive(&format!("round-{seed}"))?;
        self.serving.forget();
        let mut round = Round::default();
        let wanted = dice.between(1, KILLS_MAX);
        let mut run = self.harvest(&archive)?;
        loop {
            let moment = if round.kills < wanted { Some(self.moment(&mut dice)) } else { None };
            match self.disturb(&mut run, &archive, moment)? {
                Some(is_committing) => {
                    round.kills += 1;
                    round.in_commit += u64::from(is_committing);
                }
                None => break,
            }
            run = match archive.has_job() {
                true => self.resume(&archive)?,
                // Killed behind the last step: all is there, and nothing is left to resume.
                false if archive.has_commit() => break,
                false => {
                    round.restarts += 1;
                    self.harvest(&archive)?
                }
            };
        }
        let judged = archive.judge(&self.program, Some((&self.portal, &mut dice)))?;
        round.repeats = judged.repeats;
        self.hold_against(&judged, round)?;
        fs::remove_dir_all(&archive.folder).map_err(|error| error.to_string())?;
        Ok(round)
    }

    /// The same captures as the undisturbed crawl, and no more repeats than kills explain.
    fn hold_against(&self, judged: &Judged, round: Round) -> Result<(), String> {
        let name = |known: Option<&Known>| known.map_or("nothing".to_owned(), |known| format!("{known:?}"));
        let missing: Vec<&Known> = self.expected.difference(&judged.captures).collect();
        let new: Vec<&Known> = judged.captures.difference(&self.expected).collect();
        if !missing.is_empty() || !new.is_empty() {
            return Err(format!(
                "{} captures are missing, first {}; {} are there that should not be, first {}",
                missing.len(),
                name(missing.first().copied()),
                new.len(),
                name(new.first().copied()),
            ));
        }
        let bound = (round.kills + round.restarts) * CONCURRENCY;
        if judged.repeats > bound {
            return Err(format!(
                "{} captures repeat others; {bound} may have been in flight",
                judged.repeats
            ));
        }
        Ok(())
    }

    /// Kills a run at its moment; whether that was within the commit. `None`: it had ended by then, and well.
    fn disturb(
        &self,
        run: &mut Run,
        archive: &Archive,
        moment: Option<Moment>,
    ) -> Result<Option<bool>, String> {
        let started = Instant::now();
        let is_time = match moment {
            None => false,
            Some(Moment::Time(time)) => !run.until(time, || false) && run.is_running(),
            Some(Moment::Paths(paths, further)) => {
                run.until(PATIENCE, || self.serving.wait_for(paths, Duration::ZERO)) && {
                    run.until(further, || false);
                    run.is_running()
                }
            }
            Some(Moment::Commit(further)) => {
                run.until(PATIENCE, || archive.is_committing()) && {
                    run.until(further, || false);
                    run.is_running()
                }
            }
        };
        if is_time {
            let is_committing = archive.is_committing();
            run.kill()?;
            return Ok(Some(is_committing));
        }
        self.succeeded(run.end(PATIENCE.saturating_sub(started.elapsed()))?)?;
        Ok(None)
    }

    fn moment(&self, dice: &mut Dice) -> Moment {
        let mut within = |time: Duration| {
            let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            Duration::from_micros(dice.below(micros + 1))
        };
        let (whole, commit) = (within(self.whole), within(self.commit.mul_f64(1.1)));
        let further = within(Duration::from_millis(20));
        let paths = dice.between(1, self.portal.everything().count() as u64);
        match dice.below(6) {
            0 => Moment::Time(whole),
            1..4 => Moment::Paths(usize::try_from(paths).unwrap_or(1), further),
            _ => Moment::Commit(commit),
        }
    }

    /// An archive that is there and empty.
    fn archive(&self, name: &str) -> Result<Archive, String> {
        let archive = Archive { folder: self.folder.join(name), url: self.serving.url(HOST, "/") };
        archive.make(&self.program)?;
        Ok(archive)
    }

    fn harvest(&self, archive: &Archive) -> Result<Run, String> {
        let url = archive.url.as_str();
        let concurrency = CONCURRENCY.to_string();
        let bounds = ["--concurrency", "--per-host", "--per-address"];
        let bounds = bounds.into_iter().flat_map(|bound| [bound, &concurrency]);
        let words = ["harvest", url, "--scope", "host", "--delay", "0", "--allow-private", "--quiet"];
        Run::start(&self.program, &archive.folder, words.into_iter().chain(bounds))
    }

    fn resume(&self, archive: &Archive) -> Result<Run, String> {
        Run::start(&self.program, &archive.folder, ["harvest", "--resume", "last", "--quiet"])
    }

    fn succeeded(&self, ended: Ended) -> Result<(), String> {
        if ended.is_success { Ok(()) } else { Err(format!("the program failed: {}", ended.said.trim())) }
    }
}
