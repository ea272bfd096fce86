//! A capture that is ready to be appended.

use std::sync::Arc;

use jiff::Timestamp;

use super::claims::Claim;
use super::lines::Row;
use super::member::Member;
use super::records::Makings;
use crate::capture::Outcome;
use crate::original::Original;

/// The records of one capture, packed, and its line of the index. Clones are cheap and are the same capture: whoever may have
/// to append it again, because the disk was full, keeps one.
#[derive(Debug, Clone)]
pub struct Packed(pub(super) Arc<Ready>);

#[derive(Debug)]
pub(super) struct Ready {
    /// When it was captured.
    pub(super) at: Timestamp,
    /// The name servers' answer.
    pub(super) dns: Option<(Vec<u8>, Row)>,
    /// The response, or what stands for it.
    pub(super) main: Main,
    /// Its line as that of a response, without a place.
    pub(super) row: Row,
    /// Request and metadata.
    pub(super) companions: Vec<u8>,
    /// Whether it was there before and is not now.
    pub(super) gone: bool,
}

#[derive(Debug)]
pub(super) enum Main {
    /// Nothing came.
    Nothing,
    /// Decided, whatever else is appended.
    Decided { member: Member, outcome: Outcome, original: Option<Original> },
    /// Stored, unless another with the same payload was appended in the meantime.
    Claimed { member: Member, claim: Arc<Claim>, makings: Makings },
    /// Refers to a payload that another is about to store; stores it itself if the other is not there in time.
    Following { claim: Arc<Claim>, makings: Makings },
}

impl Packed {
    /// Bytes of its records, as far as they are made. For a revisit whose original was not yet appended, less than it may become.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let main = match &self.0.main {
            Main::Decided { member, .. } | Main::Claimed { member, .. } => member.len(),
            Main::Nothing | Main::Following { .. } => 0,
        };
        let dns = self.0.dns.as_ref().map_or(0, |(member, _)| member.len());
        main + (dns + self.0.companions.len()) as u64
    }
}
