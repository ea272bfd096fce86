//! What is wrong with a sitemap. None of it keeps the rest from being read.

/// A deviation, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// The file is neither a sitemap nor a feed nor a list of URLs.
    #[error("this is no sitemap{}", what_else(.root))]
    NoSitemap {
        /// Name of the outermost element, cut short; empty where there is none.
        root: String,
    },
    /// The XML cannot be read on from here.
    #[error("broken at byte {at}: {why}")]
    Broken {
        /// Offset in the unpacked file.
        at: u64,
        /// What the parser said.
        why: String,
    },
    /// The file ends before its outermost element does.
    #[error("the file ends in the middle")]
    EndsEarly,
    /// The source of the bytes failed, or what is packed is damaged.
    #[error("cannot read on: {why}")]
    Unreadable {
        /// What the source said.
        why: String,
    },
    /// The file is longer than the limit.
    #[error("longer than {limit} bytes; the rest is left out")]
    TooLong {
        /// The limit.
        limit: u64,
    },
    /// A single tag, comment or text is longer than the limit.
    #[error("a tag or text is longer than {limit} bytes; the rest is left out")]
    TokenTooLong {
        /// The limit.
        limit: usize,
    },
    /// It is gzipped within itself more often than anybody has reason to.
    #[error("packed within itself more than {limit} times")]
    TooManyLayers {
        /// The limit.
        limit: usize,
    },
    /// There are more entries than the limit.
    #[error("more than {limit} entries; the rest is left out")]
    TooManyEntries {
        /// The limit.
        limit: usize,
    },
    /// There are more pictures, videos, translations than the limit.
    #[error("more pictures, videos and other extras than are kept; {count} are left out")]
    TooManyExtras {
        /// How many were left out.
        count: usize,
    },
    /// A document type stands at the top. It is passed over and nothing it names is looked at.
    #[error("it has a document type, which is passed over")]
    DocumentType,
    /// Tags that close what is not open, or leave open what they close over.
    #[error("{count} tags do not match")]
    UnmatchedTags {
        /// How many.
        count: usize,
    },
    /// Elements lie deeper within each other than the limit.
    #[error("{count} elements lie too deep and are passed over")]
    TooDeep {
        /// How many.
        count: usize,
    },
    /// Where a URL should be there is something else.
    #[error("{count} entries hold no URL")]
    NoUrl {
        /// How many.
        count: usize,
    },
    /// URLs longer than the limit.
    #[error("{count} URLs are too long")]
    UrlTooLong {
        /// How many.
        count: usize,
    },
}

/// What the file seems to be instead, where that can be said.
fn what_else(root: &str) -> String {
    if root.is_empty() { String::new() } else { format!(": its first element is `{root}`") }
}
