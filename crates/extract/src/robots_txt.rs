//! What robots.txt gives away: sitemaps, and paths that exist.
//!
//! Whether something may be fetched is for `robots` to say; here the file is a document like any other.

use crate::{Hop, Link, Links, Rule};

/// Adds the sitemaps that a robots.txt lists, and as speculation the paths of its rules, unless they are patterns.
pub fn links(text: &str, links: &mut Links) {
    for sitemap in robots::Robots::parse(text.as_bytes(), &robots::Limits::default()).sitemaps() {
        links.add(Link::new(sitemap, Hop::Manifest, Rule::new("robots", "sitemap")));
    }
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, path)) = line.split_once(':') else { continue };
        let name = name.trim();
        let attribute = match name {
            _ if name.eq_ignore_ascii_case("allow") => "allow",
            _ if name.eq_ignore_ascii_case("disallow") => "disallow",
            _ => continue,
        };
        let path = path.trim();
        if path.len() > 1 && path.starts_with('/') && !path.contains(['*', '$']) {
            links.add(Link::new(path, Hop::Speculative, Rule::new("robots", attribute)));
        }
        if links.is_enough() {
            return;
        }
    }
}
