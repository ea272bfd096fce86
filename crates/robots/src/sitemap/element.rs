//! The elements that sitemaps and feeds are made of, by their names without prefix.
//!
//! Prefixes and namespaces are left out of it: too many sitemaps have wrong ones or none.

use super::Format;

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// The outermost one.
    Root(Format),
    /// `url` in a sitemap.
    Url,
    /// `sitemap` in an index.
    Sitemap,
    /// `item` in RSS.
    Item,
    /// `entry` in Atom.
    Entry,
    Loc,
    /// `content_loc`, `player_loc`, `thumbnail_loc` of a video.
    VideoLoc,
    Lastmod,
    Changefreq,
    Priority,
    Image,
    Link,
    Guid,
    /// `enclosure`, and `content` as in `media:content`.
    Enclosure,
    /// Any other, told apart by its name.
    Other(u32),
}

impl Element {
    pub(super) fn root(name: &str) -> Option<Format> {
        const ROOTS: [(&str, Format); 5] = [
            ("urlset", Format::UrlSet),
            ("sitemapindex", Format::Index),
            ("rss", Format::Rss),
            ("RDF", Format::Rdf),
            ("feed", Format::Atom),
        ];
        ROOTS.iter().find(|(root, _)| root.eq_ignore_ascii_case(name)).map(|(_, format)| *format)
    }

    pub(super) fn named(name: &str) -> Element {
        const NAMES: [(&str, Element); 22] = [
            ("url", Element::Url),
            ("sitemap", Element::Sitemap),
            ("item", Element::Item),
            ("entry", Element::Entry),
            ("loc", Element::Loc),
            ("content_loc", Element::VideoLoc),
            ("player_loc", Element::VideoLoc),
            ("thumbnail_loc", Element::VideoLoc),
            ("lastmod", Element::Lastmod),
            ("pubDate", Element::Lastmod),
            ("date", Element::Lastmod),
            ("updated", Element::Lastmod),
            ("modified", Element::Lastmod),
            ("published", Element::Lastmod),
            ("changefreq", Element::Changefreq),
            ("priority", Element::Priority),
            ("image", Element::Image),
            ("link", Element::Link),
            ("guid", Element::Guid),
            ("enclosure", Element::Enclosure),
            ("content", Element::Enclosure),
            ("thumbnail", Element::Enclosure),
        ];
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map_or_else(|| Element::Other(fingerprint(name)), |(_, element)| *element)
    }

    /// Whether it holds an entry.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Element::Url | Element::Sitemap | Element::Item | Element::Entry)
    }

    /// Whether the text in it matters.
    pub(super) fn has_text(self) -> bool {
        matches!(
            self,
            Element::Loc
                | Element::VideoLoc
                | Element::Lastmod
                | Element::Changefreq
                | Element::Priority
                | Element::Link
                | Element::Guid
        )
    }
}

/// FNV-1a: enough to tell a closing tag from that of another element.
fn fingerprint(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
