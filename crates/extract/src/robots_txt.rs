//! What robots.txt gives away: sitemaps, and paths that exist.

use crate::Links;

/// Adds the links of a robots.txt.
pub fn links(text: &str, links: &mut Links) {
    let _ = (text, links);
}
