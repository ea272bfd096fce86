//! What can go wrong. Documents cannot: whatever their bytes, they come out, rewritten as far as they could be read.

/// Why something cannot be rewritten.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The document's URL is none that could have been fetched.
    #[error("`{url}` is no absolute http, https or ftp URL")]
    Url {
        /// The URL as it was given.
        url: String,
    },
    /// The prefix is neither a path nor a URL, or has no slash at its end.
    #[error("the prefix `{prefix}` must be a path or URL that ends with a slash")]
    Prefix {
        /// The prefix as it was given.
        prefix: String,
    },
    /// A timestamp has up to 14 digits and nothing else.
    #[error("`{timestamp}` is no timestamp of up to 14 digits")]
    Timestamp {
        /// The timestamp as it was given.
        timestamp: String,
    },
    /// A replay address without an archived URL in it.
    #[error("`{address}` names no archived URL")]
    Address {
        /// The address as it was given.
        address: String,
    },
    /// The rewriter was finished already.
    #[error("the document is finished; nothing more can be fed")]
    Finished,
}
