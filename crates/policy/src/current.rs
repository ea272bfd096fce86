//! The rule set that applies now, for servers that run while the rules change.

use std::fmt;
use std::sync::Arc;

use crate::decision::{Decision, Request, decide};
use crate::rules::RuleSet;

/// Returns the rule set that applies now. Clones share the function that was handed in.
///
/// Doors ask it for every capture, so a changed rule also applies to answers that are being written.
#[derive(Clone)]
pub struct CurrentRules(Arc<dyn Fn() -> Arc<RuleSet> + Send + Sync>);

impl CurrentRules {
    /// The function returns the rule set that applies at the time of the call. It is called often and must not wait.
    #[must_use]
    pub fn from_fn(current: impl Fn() -> Arc<RuleSet> + Send + Sync + 'static) -> CurrentRules {
        CurrentRules(Arc::new(current))
    }

    /// The rule set that applies now.
    #[must_use]
    pub fn get(&self) -> Arc<RuleSet> {
        (self.0)()
    }

    /// Decides by the rule set that applies now.
    #[must_use]
    pub fn decide(&self, request: &Request<'_>) -> Decision {
        decide(&self.get(), request)
    }
}

/// A rule set that never changes.
impl From<RuleSet> for CurrentRules {
    fn from(rules: RuleSet) -> CurrentRules {
        let rules = Arc::new(rules);
        CurrentRules::from_fn(move || Arc::clone(&rules))
    }
}

/// No rules: everybody may see everything.
impl Default for CurrentRules {
    fn default() -> CurrentRules {
        RuleSet::default().into()
    }
}

impl fmt::Debug for CurrentRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.get();
        formatter
            .debug_struct("CurrentRules")
            .field("rules", &rules.len())
            .field("revision", &rules.revision())
            .finish()
    }
}
