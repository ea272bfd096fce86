//! The vault on its worst days: the real program on a real archive with four places, and everything goes wrong that dice choose.
//!
//! An archive has its own store, a folder on another disk, a bucket on a real server behind a proxy that makes requests fail, and a
//! notary that keeps nothing but checksums. In a round, copies are damaged while nobody looks, files are handed in, read, audited and
//! repaired while calls to the system fail, disks are full, the server lies or the program is killed; sometimes a second program is at
//! it, too. Then there is peace: what is left to do is done, and it is judged from outside whether anything was lost (see `judge`).
//! Most rounds go on with the archive of the round before.

// Files are ours and small, a judge reads them whole; and killing at a moment needs a clock.
#![allow(clippy::disallowed_methods)]
// A skipped test must not be silent.
#![allow(clippy::print_stderr)]

mod damage;
mod disks;
mod fault;
mod figures;
mod house;
mod judge;
mod program;
mod round;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use figures::Figures;

use crate::corpus::Dice;
use crate::s3::{ACCESS_KEY, BUCKET, Faults, S3, SECRET_KEY};

use self::disks::Disks;
use self::fault::Means;
use self::house::{Ground, House, PASSWORD};
use self::program::Program;
use self::round::Round;

/// Rounds that one archive lives through.
const ROUNDS_OF_A_HOUSE: u64 = 20;

/// The program, the server, and what was done so far.
#[derive(Debug)]
pub struct VaultTorture {
    program: Program,
    folder: PathBuf,
    disks: Option<Disks>,
    server: S3,
    faults: Faults,
    means: Means,
    house: Option<House>,
    houses: u64,
    figures: Figures,
}

impl VaultTorture {
    /// Starts the server. `folder` is there and empty; archives are made below it.
    ///
    /// Where what is needed for it is not there, `None`, and one line on standard error says so.
    ///
    /// # Panics
    /// When it is missing and `$CI` is `true`: there a test that was skipped must not look like one that passed.
    pub fn start(program: &Path, folder: &Path) -> Option<VaultTorture> {
        let server = S3::start()?;
        if !is_there("strace", &["-f", "-o", "/dev/null", "-e", "trace=fsync", "true"]) {
            return None;
        }
        let has_clock = is_there("faketime", &["-m", "-f", "+1d", "true"]);
        let disks = Disks::mount(folder);
        let means = Means { has_disks: disks.is_some(), has_clock };
        let variables = [
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            ("AWS_REGION", "us-east-1"),
            ("VARVE_CREDENTIAL", PASSWORD),
            ("USER", "torturer"),
            ("NO_COLOR", "1"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let program = Program { path: program.to_owned(), variables };
        let faults = Faults::before(server.address());
        Some(VaultTorture {
            program,
            folder: folder.to_owned(),
            disks,
            server,
            faults,
            means,
            house: None,
            houses: 0,
            figures: Figures::default(),
        })
    }

    /// One round with dice of this seed. Where something is wrong the archive is left to be looked at, and the next round has a new one.
    ///
    /// # Errors
    /// When something was lost, or is not as it should be.
    pub fn round(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(&[seed, 5]);
        let mut house = match self.house.take().filter(|house| house.rounds < ROUNDS_OF_A_HOUSE) {
            Some(house) => house,
            None => self.build()?,
        };
        let round = Round {
            program: &self.program,
            server: &self.server,
            faults: &self.faults,
            disks: self.disks.as_ref(),
            means: self.means,
            seed,
        };
        let outcome = round.play(&mut house, &mut dice, &mut self.figures);
        self.calm();
        if outcome.is_err() {
            house.keep_in(&self.folder.join("faults").join(seed.to_string()));
        }
        outcome?;
        house.rounds += 1;
        self.figures.rounds += 1;
        if house.rounds < ROUNDS_OF_A_HOUSE {
            self.house = Some(house);
        } else {
            house.raze();
        }
        Ok(())
    }

    /// What was done so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    fn build(&mut self) -> Result<House, String> {
        self.houses += 1;
        let own = self.folder.as_path();
        let [first, second] = match &self.disks {
            Some(disks) => [disks.first.as_path(), disks.second.as_path()],
            None => [own, own],
        };
        let attics = second.join("attics");
        let ground = Ground {
            folders: [first, &attics, &own.join("houses")],
            endpoint: &self.faults.endpoint(),
            objects: &self.server.folder(),
            bucket: BUCKET,
        };
        House::build(&format!("house-{}", self.houses), &ground, &self.program)
    }

    /// Whatever a round that failed has left wrong.
    fn calm(&self) {
        self.faults.calm();
        if let Some(disks) = &self.disks {
            disks.give_room();
        }
    }
}

/// Whether a program runs on this machine.
fn is_there(name: &str, words: &[&str]) -> bool {
    let said = Command::new(name).args(words).stdin(Stdio::null()).output();
    let is_there = said.is_ok_and(|output| output.status.success());
    if !is_there {
        let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "{name} does not work on this machine: `cargo xtask test` installs it");
        eprintln!("testkit: {name} does not work here; skipping what needs it");
    }
    is_there
}
