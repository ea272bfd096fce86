//! What a module is told of a file and of each record, as JSON.

use serde_json::{Map, Value, json};
use store::Sealed;
use warc::{HttpHead, Record};

use crate::reading::Reading;
use crate::task::Failure;

/// What is told of a file.
pub(super) fn of_file(file: &Sealed, job: &str) -> String {
    json!({ "file": file.name, "job": job, "bytes": file.bytes, "sha256": file.sha256 }).to_string()
}

/// What is told of a record. Where it would be too long, the fields of the HTTP head are left out, and then its own.
pub(super) fn of_record(record: &mut Record<'_, &mut Reading>, bytes_max: usize) -> Result<String, Failure> {
    let head = record.head();
    let mut facts = Map::new();
    facts.insert("offset".to_owned(), record.offset().into());
    facts.insert("type".to_owned(), head.record_type().name().into());
    facts.insert("id".to_owned(), head.record_id().as_deref().into());
    facts.insert("url".to_owned(), head.target_uri().as_deref().into());
    facts.insert("time".to_owned(), head.date().map(|date| date.to_string()).into());
    facts.insert("content_type".to_owned(), head.content_type().as_deref().into());
    facts.insert("fields".to_owned(), pairs(head.fields()));
    facts.insert("http".to_owned(), record.http()?.map(of_http).into());
    let mut text = Value::Object(facts.clone()).to_string();
    for left_out in ["http", "fields"] {
        if text.len() > bytes_max {
            facts.insert(left_out.to_owned(), Value::Null);
            text = Value::Object(facts.clone()).to_string();
        }
    }
    Ok(text)
}

fn of_http(http: &HttpHead) -> Value {
    json!({
        "status": http.status(),
        "method": http.method(),
        "target": http.target(),
        "headers": pairs(http.fields()),
    })
}

fn pairs<'a>(fields: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Value {
    let pair = |(name, value): (&[u8], &[u8])| {
        json!([String::from_utf8_lossy(name), String::from_utf8_lossy(value)])
    };
    fields.map(pair).collect::<Vec<_>>().into()
}
