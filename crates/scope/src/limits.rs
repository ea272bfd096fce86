//! How much of anything is taken from a list that somebody wrote, or generated.

/// Bounds on lists. Whatever lies beyond one of them is an error that says so, because half a list is another list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line of a seed list.
    pub seed_bytes_max: usize,
    /// Lines of a seed list that say something.
    pub seeds_max: usize,
    /// Bytes of one regular expression.
    pub pattern_bytes_max: usize,
    /// Regular expressions in one list.
    pub patterns_max: usize,
    /// Bytes that one regular expression may take when it is compiled; `(a{1000}){1000}` takes more.
    pub pattern_compiled_bytes_max: usize,
    /// Bytes that all regular expressions of a list may take together when they are compiled.
    pub patterns_compiled_bytes_max: usize,
    /// Sheets.
    pub sheets_max: usize,
    /// SURT prefixes of all sheets together.
    pub sheet_prefixes_max: usize,
    /// Redirects of seeds that are remembered, see [`Scope::follow_seed`](crate::Scope::follow_seed).
    pub followed_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seed_bytes_max: 8 << 10,
            seeds_max: 5_000_000,
            pattern_bytes_max: 4 << 10,
            patterns_max: 10_000,
            pattern_compiled_bytes_max: 1 << 20,
            patterns_compiled_bytes_max: 64 << 20,
            sheets_max: 10_000,
            sheet_prefixes_max: 1_000_000,
            followed_max: 100_000,
        }
    }
}
