//! What all handlers share: what the API has, and the budget of scans, counted pages and writers.

use std::fmt;
use std::sync::Arc;

use api::{Api, Limits, Visitor};
use archive::{Archive, Ids};
use axum::http::request::Parts;
use jiff::Timestamp;
use policy::CurrentRules;

use crate::pages::Pages;
use crate::turns::Turns;

/// The CDX servers over the archive of an API. A clone is cheap and is the same.
#[derive(Clone)]
pub struct CdxServer {
    api: Api,
    inside: Arc<Inside>,
}

struct Inside {
    pages: Pages,
    scans: api::Scans,
    turns: Turns,
}

impl CdxServer {
    /// The CDX servers over the archive of an API, with its access rules and limits.
    #[must_use]
    pub fn new(api: Api) -> CdxServer {
        let limits = api.limits();
        let pages = Pages::new(limits.paged_ranges);
        let inside = Inside { pages, scans: api::Scans::new(limits), turns: Turns::new(limits) };
        CdxServer { api, inside: Arc::new(inside) }
    }

    pub(crate) fn api(&self) -> &Api {
        &self.api
    }

    pub(crate) fn archive(&self) -> &Archive {
        self.api.archive()
    }

    pub(crate) fn access_rules(&self) -> &CurrentRules {
        self.api.access_rules()
    }

    /// The text of the access rules, if it may be shown.
    pub(crate) fn rules(&self) -> Option<&str> {
        self.api.rules()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.api.now()
    }

    pub(crate) fn ids(&self) -> Ids {
        self.api.ids()
    }

    /// Where captures are shown.
    pub(crate) fn replay(&self) -> &str {
        self.api.replay()
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.api.limits()
    }

    pub(crate) fn who(&self, parts: &Parts) -> Visitor {
        self.api.who(parts)
    }

    pub(crate) fn access_point(&self, name: &str) -> Option<&Visitor> {
        self.api.access_point(name)
    }

    pub(crate) fn pages(&self) -> &Pages {
        &self.inside.pages
    }

    pub(crate) fn scans(&self) -> &api::Scans {
        &self.inside.scans
    }

    pub(crate) fn turns(&self) -> &Turns {
        &self.inside.turns
    }
}

impl fmt::Debug for CdxServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CdxServer").field("archive", self.archive()).finish_non_exhaustive()
    }
}
