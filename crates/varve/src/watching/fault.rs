//! Why something about watches could not be done, told in two ways: to a person at the command line, and to a program that asks the API.

use std::fmt;
use std::io;

use anyhow::anyhow;
use api::FieldFault;
use watch::Error;

use crate::hint::with_hint;
use crate::terminal::escape;
use crate::usage;

/// Why it could not be done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Whoever watches says so.
    Watch(Error),
    /// What is wanted of a watch makes no sense.
    Fields(Vec<FieldFault>),
    /// It makes no sense otherwise.
    Wrong { message: String, hint: Option<String> },
    /// User name and password cannot be stored.
    NotStored(anyhow::Error),
}

impl Fault {
    /// One field that is wrong.
    pub(crate) fn field(pointer: &str, detail: impl Into<String>) -> Fault {
        Fault::Fields(vec![FieldFault::new(pointer, detail)])
    }

    /// Whether somebody would have to say that private addresses are asked.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self, Fault::Watch(error) if private(error).is_some())
    }

    /// Whether a document was asked for and is not to be had.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Fault::Watch(Error::NotHad(_) | Error::NoVersion(_)))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Watch(error) => f.write_str(&in_full(error)),
            Fault::Fields(faults) => f.write_str(&faults.iter().map(told).collect::<Vec<_>>().join("; ")),
            Fault::Wrong { message, .. } => f.write_str(message),
            Fault::NotStored(error) => write!(f, "{error:#}"),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Watch(error)
    }
}

impl From<Fault> for api::Error {
    fn from(fault: Fault) -> api::Error {
        let error = match fault {
            Fault::Fields(faults) => return api::Error::Fields(faults),
            Fault::Wrong { message, hint } => return api::Error::Wrong { message, hint },
            Fault::NotStored(error) => {
                let what = "the store of user names and passwords".to_owned();
                return api::Error::Unreadable { what, source: io::Error::other(format!("{error:#}")) };
            }
            Fault::Watch(error) => error,
        };
        let text = error.to_string();
        match error {
            Error::Url(_) | Error::Name(_) => api::Error::Bad(text),
            Error::NoPerson(_) | Error::NoWatch(_) | Error::Unknown(_) | Error::NoVersion(_) => {
                api::Error::NotFound(text)
            }
            Error::Watched { .. } => api::Error::Conflict(text),
            Error::ReadOnly => api::Error::Forbidden(text),
            Error::NotHad(_) => api::Error::NotHad(text),
            Error::TooLong(_) => api::Error::TooLarge(text),
            Error::Rule(_) => api::Error::Wrong { message: text, hint: None },
            Error::NotAsked { .. } => {
                api::Error::Wrong { message: text, hint: private(&error).map(str::to_owned) }
            }
            error if error.is_unreachable() => {
                tracing::error!("a request failed: {}", in_full(&error));
                api::Error::Busy("the database server cannot be reached".to_owned())
            }
            Error::Closed => api::Error::Busy("the server is ending".to_owned()),
            Error::Lost { .. } => {
                api::Error::Unreadable { what: text, source: io::Error::other("it is not where it was") }
            }
            error => api::Error::Unreadable {
                what: "what is known of watched pages".to_owned(),
                source: io::Error::other(in_full(&error)),
            },
        }
    }
}

impl From<Fault> for anyhow::Error {
    fn from(fault: Fault) -> anyhow::Error {
        match fault {
            Fault::Watch(error) => hinted(error),
            Fault::Fields(_) => usage::wrong(anyhow!("{fault}")),
            Fault::Wrong { message, hint } => {
                let error = usage::wrong(anyhow!("{message}"));
                hint.into_iter().fold(error, with_hint)
            }
            Fault::NotStored(error) => error,
        }
    }
}

/// What can be done about it.
fn hinted(error: Error) -> anyhow::Error {
    let hint = match &error {
        error if error.is_damaged() => Some(
            "the captures are safe in the archive; move watch.db away, and watching begins anew".to_owned(),
        ),
        Error::Unknown(url) => Some(format!("`varve check {}` checks it for the first time", escape(url))),
        Error::NoVersion(url) => Some(format!("`varve versions {}` lists what there is", escape(url))),
        Error::NoWatch(_) => Some("`varve watch ls` lists them".to_owned()),
        Error::Watched { url, .. } => {
            Some(format!("`varve watch edit {}` changes what is wanted of it", escape(url)))
        }
        Error::ReadOnly => Some(
            "run it as the user who owns the archive, or on a copy of the archive that can be written"
                .to_owned(),
        ),
        Error::Later { .. } => Some("a newer varve reads it".to_owned()),
        error => private(error).map(str::to_owned),
    };
    let is_misuse = matches!(error, Error::Url(_) | Error::Name(_) | Error::Rule(_));
    let error = anyhow::Error::new(error);
    let error = if is_misuse { usage::wrong(error) } else { error };
    hint.into_iter().fold(error, with_hint)
}

/// The way to addresses that are not asked.
fn private(error: &Error) -> Option<&'static str> {
    let is_refused = matches!(error, Error::NotAsked { why: fetch::Failure::AddressRefused(_), .. });
    is_refused.then_some(
        "`--allow-private`, or `allow_private = true` below `[harvest]` in varve.toml, asks addresses of this machine and of private networks, too",
    )
}

/// The option that a field is set by, and what is wrong with it.
fn told(fault: &FieldFault) -> String {
    let mut parts = fault.pointer.trim_start_matches('/').split('/');
    let name = match (parts.next(), parts.next()) {
        (Some("rules"), Some("only")) => "--only",
        (Some("rules"), Some("never")) => "--never",
        (Some("rules"), Some("triggers")) => "--trigger",
        (Some("rules"), Some("words_min")) => "--words-min",
        (Some("rules"), Some("share_min")) => "--share-min",
        (Some("every"), _) => "--every",
        (Some("notify"), _) => "--notify",
        (Some("quiet"), _) => "--quiet-hours",
        (Some("digest"), _) => "--digest",
        (Some("title"), _) => "--title",
        (Some("tags"), _) => "--tag",
        (Some("notes"), _) => "--notes",
        (Some("owner"), _) => "--person",
        (Some("url"), _) => "the URL",
        _ => &fault.pointer,
    };
    match fault.at {
        Some(at) => format!("{name}: {} (at character {at})", fault.detail),
        None => format!("{name}: {}", fault.detail),
    }
}

fn in_full(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
