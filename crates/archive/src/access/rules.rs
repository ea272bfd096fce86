//! Rules by part of the web: the longest prefix that fits decides.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use urlkey::Prefixes;

use super::network::Network;
use super::{Decision, Policy, Question};

/// Rules about who may see which part of the web, as [`Rules::parse`] reads them. Where none fits, everybody may.
///
/// ```
/// use archive::access::{Decision, Policy as _, Question, Rules};
///
/// let rules = Rules::parse("on-site 192.0.2.0/24\norg,example,   on-site\norg,example)/press   allow\n")?;
/// let now = "2026-11-16T08:00:00Z".parse()?;
/// let ask = |key, client: &str| {
///     rules.decide(&Question { key, captured: None, now, client: client.parse().ok(), user: None })
/// };
/// assert_eq!(ask("org,example,shop)/a", "198.51.100.1"), Decision::OnSite);
/// assert_eq!(ask("org,example,shop)/a", "192.0.2.9"), Decision::Allow);
/// assert_eq!(ask("org,example)/press/1", "198.51.100.1"), Decision::Allow);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// By prefix, in the form of [`comparable`]. An exact one ends with a blank.
    by_prefix: Prefixes<Vec<Rule>>,
    on_site: Vec<Network>,
    staff: Vec<String>,
}

/// What is said of a part of the web.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) verdict: Verdict,
    /// For this user only.
    pub(super) user: Option<String>,
    /// Of captures from then on.
    pub(super) from: Option<Timestamp>,
    /// Of captures before then.
    pub(super) before: Option<Timestamp>,
    /// Of captures at least so old.
    pub(super) older: Option<SignedDuration>,
    /// Of captures younger than that.
    pub(super) newer: Option<SignedDuration>,
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Allow,
    OnSite,
    Staff,
    Block,
    Exclude,
    /// For so long after the capture.
    Embargo(SignedDuration),
}

impl Rules {
    pub(super) fn add(&mut self, prefix: &str, is_exact: bool, rule: Rule) {
        let mut prefix = comparable(prefix);
        if is_exact {
            prefix.push(' ');
        }
        self.by_prefix.entry(prefix).push(rule);
    }

    pub(super) fn add_network(&mut self, network: Network) {
        self.on_site.push(network);
    }

    pub(super) fn add_staff(&mut self, user: &str) {
        self.staff.push(user.to_owned());
    }

    /// How many rules there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_prefix.iter().map(|(_, rules)| rules.len()).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_prefix.is_empty()
    }

    /// Rules with their prefixes, those that are asked first last.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, bool, &Rule)> {
        self.by_prefix.iter().flat_map(|(prefix, rules)| {
            let exact = prefix.strip_suffix(' ');
            rules.iter().map(move |rule| (exact.unwrap_or(prefix), exact.is_some(), rule))
        })
    }

    fn is_on_site(&self, client: Option<IpAddr>) -> bool {
        let Some(client) = client else { return false };
        // A house that names no networks has only this machine.
        client.to_canonical().is_loopback() && self.on_site.is_empty()
            || self.on_site.iter().any(|network| network.contains(client))
    }

    fn is_staff(&self, user: Option<&str>) -> bool {
        user.is_some_and(|user| self.staff.iter().any(|known| known == user))
    }

    fn judge(&self, verdict: Verdict, question: &Question<'_>) -> Decision {
        match verdict {
            Verdict::Allow => Decision::Allow,
            Verdict::Block => Decision::Blocked,
            Verdict::Exclude => Decision::Excluded,
            _ if self.is_staff(question.user) => Decision::Allow,
            Verdict::Staff => Decision::Staff,
            Verdict::OnSite if self.is_on_site(question.client) => Decision::Allow,
            Verdict::OnSite => Decision::OnSite,
            Verdict::Embargo(length) => match question.captured.map(|at| at.saturating_add(length)) {
                Some(Ok(until)) if until > question.now => Decision::Embargo { until },
                _ => Decision::Allow,
            },
        }
    }
}

impl Policy for Rules {
    fn decide(&self, question: &Question<'_>) -> Decision {
        let key = comparable(question.key);
        let exact = self.by_prefix.get(&format!("{key} ")).map(Vec::as_slice).unwrap_or_default();
        if let Some(rule) = chosen(exact, question) {
            return self.judge(rule.verdict, question);
        }
        let rule = self.by_prefix.of(&key).find_map(|(_, rules)| chosen(rules, question));
        rule.map_or(Decision::Allow, |rule| self.judge(rule.verdict, question))
    }
}

/// Of the rules of one prefix, the one that holds: what is said of a user before what is said of all.
fn chosen<'a>(rules: &'a [Rule], question: &Question<'_>) -> Option<&'a Rule> {
    let holds = |rule: &&Rule| rule.holds(question);
    let of_user = rules.iter().filter(|rule| rule.user.is_some()).find(holds);
    of_user.or_else(|| rules.iter().filter(|rule| rule.user.is_none()).find(holds))
}

impl Rule {
    pub(super) fn of(verdict: Verdict) -> Rule {
        Rule { verdict, user: None, from: None, before: None, older: None, newer: None }
    }

    fn holds(&self, question: &Question<'_>) -> bool {
        if self.user.is_some() && self.user.as_deref() != question.user {
            return false;
        }
        let is_of_all_times =
            self.from.is_none() && self.before.is_none() && self.older.is_none() && self.newer.is_none();
        // What is said of some captures says nothing of the URL as such.
        let Some(captured) = question.captured else { return is_of_all_times };
        let age = question.now.duration_since(captured);
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
