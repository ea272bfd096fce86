//! What all handlers share: the archive, who may see what, the time, and who asks.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use archive::{Archive, Ids};
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use jiff::Timestamp;
use policy::{CurrentRules, Decision, Request};

use crate::{Keys, Limits};

/// The time now; handed in, so that tests can turn it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Says who asks, by the head of a request.
pub type Who = Arc<dyn Fn(&Parts) -> Visitor + Send + Sync>;

/// What the API needs. A clone is cheap and is the same.
#[derive(Clone)]
pub struct Api {
    inside: Arc<Inside>,
}

struct Inside {
    settings: Settings,
    jobs: crate::jobs::Jobs,
    holdings: crate::holdings::Cache,
    /// Places for those who follow the news.
    followers: Arc<tokio::sync::Semaphore>,
    sessions: crate::admission::Sessions,
}

/// What there is to say beforehand.
#[derive(Clone)]
pub struct Settings {
    /// The archive that is served.
    pub archive: Archive,
    /// Who may see what.
    pub access_rules: CurrentRules,
    /// The time now.
    pub now: Clock,
    /// What lets a request in.
    pub keys: Keys,
    /// Who asks. [`peer`] unless something in front says more.
    pub who: Who,
    /// Origins that may change something, such as `http://127.0.0.1:8470`; programs, which send none, may too.
    pub origins: Vec<String>,
    /// Where captures are shown, such as `http://localhost:8471`: links lead there.
    pub replay: String,
    /// What the archive is called wherever it is served, such as `urn:varve:archive:city`: ids in feeds begin with it, and stay as they are
    /// whatever the address is.
    pub source: String,
    /// Who begins harvests; `None` if nobody does.
    pub harvests: Option<Arc<dyn crate::jobs::Harvests>>,
    /// Who looks after the files; `None` if nobody does.
    pub keeper: Option<Arc<dyn crate::vault::Keeper>>,
    /// Who watches pages; `None` if nobody does.
    pub watcher: Option<Arc<dyn crate::watches::Watcher>>,
    /// Names under which the CDX server shows the archive as somebody else sees it, besides hiding what whoever asks may not see.
    pub access_points: BTreeMap<String, Visitor>,
    /// The lines of the access rules, if they may be shown. They name what is hidden.
    pub rules: Option<String>,
    /// Ids of records: what is taken out of a collection is written down in the store.
    pub ids: Ids,
    /// Bounds on requests.
    pub limits: Limits,
}

impl Settings {
    /// Settings with the usual addresses and limits.
    #[must_use]
    pub fn new(archive: Archive, access_rules: CurrentRules, now: Clock, ids: Ids, keys: Keys) -> Settings {
        Settings {
            archive,
            access_rules,
            now,
            keys,
            who: Arc::new(peer),
            origins: vec!["http://127.0.0.1:8470".to_owned()],
            replay: "http://localhost:8471".to_owned(),
            source: "urn:varve:archive".to_owned(),
            access_points: BTreeMap::from([("public".to_owned(), Visitor::default())]),
            rules: None,
            harvests: None,
            keeper: None,
            watcher: None,
            ids,
            limits: Limits::default(),
        }
    }
}

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visitor {
    /// Where the request comes from.
    pub client: Option<IpAddr>,
    /// The user, where that is known.
    pub user: Option<String>,
}

/// Whoever is at the other end of the connection, and no user. For servers that keep the peer's address
/// ([`axum::extract::ConnectInfo`]).
#[must_use]
pub fn peer(parts: &Parts) -> Visitor {
    let address = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    Visitor { client: address.map(|address| address.0.ip()), user: None }
}

impl Api {
    /// The API over an archive.
    #[must_use]
    pub fn new(settings: Settings) -> Api {
        let Settings { archive, harvests, limits, .. } = &settings;
        let jobs = crate::jobs::Jobs::new(archive.clone(), harvests.clone(), limits.clone());
        let holdings = crate::holdings::Cache::default();
        let followers = Arc::new(tokio::sync::Semaphore::new(limits.followers));
        let sessions = crate::admission::Sessions::default();
        let inside = Inside { settings, jobs, holdings, followers, sessions };
        Api { inside: Arc::new(inside) }
    }

    /// The archive that is served.
    #[must_use]
    pub fn archive(&self) -> &Archive {
        &self.inside.settings.archive
    }

    /// Who may see what.
    #[must_use]
    pub fn access_rules(&self) -> &CurrentRules {
        &self.inside.settings.access_rules
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.inside.settings.now)()
    }

    /// What lets a request in.
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.inside.settings.keys
    }

    pub(crate) fn sessions(&self) -> &crate::admission::Sessions {
        &self.inside.sessions
    }

    /// Who asks.
    #[must_use]
    pub fn who(&self, parts: &Parts) -> Visitor {
        (self.inside.settings.who)(parts)
    }

    /// May this visitor see that capture?
    #[must_use]
    pub fn decide(&self, visitor: &Visitor, key: &str, captured: Option<Timestamp>) -> Decision {
        let user = visitor.user.as_deref();
        self.access_rules().decide(&Request { key, captured, now: self.now(), client: visitor.client, user })
    }

    /// Origins that may change something.
    #[must_use]
    pub fn origins(&self) -> &[String] {
        &self.inside.settings.origins
    }

    /// Where captures are shown.
    #[must_use]
    pub fn replay(&self) -> &str {
        &self.inside.settings.replay
    }

    /// What the archive is called wherever it is served.
    pub(crate) fn source(&self) -> &str {
        &self.inside.settings.source
    }

    /// The jobs of the archive.
    #[must_use]
    pub fn jobs(&self) -> &crate::jobs::Jobs {
        &self.inside.jobs
    }

    /// Makes ids of records.
    #[must_use]
    pub fn ids(&self) -> Ids {
        Arc::clone(&self.inside.settings.ids)
    }

    pub(crate) fn keeper(&self) -> Option<&Arc<dyn crate::vault::Keeper>> {
        self.inside.settings.keeper.as_ref()
    }

    /// Whoever watches pages.
    ///
    /// # Errors
    /// When nobody does here.
    pub fn watcher(&self) -> Result<&Arc<dyn crate::watches::Watcher>, crate::Error> {
        let watcher = self.inside.settings.watcher.as_ref();
        watcher.ok_or_else(|| crate::Error::NotFound("this server watches no pages".to_owned()))
    }

    /// The visitor that an access point stands for.
    #[must_use]
    pub fn access_point(&self, name: &str) -> Option<&Visitor> {
        self.inside.settings.access_points.get(name)
    }

    /// The lines of the access rules, if they may be shown.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        self.inside.settings.rules.as_deref()
    }

    /// Bounds on requests.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inside.settings.limits
    }

    pub(crate) fn followers(&self) -> Arc<tokio::sync::Semaphore> {
        Arc::clone(&self.inside.followers)
    }

    pub(crate) fn holdings_cache(&self) -> &crate::holdings::Cache {
        &self.inside.holdings
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Api").field("archive", self.archive()).finish_non_exhaustive()
    }
}
