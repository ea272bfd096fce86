//! How an index is written and how much memory reading it may take.

use crate::Limits;

/// Settings of an [`Index`](crate::Index). Those of writing only matter for what is written from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of lines that are packed together. Larger ones are packed tighter and take longer to look into.
    pub leaf_bytes: usize,
    /// Level of zstd, 1 to 19.
    pub level: i32,
    /// How many rows are gathered before their fingerprints are put aside, sorted, in a file: bounds the memory of a publish.
    pub sort_rows: usize,
    /// Threads that pack rows, where there are many of them.
    pub threads: usize,
    /// So many segments of about the same size become one.
    pub segments_per_tier: usize,
    /// Bytes of unpacked leaves that are kept in memory.
    pub leaf_cache_bytes: usize,
    /// Bytes of branches and filters that are kept in memory: about three for each row, up to this. With all of them there, a miss reads
    /// nothing.
    pub branch_cache_bytes: usize,
    /// Bounds on what is read and published.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            leaf_bytes: 10 << 10,
            level: 1,
            sort_rows: 400_000,
            threads: 2,
            segments_per_tier: 4,
            leaf_cache_bytes: 8 << 20,
            branch_cache_bytes: 256 << 20,
            limits: Limits::default(),
        }
    }
}
