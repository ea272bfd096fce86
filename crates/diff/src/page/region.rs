//! Which part of a page something belongs to: what the page is about, or what stands on every page of the site.

use serde::Serialize;

use super::tree::{Data, NodeId, Page};

/// A part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Region {
    /// What the page is about.
    Main,
    /// Title, logo and the like, on every page of the site.
    Header,
    /// Navigation.
    Navigation,
    /// Imprint and the like.
    Footer,
    /// Beside the matter: related pages, adverts.
    Aside,
}

/// Words in a class or id that tell a region, whole words only.
const WORDS: [(&str, Region); 27] = [
    ("footer", Region::Footer),
    ("foot", Region::Footer),
    ("colophon", Region::Footer),
    ("copyright", Region::Footer),
    ("nav", Region::Navigation),
    ("navbar", Region::Navigation),
    ("navigation", Region::Navigation),
    ("menu", Region::Navigation),
    ("breadcrumb", Region::Navigation),
    ("breadcrumbs", Region::Navigation),
    ("sidenav", Region::Navigation),
    ("header", Region::Header),
    ("masthead", Region::Header),
    ("banner", Region::Header),
    ("sidebar", Region::Aside),
    ("aside", Region::Aside),
    ("ad", Region::Aside),
    ("ads", Region::Aside),
    ("advert", Region::Aside),
    ("advertisement", Region::Aside),
    ("adsbygoogle", Region::Aside),
    ("sponsored", Region::Aside),
    ("cookie", Region::Aside),
    ("cookies", Region::Aside),
    ("consent", Region::Aside),
    ("share", Region::Aside),
    ("social", Region::Aside),
];

/// How much text there is before each node, to tell how much is in one.
pub(super) struct Weights(Vec<usize>);

impl Weights {
    pub(super) fn of(page: &Page) -> Weights {
        let mut sum = 0;
        let mut sums = Vec::with_capacity(page.len() + 1);
        for node in page.within(NodeId::DOCUMENT) {
            sums.push(sum);
            if let Data::Text(text) = page.data(node)
                && let Some(name) = page.parent(node).and_then(|parent| page.name(parent))
                && !matches!(name, "script" | "style" | "noscript")
            {
                sum += text.trim().len();
            }
        }
        sums.push(sum);
        Weights(sums)
    }

    /// Whether a node holds more than half of the page's text.
    fn is_most(&self, page: &Page, node: NodeId) -> bool {
        let at = |index: usize| self.0.get(index).copied().unwrap_or(0);
        let all = self.0.last().copied().unwrap_or(0);
        let end = page.behind(node).map_or(self.0.len() - 1, NodeId::index);
        (at(end) - at(node.index())) * 2 > all
    }
}

impl Page {
    /// The region that an element opens, if any: by what it is, or by what it is called. What holds most of the page is no
    /// margin of it, whatever it is called.
    pub(super) fn opens_region(&self, node: NodeId, weights: &Weights) -> Option<Region> {
        let name = self.name(node)?;
        let role = self.attribute(node, "role").unwrap_or_default();
        match (name, role) {
            ("main" | "article", _) | (_, "main" | "article") => Some(Region::Main),
            ("nav", _) | (_, "navigation" | "menu" | "menubar") => Some(Region::Navigation),
            ("footer", _) | (_, "contentinfo") => Some(Region::Footer),
            ("header", _) | (_, "banner") => Some(Region::Header),
            ("aside", _) | (_, "complementary") => Some(Region::Aside),
            ("body" | "html", _) => None,
            _ => self.called(node).filter(|_| !weights.is_most(self, node)),
        }
    }

    fn called(&self, node: NodeId) -> Option<Region> {
        let words = |value: &str| {
            let mut words = value.split(|char: char| !char.is_ascii_alphanumeric());
            words.find_map(|word| {
                WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, region)| *region)
            })
        };
        let id = self.attribute(node, "id").and_then(words);
        id.or_else(|| self.attribute(node, "class").and_then(words))
    }
}
