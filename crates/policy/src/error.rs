//! Why a text is not an access rule or a network.

/// Why access rules could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A line is not a rule.
    #[error("line {line}: {reason}")]
    BadLine {
        /// The line's number, counted from 1.
        line: usize,
        /// What is wrong with the line.
        reason: String,
    },
    /// A text is not a network. The text is cut to 100 characters.
    #[error(
        "`{0}` is no network: write an address, or the first address of a network, a slash and the bits that count"
    )]
    NotANetwork(String),
}
