//! What each site lets robots do, asked once before anything else of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontier::Turn;
use jiff::Timestamp;
use robots::{Basis, Fetched, Limits, Patience, Policy};
use url::Url;

use crate::log::status;

/// Sites whose rules are held; beyond that some are forgotten and asked for again.
const SITES_MAX: usize = 100_000;

/// The rules of all sites that were met.
#[derive(Debug)]
pub(super) struct Rules {
    sites: Mutex<HashMap<String, Site>>,
    patience: Patience,
    limits: Limits,
}

#[derive(Debug)]
enum Site {
    /// robots.txt is under way; these wait for it.
    Asking {
        waiting: Vec<Turn>,
        before: Option<Arc<Policy>>,
    },
    Known(Known),
}

/// What is known of a site.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) policy: Arc<Policy>,
    /// Why robots.txt could not be had, as the log says it.
    pub(super) fault: Option<i32>,
}

/// What the rules say to a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// It may be fetched.
    Allowed,
    /// It may not.
    Forbidden,
    /// Nobody knows, because robots.txt cannot be had; this is why.
    Unknown(i32),
}

/// What is to be done about a URL.
pub(super) enum Answer {
    /// The rules are known.
    Known(Known, Turn),
    /// The caller is to ask for robots.txt, and then tell by [`Rules::learn`].
    Ask(Turn),
    /// Somebody is asking; the turn waits and comes back from [`Rules::learn`].
    Wait,
}

impl Rules {
    /// Nothing is known yet. A robots.txt that could not be had is asked for again after so long.
    pub(super) fn new(retry: Duration) -> Rules {
        let patience = Patience { retry, ..Patience::default() };
        Rules { sites: Mutex::default(), patience, limits: Limits::default() }
    }

    /// What holds for the site of a turn; `site` is the address of its robots.txt.
    pub(super) fn of(&self, site: &str, turn: Turn, now: Timestamp) -> Answer {
        let mut sites = self.lock();
        match sites.get_mut(site) {
            Some(Site::Known(known)) if known.policy.fetch_again_at(&self.patience) > now => {
                Answer::Known(known.clone(), turn)
            }
            Some(Site::Asking { waiting, .. }) => {
                waiting.push(turn);
                Answer::Wait
            }
            known => {
                let before = match known {
                    Some(Site::Known(known)) => Some(known.policy.clone()),
                    _ => None,
                };
                if sites.len() >= SITES_MAX {
                    forget_some(&mut sites);
                }
                sites.insert(site.to_owned(), Site::Asking { waiting: Vec::new(), before });
                Answer::Ask(turn)
            }
        }
    }

    /// What came of asking. Gives back the turns that waited for it, and the rules.
    pub(super) fn learn(
        &self,
        site: &str,
        fetched: Fetched<'_>,
        fault: Option<i32>,
        names: &str,
        now: Timestamp,
    ) -> (Vec<Turn>, Arc<Policy>) {
        let mut sites = self.lock();
        let (waiting, before) = match sites.remove(site) {
            Some(Site::Asking { waiting, before }) => (waiting, before),
            Some(Site::Known(known)) => (Vec::new(), Some(known.policy)),
            None => (Vec::new(), None),
        };
        let policy = match before {
            Some(before) => {
                let mut policy = Policy::clone(&before);
                policy.renew(fetched, now, &self.limits);
                policy
            }
            None => Policy::from_fetch(fetched, now, &self.limits),
        };
        let policy = Arc::new(policy.only_for(names));
        sites.insert(site.to_owned(), Site::Known(Known { policy: policy.clone(), fault }));
        (waiting, policy)
    }

    /// Whether the rules let a URL be fetched.
    pub(super) fn word(&self, known: &Known, names: &str, url: &Url, now: Timestamp) -> Word {
        let policy = &known.policy;
        if policy.allows(names, url.as_str(), now, &self.patience).allowed {
            Word::Allowed
        } else if policy.basis(now, &self.patience) == Basis::Unreachable {
            Word::Unknown(known.fault.unwrap_or(status::NO_ROBOTS))
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
