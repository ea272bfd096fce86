//! Compiled rules by URL-key prefix: the longest prefix that fits decides.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use urlkey::Prefixes;

use crate::decision::{Decision, Request};
use crate::network::Network;

/// Compiled access rules. [`RuleSet::parse`] reads them; an empty set lets everybody see everything.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    /// By prefix, in the form of [`comparable`]. An exact one ends with a blank.
    by_prefix: Prefixes<Vec<Rule>>,
    on_site: Vec<Network>,
    staff: Vec<String>,
    revision: u64,
}

/// A rule for one prefix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    pub(crate) verdict: Verdict,
    /// For this user only.
    pub(crate) user: Option<String>,
    /// For captures at or after this time.
    pub(crate) from: Option<Timestamp>,
    /// For captures before this time.
    pub(crate) before: Option<Timestamp>,
    /// For captures at least this old.
    pub(crate) older: Option<SignedDuration>,
    /// For captures younger than this.
    pub(crate) newer: Option<SignedDuration>,
}

/// Who may see the captures that a rule covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    OnSite,
    Staff,
    Block,
    Exclude,
    /// Hidden for this long after the capture.
    Embargo(SignedDuration),
}

impl RuleSet {
    pub(crate) fn add(&mut self, prefix: &str, is_exact: bool, rule: Rule) {
        let mut prefix = comparable(prefix);
        if is_exact {
            prefix.push(' ');
        }
        self.by_prefix.entry(prefix).push(rule);
    }

    pub(crate) fn add_network(&mut self, network: Network) {
        self.on_site.push(network);
    }

    pub(crate) fn add_staff(&mut self, user: &str) {
        self.staff.push(user.to_owned());
    }

    /// The number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_prefix.iter().map(|(_, rules)| rules.len()).sum()
    }

    /// A number that changes whenever the rules change, for caches of decisions. 0 unless the caller sets another.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The same rules with another revision.
    #[must_use]
    pub fn with_revision(self, revision: u64) -> RuleSet {
        RuleSet { revision, ..self }
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_prefix.is_empty()
    }

    /// Rules with their prefixes, in the order of the prefixes; whether the prefix is an exact key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, bool, &Rule)> {
        self.by_prefix.iter().flat_map(|(prefix, rules)| {
            let exact = prefix.strip_suffix(' ');
            rules.iter().map(move |rule| (exact.unwrap_or(prefix), exact.is_some(), rule))
        })
    }

    /// The rule that decides a request: that of the exact key, otherwise that of the longest prefix.
    pub(crate) fn rule_for(&self, request: &Request<'_>) -> Option<&Rule> {
        let key = comparable(request.key);
        let exact = self.by_prefix.get(&format!("{key} ")).map(Vec::as_slice).unwrap_or_default();
        chosen(exact, request)
            .or_else(|| self.by_prefix.of(&key).find_map(|(_, rules)| chosen(rules, request)))
    }

    fn is_on_site(&self, client: Option<IpAddr>) -> bool {
        let Some(client) = client else { return false };
        // Without `on-site` lines only this machine is on site.
        client.to_canonical().is_loopback() && self.on_site.is_empty()
            || self.on_site.iter().any(|network| network.contains(client))
    }

    fn is_staff(&self, user: Option<&str>) -> bool {
        user.is_some_and(|user| self.staff.iter().any(|known| known == user))
    }

    /// What a verdict means for whoever sent the request.
    pub(crate) fn judge(&self, verdict: Verdict, request: &Request<'_>) -> Decision {
        match verdict {
            Verdict::Allow => Decision::Allow,
            Verdict::Block => Decision::Blocked,
            Verdict::Exclude => Decision::Excluded,
            _ if self.is_staff(request.user) => Decision::Allow,
            Verdict::Staff => Decision::Staff,
            Verdict::OnSite if self.is_on_site(request.client) => Decision::Allow,
            Verdict::OnSite => Decision::OnSite,
            Verdict::Embargo(length) => match request.captured.map(|at| at.saturating_add(length)) {
                Some(Ok(until)) if until > request.now => Decision::Embargo { until },
                _ => Decision::Allow,
            },
        }
    }
}

/// The rule of one prefix that applies: rules for the user come before rules for everybody.
fn chosen<'a>(rules: &'a [Rule], request: &Request<'_>) -> Option<&'a Rule> {
    let holds = |rule: &&Rule| rule.holds(request);
    let of_user = rules.iter().filter(|rule| rule.user.is_some()).find(holds);
    of_user.or_else(|| rules.iter().filter(|rule| rule.user.is_none()).find(holds))
}

impl Rule {
    pub(crate) fn of(verdict: Verdict) -> Rule {
        Rule { verdict, user: None, from: None, before: None, older: None, newer: None }
    }

    fn holds(&self, request: &Request<'_>) -> bool {
        if self.user.is_some() && self.user.as_deref() != request.user {
            return false;
        }
        let is_of_all_times =
            self.from.is_none() && self.before.is_none() && self.older.is_none() && self.newer.is_none();
        // A rule for captures of some times does not apply to the URL as such.
        let Some(captured) = request.captured else { return is_of_all_times };
        let age = request.now.duration_since(captured);
        self.from.is_none_or(|from| captured >= from)
            && self.before.is_none_or(|before| captured < before)
            && self.older.is_none_or(|older| age >= older)
            && self.newer.is_none_or(|newer| age < newer)
    }
}

/// A key, or the start of one, with a comma behind every part of the host: so `org,example,` is a start of all below the domain
/// and of the domain itself. `*` is a start of everything.
fn comparable(key: &str) -> String {
    if matches!(key, "*" | "*,") {
        return String::new();
    }
    let host = key.find([')', ':']).unwrap_or(key.len());
    let (host, path) = key.split_at_checked(host).unwrap_or((key, ""));
    if path.is_empty() { host.to_owned() } else { format!("{host},{path}") }
}
