//! A request to see a capture, and the decision.

use std::net::IpAddr;

use jiff::Timestamp;

use crate::rules::RuleSet;

/// Somebody asks to see a capture.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Key of the URL, as the index has it.
    pub key: &'a str,
    /// When it was captured; `None` if the request is about the URL as such.
    pub captured: Option<Timestamp>,
    /// The time now.
    pub now: Timestamp,
    /// The address that the request comes from.
    pub client: Option<IpAddr>,
    /// The user who asks, if known.
    pub user: Option<&'a str>,
}

/// Who may see the capture of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The client may see it.
    Allow,
    /// Only the institution's networks may see it.
    OnSite,
    /// Only staff may see it.
    Staff,
    /// It exists and nobody may see it: status 451.
    Blocked,
    /// It is hidden as if it did not exist: status 404.
    Excluded,
    /// Not yet.
    Embargo {
        /// The embargo ends at this time.
        until: Timestamp,
    },
}

impl Decision {
    /// Whether the client may see it.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        self == Decision::Allow
    }
}

/// Decides a request. Doors call it for every capture that they show, list or export.
///
/// The rule with the longest prefix decides; without one that fits, everybody may see the capture.
#[must_use]
pub fn decide(rules: &RuleSet, request: &Request<'_>) -> Decision {
    rules.rule_for(request).map_or(Decision::Allow, |rule| rules.judge(rule.verdict, request))
}
