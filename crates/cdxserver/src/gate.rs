//! Asks the policy about every row of an answer.

use std::sync::Arc;

use api::Scan;
use api::Visitor;
use cdx::{Capture, Extra, Timestamp, Value};
use policy::{Decision, Request};

use crate::CdxServer;

/// Name of the field that says whether a capture may be seen, as pywb has it.
pub(crate) const ACCESS: &str = "access";

/// Who asks, and whether they want to be told of what they may not see.
#[derive(Debug)]
pub(crate) struct Gate {
    server: CdxServer,
    now: jiff::Timestamp,
    /// All of them must be allowed to see a row: whoever asks, and the access point that is asked through.
    visitors: Vec<Visitor>,
    shows_access: bool,
    scan: Scan,
}

/// Whom rows were counted for, and when, by which rules: others may get other rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    visitors: Vec<Visitor>,
    shows_access: bool,
    rules: u64,
    /// An embargo may end while we remember.
    hour: i64,
}

impl Gate {
    pub(crate) fn new(server: &CdxServer, visitors: Vec<Visitor>, shows_access: bool) -> Arc<Gate> {
        let scan = server.scans().of(visitors.first().and_then(|visitor| visitor.client));
        Arc::new(Gate { server: server.clone(), now: server.now(), visitors, shows_access, scan })
    }

    /// What looking through the index may cost.
    pub(crate) fn scan(&self) -> &Scan {
        &self.scan
    }

    pub(crate) fn seen(&self) -> Seen {
        Seen {
            visitors: self.visitors.clone(),
            shows_access: self.shows_access,
            rules: self.server.access_rules().get().revision(),
            hour: self.now.as_second().div_euclid(3600),
        }
    }

    /// Whether a row may be told of under the key that it has and under the one that it is told under. Where that was asked for, it
    /// gets the field that says whether its capture may be seen; what is excluded or under an embargo is left out even so, for it is
    /// as if it were not there.
    pub(crate) fn admits(&self, row: &mut Capture<'static>, told_as: Option<&str>) -> bool {
        self.hide_original(row);
        let captured = row.timestamp.map(instant);
        let own = row.key.as_deref().unwrap_or_default();
        let decision = match told_as.filter(|name| *name != own) {
            Some(name) => stricter(self.decide(own, captured), self.decide(name, captured)),
            None => self.decide(own, captured),
        };
        if self.shows_access {
            let word = if decision.is_allowed() { "allow" } else { "block" };
            row.extra.retain(|extra| extra.name != ACCESS);
            row.extra.push(Extra::new(ACCESS, Value::Text(word.into())));
        }
        self.is_told(decision)
    }

    /// Whether it may be told that there is a capture of a key at a time.
    pub(crate) fn tells(&self, key: &str, time: Timestamp) -> bool {
        self.is_told(self.decide(key, Some(instant(time))))
    }

    fn is_told(&self, decision: Decision) -> bool {
        match decision {
            Decision::Allow => true,
            Decision::Blocked | Decision::OnSite | Decision::Staff => self.shows_access,
            Decision::Excluded | Decision::Embargo { .. } => false,
        }
    }

    /// A revisit says nothing of an original that may not be seen.
    fn hide_original(&self, row: &mut Capture<'static>) {
        let Some(url) = row.extra("orig_url").map(Value::as_str) else { return };
        let date = row.extra("orig_date").and_then(|date| date.as_str().parse().ok());
        if !self.decide(&urlkey::key(url), date).is_allowed() {
            row.original = None;
            row.extra.retain(|extra| !extra.name.starts_with("orig_"));
        }
    }

    /// The strictest decision that is made for any of the visitors.
    pub(crate) fn decide(&self, key: &str, captured: Option<jiff::Timestamp>) -> Decision {
        let ask = |visitor: &Visitor| {
            let (client, user) = (visitor.client, visitor.user.as_deref());
            self.server.access_rules().decide(&Request { key, captured, now: self.now, client, user })
        };
        self.visitors.iter().map(ask).fold(Decision::Allow, stricter)
    }
}

/// Of two decisions the one that tells less, the first where both tell as much.
fn stricter(one: Decision, two: Decision) -> Decision {
    let rank = |decision: Decision| match decision {
        Decision::Allow => 0,
        Decision::Blocked | Decision::OnSite | Decision::Staff => 1,
        Decision::Excluded | Decision::Embargo { .. } => 2,
    };
    if rank(two) > rank(one) { two } else { one }
}

/// The instant that 14 digits mean.
pub(crate) fn instant(time: Timestamp) -> jiff::Timestamp {
    let digits = time.digits();
    urlkey::time::parse_14_clamped(str::from_utf8(&digits).unwrap_or_default())
}
