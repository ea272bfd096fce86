//! What is written for a capture: decided when it is appended, for only then nobody can come in between.

use std::sync::Arc;

use warc::Profile;

use super::claims::Claim;
use super::intake::Shared;
use super::lines::{self, Row};
use super::member::Member;
use super::packed::{Main, Ready};
use super::records::Makings;
use crate::capture::Outcome;
use crate::error::Error;
use crate::original::{Original, time_of};

/// A capture on its way into the file.
pub(super) struct Settled<'a> {
    pub(super) member: Held<'a>,
    pub(super) row: Row,
    pub(super) outcome: Outcome,
    pub(super) original: Option<Original>,
    /// The claim, if this one stores its payload.
    pub(super) claim: Option<&'a Arc<Claim>>,
}

/// A record that was packed before, or just now.
pub(super) enum Held<'a> {
    Packed(&'a Member),
    Made(Member),
}

impl Held<'_> {
    pub(super) fn get(&self) -> &Member {
        match self {
            Held::Packed(member) => member,
            Held::Made(member) => member,
        }
    }
}

impl Shared {
    /// Decides what is written for a capture, now that nobody can come in between.
    pub(super) fn settle<'a>(&self, ready: &'a Ready) -> Result<Option<Settled<'a>>, Error> {
        let row = || ready.row.clone();
        Ok(Some(match &ready.main {
            Main::Nothing => return Ok(None),
            Main::Decided { member, outcome, original } => Settled {
                member: Held::Packed(member),
                row: row(),
                outcome: *outcome,
                original: original.clone(),
                claim: None,
            },
            Main::Claimed { member, claim, makings } => match claim.stored() {
                Some(stored) if !is_same(&stored.original, &ready.row) => {
                    self.revisit(row(), makings, stored.original)?
                }
                _ => new(Held::Packed(member), row(), claim),
            },
            Main::Following { claim, makings } => match claim.stored() {
                Some(stored) if !is_same(&stored.original, &ready.row) => {
                    self.revisit(row(), makings, stored.original)?
                }
                _ => {
                    let member = makings.response(&self.about, self.folder.path(), None)?;
                    new(Held::Made(member), row(), claim)
                }
            },
        }))
    }

    fn revisit<'a>(&self, mut row: Row, makings: &Makings, original: Original) -> Result<Settled<'a>, Error> {
        let member = makings.revisit(&self.about, &Profile::IdenticalPayloadDigest, &original, None)?;
        lines::turn_into_revisit(&mut row, &original);
        let (member, outcome) = (Held::Made(member), Outcome::Revisit);
        Ok(Settled { member, row, outcome, original: Some(original), claim: None })
    }
}

fn new<'a>(member: Held<'a>, row: Row, claim: &'a Arc<Claim>) -> Settled<'a> {
    Settled { member, row, outcome: Outcome::New, original: None, claim: Some(claim) }
}

/// Whether a payload was stored by this very capture, which is being appended a second time.
fn is_same(original: &Original, row: &Row) -> bool {
    let id = row.extra("rid").map(|value| value.as_str());
    id == original.record_id.as_deref() && time_of(row) == Some(original.date)
}
