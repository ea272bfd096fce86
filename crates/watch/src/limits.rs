//! Bounds on what comes from outside.

/// How much of anything is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a document, as sent and unpacked (E5). A larger one is compared by its headers alone, unless that is forced.
    pub document_bytes: u64,
    /// The same where it is forced.
    pub forced_bytes: u64,
    /// Redirects that are followed, one after another (E5).
    pub redirects: usize,
    /// Bytes of a URL.
    pub url_bytes: usize,
    /// Characters of a person's name.
    pub name_chars: usize,
    /// Bytes of an answer's head that are kept where no record has it.
    pub head_bytes: usize,
    /// Checks that are written down together.
    pub group: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            document_bytes: 10_000_000,
            forced_bytes: 1 << 31,
            redirects: 30,
            url_bytes: 8 << 10,
            name_chars: 100,
            head_bytes: 64 << 10,
            group: 256,
        }
    }
}
