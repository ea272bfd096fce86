//! Members of a capture that are asked for by name.
//!
//! | name | value |
//! |---|---|
//! | `url`, `mime`, `status`, `digest`, `length`, `offset`, `filename` | the usual |
//! | `method`, `referrer` | of the request |
//! | `http:name` | header of the record's HTTP head |
//! | `req.http:name` | header of the request's |
//! | any other | header of the record, such as `warc-type` |

use cdx::{Capture, Extra, Field, Value};
use warc::{Head, HttpHead, RecordType};

use crate::draft::text;
use crate::request::Request;

/// Which members a capture has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Fields {
    /// The usual ones.
    #[default]
    Usual,
    /// The usual ones, and these.
    Also(Vec<String>),
    /// These, in this order. They are all kept as extras, which is what holds an order.
    Only(Vec<String>),
}

/// A member that was asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    name: String,
    value: Option<String>,
}

impl Fields {
    fn names(&self) -> &[String] {
        match self {
            Fields::Usual => &[],
            Fields::Also(names) | Fields::Only(names) => names,
        }
    }

    /// Whether a member comes from the request that belongs to a response.
    pub(crate) fn need_request(&self) -> bool {
        let of_request =
            |name: &String| matches!(name.as_str(), "method" | "referrer") || name.starts_with("req.http:");
        self.names().iter().any(of_request)
    }

    /// What the record itself can tell.
    pub(crate) fn of_record(&self, kind: &RecordType, head: &Head, http: Option<&HttpHead>) -> Vec<Asked> {
        let value = |name: &String| {
            let header = match name.strip_prefix("http:") {
                Some(header) => http?.get(header),
                None if name == "warc-type" => return Some(kind.name().to_owned()),
                None => head.get_named(name),
            };
            header.map(|value| text(value).into_owned())
        };
        self.names().iter().map(|name| Asked { name: name.clone(), value: value(name) }).collect()
    }

    /// Adds what only the request can tell.
    pub(crate) fn complete(&self, mut asked: Vec<Asked>, request: Option<&Request>) -> Vec<Asked> {
        let Some(request) = request else { return asked };
        let header = |name: &str| request.http.get(name).map(|value| text(value).into_owned());
        for asked in &mut asked {
            match asked.name.as_str() {
                "method" => asked.value = Some(request.method.clone()),
                "referrer" => asked.value = header("referer"),
                name => {
                    if let Some(name) = name.strip_prefix("req.http:") {
                        asked.value = header(name);
                    }
                }
            }
        }
        asked
    }

    /// Puts the members that were asked for into a capture.
    pub(crate) fn apply(&self, mut capture: Capture<'static>, asked: Vec<Asked>) -> Capture<'static> {
        let is_only = matches!(self, Fields::Only(_));
        let mut extra = Vec::new();
        for Asked { name, value } in asked {
            let value = match Field::of_cdxj(&name) {
                Some(Field::Key | Field::Timestamp) => None,
                Some(field) if is_only => capture.text(&field).map(|text| text.into_owned()),
                // The usual ones are there already.
                Some(_) => None,
                None => value,
            };
            let is_there = !is_only && capture.extra(&name).is_some();
            if let Some(value) = value.filter(|_| !is_there) {
                extra.push(Extra::new(name, Value::Text(value.into())));
            }
        }
        if is_only {
            return Capture { key: capture.key, timestamp: capture.timestamp, extra, ..Capture::default() };
        }
        capture.extra.append(&mut extra);
        capture
    }
}
