//! Sitemaps and indexes of sitemaps, read by `robots`.

use crate::{Limits, Links};

/// Adds the links of a sitemap of any form.
pub fn links(bytes: &[u8], limits: &Limits, links: &mut Links) {
    let _ = (bytes, limits, links);
}
