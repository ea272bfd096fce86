//! What can be wrong with a URL, a time or a SURT prefix that somebody handed us.

/// Why a text could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a date in any form the function called accepts.
    #[error("`{text}` is not a date")]
    NotADate {
        /// The text, cut short where it is long.
        text: String,
    },
    /// The text has the form of a date, but there is no such day or time.
    #[error("`{text}` names a day or a time that does not exist")]
    NoSuchDate {
        /// The text, cut short where it is long.
        text: String,
    },
    /// There is nothing but white space.
    #[error("there is no URL here, only white space")]
    Blank,
    /// What follows the colon after the host is no port.
    #[error("`{port}` is not a port number")]
    BadPort {
        /// What stands there.
        port: String,
    },
    /// The host cannot be one.
    #[error("`{host}` cannot be a host")]
    BadHost {
        /// What stands there.
        host: String,
    },
    /// The URL standard does not allow it.
    #[error("`{url}` is not a URL: {why}")]
    NotAUrl {
        /// The text, cut short where it is long.
        url: String,
        /// What the standard's parser says.
        why: url::ParseError,
    },
    /// It is no `data:` URI, or a broken one.
    #[error("`{uri}` is not a data: URI")]
    NotADataUri {
        /// The text, cut short where it is long.
        uri: String,
    },
    /// A domain's captures lie together only where keys begin with the domain.
    #[error("a range over a whole domain needs keys in SURT order")]
    DomainNeedsSurt,
    /// The word for a match type is none.
    #[error("`{name}` is not a match type; there are `exact`, `prefix`, `host` and `domain`")]
    UnknownMatch {
        /// The word.
        name: String,
    },
    /// The word for a rule set is none.
    #[error("`{name}` is not a set of URL rules")]
    UnknownRules {
        /// The word.
        name: String,
    },
}

impl Error {
    pub(crate) fn not_a_date(text: &str) -> Error {
        Error::NotADate { text: excerpt(text) }
    }

    pub(crate) fn no_such_date(text: &str) -> Error {
        Error::NoSuchDate { text: excerpt(text) }
    }
}

/// The first hundred characters: an error message must not carry a megabyte that came from outside.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}
