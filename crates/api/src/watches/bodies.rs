//! What is read of a request: bodies in JSON, queries, times, and which version is meant. What makes no sense is a problem document.

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::watcher::Which;
use crate::answer::is_json;
use crate::error::Error;

/// A body in JSON, which no form of another page can send unasked.
pub(super) fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Error> {
    is_json(headers)?;
    // An array would be taken for the fields of an object in their order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(Error::bad("the body is to be an object"));
    }
    serde_json::from_slice(body).map_err(|error| Error::bad(error.to_string()))
}

/// What stands behind the question mark.
pub(crate) struct Asking<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asking<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asking<T>, Error> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Asking(asked)).map_err(|fault| Error::bad(fault.body_text()))
    }
}

/// The number of a watch; what is none is no watch.
pub(super) fn watch(id: &str) -> Result<i64, Error> {
    id.parse().map_err(|_| Error::NotFound(format!("there is no watch `{}`", shown(id))))
}

/// A time: RFC 3339, or up to 14 digits as replay has them.
pub(super) fn time(text: &str) -> Result<Timestamp, Error> {
    let digits = urlkey::time::parse_14(text).ok();
    let time = digits.or_else(|| text.parse().ok());
    time.ok_or_else(|| {
        let text = shown(text);
        Error::bad(format!("`{text}` is no time: such are 2026-11-18T08:00:00Z and 20261118080000"))
    })
}

/// A version, as it is named where two are compared: its number, a time, `current` or `reachable`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Named {
    Number(u32),
    Word(String),
}

impl Named {
    pub(super) fn which(&self) -> Result<Which, Error> {
        match self {
            Named::Number(number) => Ok(Which::Number(*number)),
            Named::Word(word) if word == "current" => Ok(Which::Current),
            Named::Word(word) if word == "reachable" => Ok(Which::Reachable),
            Named::Word(word) => time(word).map(Which::At),
        }
    }
}

/// As much of a text as fits into a message.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_digits_or_rfc_3339() {
        let expected: Timestamp = "2026-11-18T08:00:00Z".parse().unwrap();
        for text in ["2026-11-18T08:00:00Z", "20261118080000", "2026111808", "2026-11-18T09:00:00+01:00"] {
            assert_eq!(time(text).unwrap(), expected, "{text}");
        }
        for text in ["", "3", "tomorrow", "20261331000000", "2026-11-18"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
