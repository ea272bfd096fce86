//! What changes at every visit and means nothing: dates, counters, tokens, adverts.
//!
//! Two things tell. The words themselves: where two texts are the same but for a date or a session's number, nothing was said
//! anew ([`patterns`]). And habit: a place that was different at every one of the last visits will be so at the next
//! ([`habits`]).

mod habits;
mod patterns;

use serde::Serialize;

pub use habits::Habits;
pub(crate) use patterns::judge;

/// Why a change is taken for noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Noise {
    /// Only a date or a time is another one.
    Date,
    /// Only a number that counts visits and the like is another one.
    Counter,
    /// Only a number of a session, a nonce or the like is another one.
    Token,
    /// Only blanks, signs or the case of letters are others.
    Form,
    /// No reader sees it.
    Unseen,
    /// It is in a margin of the page.
    Margin,
    /// This place is different at every visit.
    Habit,
}
