//! What can be wrong with settings. What goes wrong with a server is no error but an [`Outcome`](crate::Outcome).

/// Why a fetcher, a proxy or a network could not be made from what was given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A header cannot be sent as it stands.
    #[error(
        "the header `{name}` cannot be sent: its name is no name, or its value holds a line break or NUL"
    )]
    Header {
        /// Its name.
        name: String,
    },
    /// What should name a proxy does not.
    #[error("`{text}` is no proxy; write `http://host:port` or `socks5://host:port`")]
    Proxy {
        /// What was given.
        text: String,
    },
    /// What should name a network does not.
    #[error(transparent)]
    Network(#[from] destination::Error),
    /// What should name a host and its address does not.
    #[error("`{text}` gives no host an address; write `host:port:address` or `host:address`")]
    Override {
        /// What was given.
        text: String,
    },
    /// A certificate that should be trusted cannot be read.
    #[error("certificate {number} of those to be trusted cannot be read")]
    Root {
        /// Counted from 1.
        number: usize,
    },
}
