//! Tells programs by a POST request: one event of CloudEvents 1.0 in JSON, signed as Standard Webhooks has it.

mod event;
mod post;
mod sign;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use destination::Allowed;
use sha2::{Digest as _, Sha256};
use url::{ParseError, Url};

pub use event::Event;
pub use sign::{Secret, signature};

use crate::channel::Channel;
use crate::discreet::{discreet, is_near};
use crate::error::Error;
use crate::limits::{EVENT_BYTES_MAX, Limits};
use crate::message::Message;
use crate::notifier::Clock;
use crate::wire::Roots;

/// The address of a webhook. It often is a secret itself, so it is never told in full, nor sent without TLS beyond this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Hook(Url);

impl FromStr for Hook {
    type Err = Error;

    fn from_str(text: &str) -> Result<Hook, Error> {
        let given = |why: &str| Error::Given { text: discreet(text), why: why.to_owned() };
        let no_scheme = "it begins neither with https:// nor with http://";
        let url = Url::parse(text).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => given(no_scheme),
            error => given(&error.to_string()),
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(given(no_scheme));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(given("a name and password in it are not sent"));
        }
        if url.scheme() == "http" && !url.host().is_some_and(|host| is_near(&host)) {
            return Err(given("http:// goes to this machine alone; write https://"));
        }
        Ok(Hook(url))
    }
}

impl Hook {
    /// The whole address, to keep it. It is a secret: nothing that people see may hold it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// As `scheme://host/…`.
impl fmt::Display for Hook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&discreet(self.0.as_str()))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Sends events to a URL.
#[derive(Clone)]
pub struct Webhook {
    /// Where to.
    pub hook: Hook,
    /// What they are signed with; without it they are not signed.
    pub secret: Option<Secret>,
    /// Who they are from: the `source` of events, a URI such as `urn:varve:archive:NAME`.
    pub source: String,
    /// Where the server may be.
    pub allowed: Allowed,
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// How much the server may take.
    pub limits: Limits,
    /// What time it is, for the signature.
    pub clock: Arc<Clock>,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Webhook").field("hook", &self.hook).finish_non_exhaustive()
    }
}

impl Webhook {
    /// Sends an event, now. Returns when the server has it or does not take it, within bounded time.
    ///
    /// ```no_run
    /// # use std::sync::Arc;
    /// # use notify::{Allowed, Event, Limits, Roots, Webhook};
    /// let webhook = Webhook {
    ///     hook: "https://hooks.example.org/varve".parse()?,
    ///     secret: Some("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?),
    ///     source: "urn:varve:archive:city".to_owned(),
    ///     allowed: Allowed::default(),
    ///     roots: Roots::System,
    ///     limits: Limits::default(),
    ///     clock: Arc::new(jiff::Timestamp::now),
    /// };
    /// webhook.send_event(&Event {
    ///     id: "watch-17-3".to_owned(),
    ///     kind: "watch.changed".to_owned(),
    ///     subject: Some("https://harbour.example.org/timetable".to_owned()),
    ///     at: "2026-11-18T03:00:00Z".parse()?,
    ///     data: serde_json::json!({ "summary": "3 words" }),
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Channel::send`], and [`Error::Event`] if it is larger than a mebibyte.
    pub fn send_event(&self, event: &Event) -> Result<(), Error> {
        self.post(event, EVENT_BYTES_MAX)
    }

    fn post(&self, event: &Event, bytes_max: usize) -> Result<(), Error> {
        let body = event.write(&self.source)?;
        if body.len() > bytes_max {
            return Err(Error::Event { why: format!("it is larger than {bytes_max} bytes") });
        }
        let (id, seconds) = (event.sent_id(), (self.clock)().as_second());
        let mut fields = vec![
            ("content-type", "application/cloudevents+json; charset=utf-8".to_owned()),
            ("webhook-id", id.clone()),
            ("webhook-timestamp", seconds.to_string()),
        ];
        if let Some(secret) = &self.secret {
            fields.push(("webhook-signature", signature(secret, &id, seconds, &body)));
        }
        post::post(self, &fields, &body)
    }
}

impl Channel for Webhook {
    fn name(&self) -> String {
        let digest = HEXLOWER.encode(&Sha256::digest(self.hook.0.as_str().as_bytes()));
        let host = self.hook.0.host_str().unwrap_or_default();
        format!("webhook {host} {}", digest.get(..8).unwrap_or_default())
    }

    fn send(&self, message: &Message) -> Result<(), Error> {
        // What notices say has bounds of its own.
        self.post(&Event::of(message)?, usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_web_addresses_that_are_not_told() {
        let hook = "https://hooks.example.org/T0/secret".parse::<Hook>().unwrap();
        assert_eq!(format!("{hook:?}"), "https://hooks.example.org/…");
        for text in ["", "hooks.example.org", "ftp://a/", "https://u:p@a/", "https://"] {
            assert!(text.parse::<Hook>().is_err(), "{text}");
        }
        for text in [
            "https://u:hunter2@a/hunter2",
            "hooks.example.org/hunter2",
            "http://a/hunter2",
            "https:///hunter2:x",
        ] {
            let error = text.parse::<Hook>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
    }

    #[test]
    fn only_this_machine_is_told_without_tls() {
        for text in
            ["http://localhost:8080/", "http://127.0.0.1/", "http://[::1]:9/", "https://hooks.example.org/"]
        {
            assert!(text.parse::<Hook>().is_ok(), "{text}");
        }
        for text in ["http://hooks.example.org/", "http://10.0.0.1/", "http://localhost.example.org/"] {
            let error = text.parse::<Hook>().unwrap_err();
            assert!(error.to_string().ends_with("write https://"), "{error}");
        }
    }
}
