//! What each site lets robots do, asked once before anything else of it.

use job::log::status;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontier::Turn;
use jiff::Timestamp;
use robots::{Basis, Fetched, Limits, Patience, Policy};
use url::Url;

/// Sites whose rules are held; beyond that some are forgotten and asked for again.
const SITES_MAX: usize = 100_000;

/// The rules of all sites that were met.
#[derive(Debug)]
pub(super) struct Rules {
    sites: Mutex<HashMap<String, Site>>,
    patience: Patience,
    limits: Limits,
    retries: u8,
}

#[derive(Debug)]
enum Site {
    /// robots.txt is under way; these wait for it.
    Asking {
        waiting: Waiting,
        before: Option<Known>,
    },
    Known(Known),
}

/// What is known of a site.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) policy: Arc<Policy>,
    /// Why robots.txt could not be had, as the log says it.
    pub(super) fault: Option<i32>,
    /// How often that was so, one time after another.
    failures: u8,
    /// Whether it will not be asked for again in this crawl.
    is_final: bool,
}

/// What came of asking for a robots.txt.
pub(super) struct Asked<'a> {
    pub(super) fetched: Fetched<'a>,
    /// Why it could not be had, as the log says it.
    pub(super) fault: Option<i32>,
    /// Whether that may pass.
    pub(super) may_pass: bool,
}

/// Who waits for a robots.txt.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// A few turns.
    pub(super) turns: Vec<Turn>,
    /// And so many permits of hosts that had to go away.
    pub(super) permits: Vec<(String, u32)>,
}

/// Turns that wait for one robots.txt; others go back to their queue.
const WAITING_MAX: usize = 16;

/// What the rules say to a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// It may be fetched.
    Allowed,
    /// It may not.
    Forbidden,
    /// Nobody knows, because robots.txt cannot be had; this is why, and whether it will be tried again.
    Unknown { fault: i32, is_final: bool },
}

/// What is to be done about a URL.
pub(super) enum Answer {
    /// The rules are known.
    Known(Known, Turn),
    /// The caller is to ask for robots.txt, and then tell by [`Rules::learn`].
    Ask(Turn),
    /// Somebody is asking; the turn waits and comes back from [`Rules::learn`].
    Wait,
    /// Somebody is asking, and enough wait; the turn goes back, and the host is told of by [`Rules::learn`].
    GoBack(Turn),
}

impl Rules {
    /// Nothing is known yet. A robots.txt that could not be had is asked for again after so long, and so often.
    pub(super) fn new(retry: Duration, retries: u8) -> Rules {
        let patience = Patience { retry, ..Patience::default() };
        Rules { sites: Mutex::default(), patience, limits: Limits::default(), retries }
    }

    /// What holds for the site of a turn; `site` is the address of its robots.txt.
    pub(super) fn of(&self, site: &str, turn: Turn, now: Timestamp) -> Answer {
        let mut sites = self.lock();
        match sites.get_mut(site) {
            Some(Site::Known(known)) if known.is_final || !known.policy.is_stale(now, &self.patience) => {
                Answer::Known(known.clone(), turn)
            }
            Some(Site::Asking { waiting, .. }) if waiting.turns.len() < WAITING_MAX => {
                waiting.turns.push(turn);
                Answer::Wait
            }
            Some(Site::Asking { waiting, .. }) => {
                match waiting.permits.iter_mut().find(|(host, _)| *host == turn.wish.host) {
                    Some((_, count)) => *count += 1,
                    None => waiting.permits.push((turn.wish.host.clone(), 1)),
                }
                Answer::GoBack(turn)
            }
            known => {
                let before = match known {
                    Some(Site::Known(known)) => Some(known.clone()),
                    _ => None,
                };
                if sites.len() >= SITES_MAX {
                    forget_some(&mut sites);
                }
                sites.insert(site.to_owned(), Site::Asking { waiting: Waiting::default(), before });
                Answer::Ask(turn)
            }
        }
    }

    /// What came of asking. Gives back those who waited for it, and the rules.
    pub(super) fn learn(
        &self,
        site: &str,
        asked: &Asked<'_>,
        names: &str,
        now: Timestamp,
    ) -> (Waiting, Arc<Policy>) {
        let mut sites = self.lock();
        let (waiting, before) = match sites.remove(site) {
            Some(Site::Asking { waiting, before }) => (waiting, before),
            Some(Site::Known(known)) => (Waiting::default(), Some(known)),
            None => (Waiting::default(), None),
        };
        let failures = before.as_ref().map_or(0, |known| known.failures);
        let policy = match before {
            Some(before) => {
                let mut policy = Policy::clone(&before.policy);
                policy.renew(asked.fetched, now, &self.limits);
                policy
            }
            None => Policy::from_fetch(asked.fetched, now, &self.limits),
        };
        let policy = Arc::new(policy.only_for(names));
        let is_closed = policy.basis(now, &self.patience) == Basis::Unreachable;
        let failures = if is_closed { failures.saturating_add(1) } else { 0 };
        let is_final = is_closed && (!asked.may_pass || failures > self.retries);
        let known = Known { policy: policy.clone(), fault: asked.fault, failures, is_final };
        sites.insert(site.to_owned(), Site::Known(known));
        (waiting, policy)
    }

    /// Whether the rules let a URL be fetched.
    pub(super) fn word(&self, known: &Known, names: &str, url: &Url, now: Timestamp) -> Word {
        let policy = &known.policy;
        if policy.allows(names, url.as_str(), now, &self.patience).allowed {
            Word::Allowed
        } else if policy.basis(now, &self.patience) == Basis::Unreachable {
            Word::Unknown { fault: known.fault.unwrap_or(status::NO_ROBOTS), is_final: known.is_final }
        } else {
            Word::Forbidden
        }
    }

    /// Whether the robots.txt at this address was fetched already, or is being.
    pub(super) fn has(&self, site: &str) -> bool {
        self.lock().contains_key(site)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Site>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a tenth of what is known; which is of no matter.
fn forget_some(sites: &mut HashMap<String, Site>) {
    let known = sites.iter().filter(|(_, site)| matches!(site, Site::Known(_)));
    let names: Vec<String> = known.map(|(name, _)| name.clone()).take(SITES_MAX / 10).collect();
    for name in names {
        sites.remove(&name);
    }
}
