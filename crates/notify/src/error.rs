//! Why somebody could not be told.

use std::io;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A server, an address or a URL that is none.
    #[error("`{text}` cannot be used: {why}")]
    Given {
        /// As it was written; of what may hold a secret only what may be told.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The system's certificates could not be read.
    #[error("the system's certificates cannot be read: {why}")]
    NoRoots {
        /// Why.
        why: String,
    },
    /// Nobody answers there.
    #[error("{host} cannot be reached")]
    Unreachable {
        /// Host and port.
        host: String,
        /// Why.
        source: io::Error,
    },
    /// Its address is not one of the open Internet, and the settings do not allow it.
    #[error(
        "{host} is not connected to: its address {address} is not allowed: {kind}; `allow_private = true` below `[notify]` allows it"
    )]
    AddressRefused {
        /// Host and port.
        host: String,
        /// The address.
        address: std::net::IpAddr,
        /// What speaks against it.
        kind: String,
    },
    /// The conversation broke off.
    #[error("{host} broke off")]
    BrokeOff {
        /// Host and port.
        host: String,
        /// Why.
        source: io::Error,
    },
    /// It took too long.
    #[error("{host} took too long")]
    TooSlow {
        /// Host and port.
        host: String,
    },
    /// The server has said more than anybody reads.
    #[error("{host} says too much")]
    TooMuch {
        /// Host and port.
        host: String,
    },
    /// Its certificate is not trusted, or it cannot speak TLS.
    #[error("{host} is not trusted: {why}")]
    NotTrusted {
        /// Host and port.
        host: String,
        /// Why.
        why: String,
    },
    /// The server lacks what is asked of it.
    #[error("{host} does not offer {what}")]
    NotOffered {
        /// Host and port.
        host: String,
        /// What.
        what: &'static str,
    },
    /// The server said no.
    #[error("{host} answered `{answer}` to {step}")]
    Refused {
        /// Host and port.
        host: String,
        /// To what.
        step: String,
        /// In its words.
        answer: String,
        /// Whether asking again makes no sense.
        is_final: bool,
    },
    /// It is told, but not to all: the server does not take some of them.
    #[error("it is sent, but not to all: {}", refused.join("; "))]
    NotToAll {
        /// For each who is not taken, what the server said.
        refused: Vec<String>,
    },
    /// What it says is not what such a server says.
    #[error("{host} answered what is not understood: `{answer}`")]
    Strange {
        /// Host and port.
        host: String,
        /// In its words.
        answer: String,
    },
    /// A letter could not be put together.
    #[error("the letter cannot be written: {why}")]
    Letter {
        /// Why.
        why: String,
    },
    /// A template is wrong, or makes too much of what it is given.
    #[error("the template for the {part}, line {line}: {why}")]
    Template {
        /// For what part of a letter: `subject`, `text` or `HTML`.
        part: &'static str,
        /// The line, from 1 on.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// An event could not be put together.
    #[error("the event cannot be written: {why}")]
    Event {
        /// Why.
        why: String,
    },
    /// The caller's own way of telling failed.
    #[error("it could not be shown")]
    Shown {
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// Whether the same message will fail again, for as long as nobody changes anything.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Error::Given { .. }
            | Error::NotTrusted { .. }
            | Error::NotOffered { .. }
            | Error::Letter { .. }
            | Error::Event { .. }
            | Error::Template { .. }
            | Error::NotToAll { .. }
            | Error::NoRoots { .. } => true,
            Error::Refused { is_final, .. } => *is_final,
            // Somebody may allow it in the settings.
            Error::AddressRefused { .. }
            | Error::Unreachable { .. }
            | Error::BrokeOff { .. }
            | Error::TooSlow { .. }
            | Error::TooMuch { .. }
            | Error::Strange { .. }
            | Error::Shown { .. } => false,
        }
    }

    /// Whether somebody was told all the same, so that the message is not to be sent again.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        matches!(self, Error::NotToAll { .. })
    }

    /// With its causes, in one line.
    #[must_use]
    pub fn in_full(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}
