//! Who may see a capture: asked for every capture that is shown, listed or exported, whoever asks.
//!
//! Whoever shows something asks a [`Policy`]. [`Open`] hides nothing; [`Rules`] are read from a file.

mod lines;
mod network;
mod pywb;
mod rules;

use std::fmt::Debug;
use std::net::IpAddr;

use jiff::Timestamp;

pub use lines::BadLine;
pub use network::Network;
pub use rules::Rules;

/// Decides who may see what.
pub trait Policy: Send + Sync + Debug {
    /// The answer to one question. Asked often: for every line of a list.
    fn decide(&self, question: &Question<'_>) -> Decision;

    /// A number that changes whenever the rules do, for whoever remembers what came of asking. Rules that never change have one.
    fn state(&self) -> u64 {
        0
    }
}

/// May this one see that capture now?
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Key of the URL, as the index has it.
    pub key: &'a str,
    /// When it was captured; `None` where the question is about the URL as such.
    pub captured: Option<Timestamp>,
    /// The time now.
    pub now: Timestamp,
    /// Where the question comes from.
    pub client: Option<IpAddr>,
    /// Who asks, where that is known.
    pub user: Option<&'a str>,
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It may be seen.
    Allow,
    /// Only from the networks of the house.
    OnSite,
    /// Only by staff.
    Staff,
    /// It is there and must not be shown to anybody: status 451.
    Blocked,
    /// As if it were not there: status 404.
    Excluded,
    /// Not yet.
    Embargo {
        /// From when on it may be seen.
        until: Timestamp,
    },
}

impl Decision {
    /// Whether it may be seen.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        self == Decision::Allow
    }
}

/// Everybody may see everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Open;

impl Policy for Open {
    fn decide(&self, _: &Question<'_>) -> Decision {
        Decision::Allow
    }
}
