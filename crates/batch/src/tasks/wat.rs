//! What records are and pages link to, as WARC records of type `metadata` with JSON: the files that Common Crawl calls WAT.
//!
//! The names of members are those that the tools for such files know (ia-hadoop-tools, webarchive-commons).

use std::io::Write;

use extract::html::Wanted;
use extract::{Document, Hop, Stop};
use serde_json::{Map, Value, json};
use warc::{Head, HttpHead, Record, RecordType};

use super::page::document;
use super::written::Derived;
use crate::reading::Reading;
use crate::records::each;
use crate::task::{Done, Failure, Task};

/// What is told of a page.
const WANTED: Wanted =
    Wanted { links: true, scripts: false, anchors: true, about: true, text: false, main_text: false };

/// Headers, titles and links of all records.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wat;

impl Task for Wat {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let stop = file.stop();
        let sealed = file.file().clone();
        let filename = sealed.name.rsplit('/').next().unwrap_or(&sealed.name).to_owned();
        let mut derived = Derived::new(&sealed, "wat", result)?;
        each(file, |mut record| {
            let (head, offset, length) = (record.head().clone(), record.offset(), record.left());
            let payload = payload(&mut record, &head, &stop)?;
            let container = json!({ "Filename": filename, "Offset": offset.to_string() });
            let envelope = json!({
                "Format": if head.version().is_arc() { "ARC" } else { "WARC" },
                "WARC-Header-Length": head.raw().len().to_string(),
                "Actual-Content-Length": length.to_string(),
                "WARC-Header-Metadata": fields(head.fields()),
                "Payload-Metadata": payload,
            });
            let block = json!({ "Container": container, "Envelope": envelope }).to_string();
            derived.write((&RecordType::Metadata, "application/json"), &head, offset, block.as_bytes())
        })
    }
}

/// What is in the block.
fn payload(record: &mut Record<'_, &mut Reading>, head: &Head, stop: &Stop) -> Result<Value, Failure> {
    let kind = head.content_type().unwrap_or_default().into_owned();
    let mut about = Map::new();
    about.insert("Actual-Content-Type".to_owned(), kind.into());
    let http = record.http()?.cloned();
    let holds_document = matches!(head.record_type(), RecordType::Response | RecordType::Resource);
    match http {
        Some(http) if http.status().is_some() || head.record_type() != &RecordType::Request => {
            let mut message = response(&http, record.left());
            if holds_document && let Some(page) = html(&document(record, WANTED, stop)?) {
                message.insert("HTML-Metadata".to_owned(), page);
            }
            about.insert("HTTP-Response-Metadata".to_owned(), message.into());
        }
        Some(http) => {
            about.insert("HTTP-Request-Metadata".to_owned(), request(&http, record.left()));
        }
        None if holds_document => {
            if let Some(page) = html(&document(record, WANTED, stop)?) {
                about.insert("HTML-Metadata".to_owned(), page);
            }
        }
        None => {}
    }
    Ok(about.into())
}

fn response(http: &HttpHead, body_bytes: u64) -> Map<String, Value> {
    let line = http.first_line();
    let mut words = line.trim_end().splitn(3, ' ');
    let version = words.next().unwrap_or_default();
    let status = words.next().unwrap_or_default();
    let mut message = Map::new();
    let first = json!({ "Version": version, "Status": status, "Reason": words.next().unwrap_or_default() });
    message.insert("Response-Message".to_owned(), first);
    message.insert("Headers-Length".to_owned(), http.raw().len().to_string().into());
    message.insert("Headers".to_owned(), fields(http.fields()));
    message.insert("Entity-Length".to_owned(), body_bytes.to_string().into());
    message
}

fn request(http: &HttpHead, body_bytes: u64) -> Value {
    let line = http.first_line();
    let version = line.trim_end().rsplit(' ').next().unwrap_or_default();
    json!({
        "Request-Message": {
            "Method": http.method().unwrap_or_default(),
            "Path": http.target().unwrap_or_default(),
            "Version": version,
        },
        "Headers-Length": http.raw().len().to_string(),
        "Headers": fields(http.fields()),
        "Entity-Length": body_bytes.to_string(),
    })
}

/// Names and values; a name that comes again has a list of values.
fn fields<'a>(fields: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        let name = String::from_utf8_lossy(name).into_owned();
        let value = Value::from(String::from_utf8_lossy(value));
        match object.get_mut(&name) {
            None => {
                object.insert(name, value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(one) => *one = Value::Array(vec![one.take(), value]),
        }
    }
    object.into()
}

/// What a page says of itself, and what it links to; `None` of what is no page and links to nothing.
fn html(document: &Document) -> Option<Value> {
    let links = document.links.as_slice();
    let is_page = document.identity.mime.is_html();
    if !is_page && links.is_empty() {
        return None;
    }
    let mut head = Map::new();
    if let Some(title) = &document.title {
        head.insert("Title".to_owned(), title.as_str().into());
    }
    if document.base != document.url
        && let Some(base) = &document.base
    {
        head.insert("Base".to_owned(), base.as_str().into());
    }
    let metas = document.metas.iter().map(|(name, content)| json!({ "name": name, "content": content }));
    let metas: Vec<Value> = metas.collect();
    if !metas.is_empty() {
        head.insert("Metas".to_owned(), metas.into());
    }
    let links: Vec<Value> =
        links.iter().filter(|link| link.hop != Hop::Speculative).map(link_of(document)).collect();
    Some(json!({ "Head": head, "Links": links }))
}

fn link_of(document: &Document) -> impl Fn(&extract::Link) -> Value + '_ {
    move |link| {
        let mut object = Map::new();
        let path = format!("{}@/{}", link.rule.element().to_uppercase(), link.rule.attribute());
        object.insert("path".to_owned(), path.into());
        // As others have it, references stand as the page has them; what they lead to is told beside that.
        object.insert("url".to_owned(), link.reference.as_str().into());
        if let Some(url) = document.resolve(link).filter(|url| url.as_str() != link.reference) {
            object.insert("resolved".to_owned(), url.as_str().into());
        }
        for (name, text) in [("text", &link.text), ("rel", &link.rel)] {
            if !text.is_empty() {
                object.insert(name.to_owned(), text.as_str().into());
            }
        }
        object.into()
    }
}
