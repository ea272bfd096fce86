//! How much of anything is taken from a site that may mean harm.

/// Bounds on what is read. Whatever lies beyond one of them is left out, and said to be so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a robots.txt; RFC 9309, section 2.5 asks for at least 500 KiB.
    pub robots_bytes: usize,
    /// Bytes of one line of a robots.txt; the rest of a longer one is cut off, as Google does.
    pub line_bytes: usize,
    /// `Sitemap` lines of a robots.txt that are kept.
    pub robots_sitemaps: usize,
    /// Bytes of a sitemap after unpacking; the protocol allows 50 MiB.
    pub sitemap_bytes: u64,
    /// Pages or further sitemaps in one sitemap; the protocol allows 50,000.
    pub sitemap_entries: usize,
    /// Pictures, videos, translations and enclosures in one sitemap.
    pub sitemap_extras: usize,
    /// Those of one page.
    pub extras_per_page: usize,
    /// Elements within each other in a sitemap.
    pub sitemap_depth: usize,
    /// Bytes of one tag, comment or piece of text in a sitemap.
    pub token_bytes: usize,
    /// Bytes of one URL in a sitemap; the protocol allows 2,048, the web does not care.
    pub url_bytes: usize,
    /// How often a sitemap may be gzipped within itself.
    pub gzip_layers: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            robots_bytes: 500 << 10,
            line_bytes: 2083 * 8 - 1,
            robots_sitemaps: 1000,
            sitemap_bytes: 50 << 20,
            sitemap_entries: 50_000,
            sitemap_extras: 200_000,
            extras_per_page: 1000,
            sitemap_depth: 64,
            token_bytes: 4 << 20,
            url_bytes: 8 << 10,
            gzip_layers: 2,
        }
    }
}
