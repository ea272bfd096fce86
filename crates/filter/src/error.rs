//! What can go wrong: a filter that is none, found at the start, or a module that fails at a document.

/// Why there is no judgement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A pattern of a built-in filter that makes no sense.
    #[error("filter `{filter}`: `{pattern}` {why}")]
    Pattern {
        /// The filter.
        filter: &'static str,
        /// The pattern.
        pattern: String,
        /// The rest of the sentence.
        why: String,
    },
    /// A module that cannot be used at all.
    #[error("filter module `{module}`: {why}")]
    Broken {
        /// Its name.
        module: String,
        /// What is wrong with it.
        why: String,
    },
    /// A module that does not take its settings.
    #[error("filter module `{module}` refuses its settings: {why}")]
    Settings {
        /// Its name.
        module: String,
        /// What it says.
        why: String,
    },
    /// A module that failed at a document.
    #[error("filter module `{module}` failed at `{url}`: {why}")]
    Failed {
        /// Its name.
        module: String,
        /// The document.
        url: String,
        /// What happened.
        why: String,
    },
}
