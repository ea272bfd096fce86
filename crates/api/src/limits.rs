//! How much of anything is taken from a request before we say "enough".

use std::time::Duration;

/// Bounds on requests and on the memory that answering one takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a query, percent-encoded as it comes.
    pub query_bytes: usize,
    /// Parameters of a query.
    pub parameters: usize,
    /// Filters of a question to a CDX server.
    pub filters: usize,
    /// Bytes of one filter, collapse or list of fields.
    pub expression_bytes: usize,
    /// Rows that an order holds in memory which the index does not have.
    pub held_rows: usize,
    /// Bytes of the lines of those rows.
    pub held_bytes: usize,
    /// Rows that are looked at while the request waits, before answering goes on beside the other requests.
    pub rows_at_once: usize,
    /// Scans of one client that run at once; others of it wait.
    pub scans_per_client: usize,
    /// How long a question waits for the other scans of its client.
    pub scan_patience: Duration,
    /// Rows that a question passes over because nobody wants them, or goes through to count pages.
    pub scan_rows: u64,
    /// Bytes of an answer that are handed over at once.
    pub chunk_bytes: usize,
    /// Bytes of an answer from which on it is worth packing.
    pub packed_bytes: usize,
    /// Bytes of a body that adds rows to an index or takes some away.
    pub body_bytes: usize,
    /// Such bodies that are taken at once; others wait.
    pub bodies: usize,
    /// How long such a request waits for its turn, and then for other programs that write to the index.
    pub write_patience: Duration,
    /// Ranges of keys whose pages are remembered.
    pub paged_ranges: usize,
    /// Bytes of a job's log that are looked through at once.
    pub log_bytes: u64,
    /// Lines of a log in one answer.
    pub log_lines: usize,
    /// Jobs in one answer.
    pub jobs: usize,
    /// Start URLs of one harvest.
    pub start_urls: usize,
    /// Bytes of a body that asks for a harvest.
    pub wish_bytes: usize,
    /// Hosts that are looked at to find some by a part of their name.
    pub hosts_looked_at: usize,
    /// How many may follow the jobs at once.
    pub followers: usize,
    /// Files that are kept, in one answer; each is asked for its copies.
    pub kept_files: u32,
    /// Events of the files in one answer.
    pub kept_events: u32,
    /// Watches, checks or versions in one answer.
    pub watch_rows: u32,
    /// News in one answer; each has its difference.
    pub news: u32,
    /// News that somebody missed and is told of when following again.
    pub missed_news: usize,
    /// Bytes of a URL that is watched.
    pub url_bytes: usize,
    /// Characters of a person's name.
    pub name_chars: usize,
    /// Characters of what people call a watch, of each of its tags, of its pace and the like.
    pub words_chars: usize,
    /// Bytes of what somebody wants to remember of a watch.
    pub notes_bytes: usize,
    /// Tags of a watch, and ways to tell of it.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            query_bytes: 32 << 10,
            parameters: 100,
            filters: 20,
            expression_bytes: 4 << 10,
            held_rows: 100_000,
            held_bytes: 32 << 20,
            rows_at_once: 256,
            scans_per_client: 4,
            scan_patience: Duration::from_secs(30),
            scan_rows: 20_000_000,
            chunk_bytes: 64 << 10,
            packed_bytes: 1400,
            body_bytes: 256 << 20,
            bodies: 4,
            write_patience: Duration::from_secs(30),
            paged_ranges: 64,
            log_bytes: 256 << 20,
            log_lines: 1000,
            jobs: 1000,
            start_urls: 10_000,
            wish_bytes: 1 << 20,
            hosts_looked_at: 5_000,
            followers: 64,
            kept_files: 500,
            kept_events: 1000,
            watch_rows: 500,
            news: 100,
            missed_news: 1000,
            url_bytes: 8 << 10,
            name_chars: 100,
            words_chars: 300,
            notes_bytes: 16 << 10,
            entries: 50,
        }
    }
}
