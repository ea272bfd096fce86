//! An event of CloudEvents 1.0, in JSON (its structured mode).

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::bounded::{one_line, plain_id, plain_kind};
use crate::error::Error;
use crate::json::JsonGroup;
use crate::limits::EVENT_SUBJECT_MAX;
use crate::message::Message;

/// What is told to a program by a webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// A name of its own, which stays the same however often it is tried. Letters, digits, `-` and `_`; of any other id its digest is sent.
    pub id: String,
    /// What kind of event it is: the `type` is `varve.` and this, so that `watch.changed` makes `varve.watch.changed`.
    pub kind: String,
    /// What it is about, such as the URL of a page.
    pub subject: Option<String>,
    /// When it happened.
    pub at: Timestamp,
    /// What there is to say of it.
    pub data: Value,
}

/// <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#context-attributes>
#[derive(Serialize)]
struct Envelope<'a> {
    specversion: &'static str,
    id: String,
    source: &'a str,
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    time: String,
    datacontenttype: &'static str,
    data: &'a Value,
}

/// What notices say, in an event's `data`.
#[derive(Serialize)]
struct Data {
    format: u32,
    severity: &'static str,
    subject: String,
    count: u64,
    groups: Vec<JsonGroup>,
}

impl Event {
    /// What a message tells, as an event: `varve.notice`, and the kind of all of it if it is of one.
    pub(super) fn of(message: &Message) -> Result<Event, Error> {
        let data = Data {
            format: 1,
            severity: message.severity().word(),
            subject: message.subject(),
            count: message.count(),
            groups: message.groups.iter().map(JsonGroup::of).collect(),
        };
        let data = serde_json::to_value(&data).map_err(|error| Error::Event { why: error.to_string() })?;
        let kind = message.kind().map_or_else(|| "notice".to_owned(), |kind| format!("notice.{kind}"));
        Ok(Event { id: message.id.clone(), kind, subject: None, at: message.last(), data })
    }

    /// The id that is sent: with the event, in a header, and as a part of what is signed.
    pub(super) fn sent_id(&self) -> String {
        plain_id(&self.id)
    }

    /// Its bytes.
    pub(super) fn write(&self, source: &str) -> Result<Vec<u8>, Error> {
        let subject = self.subject.as_ref().filter(|subject| !subject.is_empty());
        let envelope = Envelope {
            specversion: "1.0",
            id: self.sent_id(),
            source,
            r#type: format!("varve.{}", plain_kind(&self.kind, 60)),
            subject: subject.map(|subject| one_line(subject, EVENT_SUBJECT_MAX)),
            time: self.at.to_string(),
            datacontenttype: "application/json",
            data: &self.data,
        };
        serde_json::to_vec(&envelope).map_err(|error| Error::Event { why: error.to_string() })
    }
}
