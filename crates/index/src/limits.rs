//! How much of anything is taken in before we say "enough".

/// Bounds on what is read and published. Whatever passes one of them is an error, never a full memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one row as a CDXJ line.
    pub line_bytes: usize,
    /// Bytes that one page of a segment may unfold to; more than one line and one leaf.
    pub page_bytes: usize,
    /// Bytes of the tail of a segment, which holds the roots of its trees.
    pub tail_bytes: usize,
    /// Bytes of the manifest, which names commits and segments.
    pub manifest_bytes: u64,
    /// Bytes of rows that are added or deleted at once, which are sorted in memory.
    pub batch_bytes: usize,
    /// Rows of one key and second in the files that are loaded at once; who reads them holds them all in memory.
    pub rows_at_once: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: 1 << 20,
            page_bytes: 4 << 20,
            tail_bytes: 1 << 30,
            manifest_bytes: 1 << 28,
            batch_bytes: 1 << 28,
            rows_at_once: 100_000,
        }
    }
}
