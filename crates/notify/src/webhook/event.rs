//! A message as an event of CloudEvents 1.0, in JSON (its structured mode).

use serde::Serialize;

use crate::json::JsonGroup;
use crate::message::Message;

/// The version of `data` below; it is part of the type.
const TYPE: &str = "varve.notice";

/// <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#context-attributes>
#[derive(Serialize)]
struct Event<'a> {
    specversion: &'static str,
    id: &'a str,
    source: &'a str,
    r#type: String,
    time: String,
    datacontenttype: &'static str,
    data: Data,
}

#[derive(Serialize)]
struct Data {
    format: u32,
    severity: &'static str,
    subject: String,
    count: u64,
    groups: Vec<JsonGroup>,
}

/// The event's bytes.
pub(super) fn write(source: &str, message: &Message) -> Vec<u8> {
    let data = Data {
        format: 1,
        severity: message.severity().word(),
        subject: message.subject(),
        count: message.count(),
        groups: message.groups.iter().map(JsonGroup::of).collect(),
    };
    let event = Event {
        specversion: "1.0",
        id: &message.id,
        source,
        r#type: message.kind().map_or_else(|| TYPE.to_owned(), |kind| format!("{TYPE}.{kind}")),
        time: message.last().to_string(),
        datacontenttype: "application/json",
        data,
    };
    // Texts and numbers can always be written.
    serde_json::to_vec(&event).unwrap_or_default()
}
