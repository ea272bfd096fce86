//! Which part of a page something belongs to: what the page is about, or what stands on every page of the site.

use serde::Serialize;

use super::tree::{NodeId, Page};

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

impl Page {
    /// The region that an element opens by itself, if any.
    pub(super) fn opens_region(&self, node: NodeId) -> Option<Region> {
        let name = self.name(node)?;
        let role = self.attribute(node, "role").unwrap_or_default();
        match (name, role) {
            ("main" | "article", _) | (_, "main" | "article") => return Some(Region::Main),
            ("nav", _) | (_, "navigation" | "menu" | "menubar") => return Some(Region::Navigation),
            ("footer", _) | (_, "contentinfo") => return Some(Region::Footer),
            ("header", _) | (_, "banner") => return Some(Region::Header),
            ("aside", _) | (_, "complementary") => return Some(Region::Aside),
            ("body" | "html", _) => return None,
            _ => {}
        }
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
