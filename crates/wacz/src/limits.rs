//! How much of anything is taken in before we say "enough".

/// Bounds on what is read. Whatever passes one of them is an error, never a full memory or disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Entries of a package.
    pub entries: usize,
    /// Bytes of its central directory.
    pub directory_bytes: u64,
    /// Bytes of an entry's name.
    pub name_bytes: usize,
    /// Bytes that all entries together say they unfold to.
    pub total_bytes: u64,
    /// How many times its packed length an entry may unfold to, once it is longer than [`Limits::harmless_bytes`]. Text of pages is
    /// seldom packed to a fiftieth; what packs to a thousandth was made to.
    pub ratio: u64,
    /// Up to here an entry may unfold to whatever it likes.
    pub harmless_bytes: u64,
    /// Bytes of a manifest.
    pub manifest_bytes: u64,
    /// Bytes of a line of a list of pages; it may hold the text of the page.
    pub line_bytes: usize,
    /// How deep packages may lie in packages; 0 allows none.
    pub nesting: usize,
    /// Problems that a report lists; further ones are counted.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entries: 100_000,
            directory_bytes: 64 << 20,
            name_bytes: 1 << 10,
            total_bytes: 1 << 44,
            ratio: 300,
            harmless_bytes: 4 << 20,
            manifest_bytes: 64 << 20,
            line_bytes: 32 << 20,
            nesting: 4,
            problems: 1000,
        }
    }
}
