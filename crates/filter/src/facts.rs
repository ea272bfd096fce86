//! What a filter may know of a document: the fields of the archive, and the head of the answer.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// A document as filters see it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// Where it was found.
    pub url: &'a str,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The type that was found by looking, such as `text/html`.
    pub mime: &'a str,
    /// The type that the server claimed.
    pub claimed_mime: Option<&'a str>,
    /// Bytes of the document, unpacked.
    pub bytes: u64,
    /// Its language, `en` or `pt-BR`, if it is known.
    pub language: Option<&'a str>,
    /// The title of a page.
    pub title: Option<&'a str>,
    /// When the crawl began.
    pub commit_time: Option<Timestamp>,
    /// When the document was made, as far as it is known.
    pub create_time: Option<Timestamp>,
    /// How it was found, `LLE`.
    pub hops: &'a str,
    /// The page on which it was found.
    pub via: Option<&'a str>,
    /// The headers of the answer, in their order.
    pub headers: &'a [(&'a str, &'a str)],
}

impl Facts<'_> {
    /// The facts as the JSON object that modules are given. What is not known is `null`.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.object(true).to_string()
    }

    /// The same, without the headers if it would be longer than this.
    pub(crate) fn json_within(&self, bytes_max: usize) -> String {
        let whole = self.to_json();
        if whole.len() <= bytes_max { whole } else { self.object(false).to_string() }
    }

    fn object(&self, with_headers: bool) -> Value {
        let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("url", json!(self.url));
        put("status", json!(self.status));
        put("mime", json!(self.mime));
        put("claimed_mime", json!(self.claimed_mime));
        put("bytes", json!(self.bytes));
        put("language", json!(self.language));
        put("title", json!(self.title));
        put("commit_time", json!(time(self.commit_time)));
        put("create_time", json!(time(self.create_time)));
        put("hops", json!(self.hops));
        put("via", json!(self.via));
        put("headers", if with_headers { json!(self.headers) } else { Value::Null });
        Value::Object(object)
    }
}
