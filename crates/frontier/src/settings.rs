//! How a frontier is kept.

/// How wide the crawl is, and how much memory the frontier may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// At most so many pages are accepted at each distance, so that a crawl with few requests reaches far. `None` takes
    /// everything.
    pub width: Option<u32>,
    /// Bytes for blocks of the database that were read lately.
    pub cache_bytes: usize,
    /// Bytes for the fingerprints of URLs that were met lately.
    pub lately_bytes: usize,
    /// Bytes for telling what was never met, good for as many URLs.
    pub sieve_bytes: usize,
    /// Bytes for entries that come next, all hosts together.
    pub ahead_bytes: usize,
    /// Bytes of the log at which it goes into tables. In memory they are some four times as many.
    pub log_bytes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            width: None,
            cache_bytes: 16 << 20,
            lately_bytes: 32 << 20,
            sieve_bytes: 16 << 20,
            ahead_bytes: 48 << 20,
            log_bytes: 8 << 20,
        }
    }
}
