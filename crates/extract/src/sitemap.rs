//! Sitemaps and indexes of sitemaps, read by `robots`.

use robots::sitemap::EntryKind;

use crate::{Hop, Limits, Link, Links, Rule};

/// Adds the links of a sitemap of any form. Pictures and films on its pages are embedded there; all else is listed.
pub fn links(bytes: &[u8], limits: &Limits, links: &mut Links) {
    let mut bounds = robots::Limits::default();
    bounds.sitemap_bytes = bounds.sitemap_bytes.min(limits.unfolded_bytes_max);
    bounds.sitemap_entries = bounds.sitemap_entries.min(limits.links_max.saturating_add(1));
    robots::sitemap::read(bytes, &bounds, |entry| {
        let hop = match entry.kind {
            EntryKind::Image | EntryKind::Video => Hop::Embed,
            _ => Hop::Manifest,
        };
        links.add(Link::new(entry.url, hop, Rule::new("sitemap", entry.kind.name())));
    });
}
