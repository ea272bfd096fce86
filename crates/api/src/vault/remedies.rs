//! What was repaired, or could be.

use serde::Serialize;
use supervisor::Remedied;
use vault::Outcome;

use super::Keeping;

/// What was repaired, or could be, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Remedies {
    /// A copy each.
    pub remedies: Vec<RemedyRow>,
}

/// What was, or would be, done about a copy. The names are those of `varve vault repair --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemedyRow {
    /// When.
    pub at: String,
    /// Whether it was only asked what would be done.
    pub dry: bool,
    /// Which file.
    pub file: String,
    /// In which replica.
    pub replica: String,
    /// `missing` or `changed`.
    pub was: &'static str,
    /// `possible`, `repaired`, `sound`, `undecided` or `failed`.
    pub outcome: &'static str,
    /// Why it is undecided, or failed.
    pub why: Option<String>,
}

impl Keeping {
    /// What was repaired, or could be, since the server was started.
    #[must_use]
    pub fn remedies(&self) -> Remedies {
        Remedies { remedies: self.keeper.remedies().into_iter().map(RemedyRow::of).collect() }
    }
}

impl RemedyRow {
    fn of(remedied: Remedied) -> RemedyRow {
        let (outcome, why) = match remedied.remedy.outcome {
            Outcome::Possible => ("possible", None),
            Outcome::Repaired => ("repaired", None),
            Outcome::Sound => ("sound", None),
            Outcome::Undecided(why) => ("undecided", Some(why)),
            Outcome::Failed(why) => ("failed", Some(why)),
        };
        RemedyRow {
            at: remedied.at.to_string(),
            dry: remedied.is_dry,
            file: remedied.remedy.file,
            replica: remedied.remedy.replica,
            was: remedied.remedy.was.name(),
            outcome,
            why,
        }
    }
}
