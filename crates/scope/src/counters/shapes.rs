//! URL shapes that run away: a calendar without end, a list with a next page for ever, filters upon filters.

use url::Url;

use super::distinct::{Distinct, hash};
use super::shape::{self, ShapeKind};
use super::{Caution, Named};

/// Counts URLs by shape where shapes tend to run away. Articles by number, wikis, forums and newspapers by date are not
/// counted at all: there may be a million of them.
#[derive(Debug)]
pub struct Shapes {
    /// Pages of one calendar: ten years of days, and more than a century of months.
    pub calendar_max: u32,
    /// Numbered pages of one list.
    pub pages_max: u32,
    /// Ways to narrow down one list by the same four fields or more.
    pub facets_max: u32,
    /// Choices of fields for one path.
    pub facet_sets_max: u32,
    /// Session ids for one page.
    pub sessions_max: u32,
    distinct: Distinct,
    over: Named<(ShapeKind, String, String)>,
}

/// A shape with too many URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeReport {
    /// What runs away.
    pub kind: ShapeKind,
    /// Host and shape, `example.org/calendar/0/0`.
    pub shape: String,
    /// One of the URLs.
    pub example: String,
    /// About how many there are.
    pub about: u32,
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes {
            calendar_max: 5000,
            pages_max: 10_000,
            facets_max: 20_000,
            facet_sets_max: 500,
            sessions_max: 5,
            // At most two megabytes.
            distinct: Distinct::new(1 << 14),
            over: Named::new(),
        }
    }
}

impl Shapes {
    /// Counts a URL, and warns if there are too many of its shape. A URL that is told of twice counts once.
    pub fn note(&self, url: &Url) -> Option<Caution> {
        let (path, query) = (url.path(), url.query());
        let host = url.host_str().unwrap_or_default();
        let text = crate::surt::fetched(url);
        if let Some((path, query)) = shape::without_session(path, query) {
            let key = hash((ShapeKind::Sessions, host, &*path, &*query));
            let caution = self.count(ShapeKind::Sessions, key, hash(text), url);
            if caution.is_some() {
                return caution;
            }
        }
        let sets = query.filter(|query| query.contains('&')).and_then(|_| {
            let names = shape::names(query);
            self.count(ShapeKind::FacetSets, hash((ShapeKind::FacetSets, host, path)), hash(names), url)
        });
        if sets.is_some() {
            return sets;
        }
        let kind = shape::kind(path, query)?;
        let key = hash((kind, host, shape::shape(path, query)));
        self.count(kind, key, hash(text), url)
    }

    fn count(&self, kind: ShapeKind, key: u64, item: u64, url: &Url) -> Option<Caution> {
        let most = match kind {
            ShapeKind::Calendar => self.calendar_max,
            ShapeKind::Pages => self.pages_max,
            ShapeKind::Facets => self.facets_max,
            ShapeKind::FacetSets => self.facet_sets_max,
            ShapeKind::Sessions => self.sessions_max,
        };
        let about = self.distinct.add(key, item);
        if about <= most {
            return None;
        }
        self.over.tell(key, || {
            let host = url.host_str().unwrap_or_default();
            (kind, format!("{host}{}", shape::shape(url.path(), url.query())), url.as_str().to_owned())
        });
        Some(Caution { what: kind.what(), about, most })
    }

    /// The shapes with too many URLs.
    #[must_use]
    pub fn report(&self) -> Vec<ShapeReport> {
        let list = self.over.list().into_iter();
        list.map(|(key, (kind, shape, example))| {
            let about = self.distinct.about(key).unwrap_or_default();
            ShapeReport { kind, shape, example, about }
        })
        .collect()
    }
}
