//! Asks the policy about every row of an answer.

use archive::access::{Decision, Question};
use cdx::{Capture, Extra, Timestamp, Value};

use crate::{Api, Visitor};

/// Name of the field that says whether a capture may be seen, as pywb has it.
pub(crate) const ACCESS: &str = "access";

/// Who asks, and whether they want to be told of what they may not see.
#[derive(Debug)]
pub(crate) struct Gate {
    api: Api,
    now: jiff::Timestamp,
    /// All of them must be allowed to see a row: whoever asks, and the access point that is asked through.
    visitors: Vec<Visitor>,
    shows_access: bool,
}

impl Gate {
    pub(crate) fn new(api: &Api, visitors: Vec<Visitor>, shows_access: bool) -> Gate {
        Gate { api: api.clone(), now: api.now(), visitors, shows_access }
    }

    /// Whether a row may be told of. Where that was asked for, it gets the field that says whether its capture may be seen; what is
    /// excluded or under an embargo is left out even so, for it is as if it were not there.
    pub(crate) fn admits(&self, row: &mut Capture<'static>) -> bool {
        let captured = row.timestamp.map(instant);
        let decision = self.decide(row.key.as_deref().unwrap_or_default(), captured);
        if !self.shows_access {
            return decision.is_allowed();
        }
        let word = match decision {
            Decision::Allow => "allow",
            Decision::Blocked | Decision::OnSite | Decision::Staff => "block",
            Decision::Excluded | Decision::Embargo { .. } => return false,
        };
        row.extra.retain(|extra| extra.name != ACCESS);
        row.extra.push(Extra::new(ACCESS, Value::Text(word.into())));
        true
    }

    /// The first decision that is not to allow it.
    pub(crate) fn decide(&self, key: &str, captured: Option<jiff::Timestamp>) -> Decision {
        let ask = |visitor: &Visitor| {
            let (client, user) = (visitor.client, visitor.user.as_deref());
            self.api.policy().decide(&Question { key, captured, now: self.now, client, user })
        };
        self.visitors.iter().map(ask).find(|decision| !decision.is_allowed()).unwrap_or(Decision::Allow)
    }
}

/// The instant that 14 digits mean.
pub(crate) fn instant(time: Timestamp) -> jiff::Timestamp {
    let digits = time.digits();
    urlkey::time::parse_14_clamped(str::from_utf8(&digits).unwrap_or_default())
}
