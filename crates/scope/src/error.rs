//! What can be wrong with what a user wrote: lists, patterns, presets, sheets.

/// Why a scope could not be made. Every message names the line or sheet at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A line of a seed list is neither a URL nor a SURT prefix.
    #[error("line {line} of the seeds: `{text}` {why}")]
    Seed {
        /// Counted from one.
        line: usize,
        /// The beginning of the line.
        text: String,
        /// The rest of the sentence.
        why: String,
    },
    /// A line of a list of patterns is no regular expression, or one that is too large.
    #[error("line {line} of the {list}: `{pattern}` {why}")]
    Pattern {
        /// Which list it is, such as "traps".
        list: String,
        /// Counted from one.
        line: usize,
        /// The beginning of the line.
        pattern: String,
        /// The rest of the sentence.
        why: String,
    },
    /// A list as a whole is too large.
    #[error("the {list} have {found}, and {most} are the most that is taken")]
    TooMany {
        /// Which list it is.
        list: String,
        /// What was counted, with its unit.
        found: String,
        /// The most that is allowed.
        most: usize,
    },
    /// A preset that is none.
    #[error(
        "`{0}` is no scope; there are `page`, `prefix`, `host`, `domain`, `multi`, `multi:.example.org`, `indexpage`, \
         `indexpage:.example.org` and `list`"
    )]
    Preset(String),
    /// A name that is no domain.
    #[error("`{0}` is no domain")]
    Domain(String),
    /// A word for an extension or MIME type that is neither.
    #[error("`{0}` is neither an extension such as `.zip` nor a type such as `video/*`")]
    Extension(String),
    /// A sheet has a value that makes no sense.
    #[error("sheet `{sheet}`: {why}")]
    Sheet {
        /// Its name, or its number where it has none.
        sheet: String,
        /// What is wrong.
        why: String,
    },
}

/// The beginning of a text that is quoted in a message.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 100;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
