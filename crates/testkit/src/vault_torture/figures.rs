//! What was done in all rounds, counted.

use std::collections::BTreeMap;
use std::fmt;

/// Sums over rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Rounds that ended as they should.
    pub rounds: u64,
    /// Files that were accepted, and their bytes.
    pub files: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// How often the program was killed.
    pub kills: u64,
    /// Runs of the program with a fault around them that came to an end by themselves.
    pub disturbed: u64,
    /// Runs that failed, and were made again in peace.
    pub again: u64,
    /// Files that were read during a fault and were right.
    pub right: u64,
    /// Files that could not be read during a fault, and of which nothing was given.
    pub refused: u64,
    /// Copies that were repaired.
    pub repaired: u64,
    /// Copies that were left for somebody to decide, as they must be.
    pub undecided: u64,
    /// Second programs on the same archive that did their work.
    pub beside: u64,
    /// Second programs that were told to wait.
    pub beside_refused: u64,
    /// How often each thing went wrong: how often it was arranged, and how often it came to pass.
    pub faults: BTreeMap<&'static str, (u64, u64)>,
}

impl Figures {
    pub(super) fn count(&mut self, name: &'static str, came_to_pass: bool) {
        let (arranged, happened) = self.faults.entry(name).or_default();
        *arranged += 1;
        *happened += u64::from(came_to_pass);
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:42} {:>9} {:>9}", "what went wrong", "arranged", "happened")?;
        for (name, (arranged, happened)) in &self.faults {
            writeln!(f, "{name:42} {arranged:>9} {happened:>9}")?;
        }
        writeln!(
            f,
            "{} rounds; {} files accepted, {} bytes; {} kills; {} other runs disturbed; {} runs made again in peace",
            self.rounds, self.files, self.bytes, self.kills, self.disturbed, self.again
        )?;
        writeln!(
            f,
            "{} copies repaired; {} left for somebody to decide; {} files read right during a fault, {} not given",
            self.repaired, self.undecided, self.right, self.refused
        )?;
        write!(f, "{} second programs did their work, {} were told to wait", self.beside, self.beside_refused)
    }
}
