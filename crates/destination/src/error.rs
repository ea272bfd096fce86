//! What can be wrong with a network that somebody names.

/// Why a text is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What should name a network does not.
    #[error("`{text}` is no network; write an address, or `address/bits`")]
    Network {
        /// What was given.
        text: String,
    },
}
