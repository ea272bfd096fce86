//! Requests: what they ask, and which response answers them.

use std::io::{BufRead, Read};

use cdx::{Capture, Extra, Field, Value};
use urlkey::request::{BODY_BYTES_MAX, Dialect, request_query};
use warc::{Dechunk, Hasher, HttpHead, Record, RecordType};

use crate::draft::{Draft, text};
use crate::error::Error;
use crate::options::{Options, Style};

/// What a request asks of a server.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) http: HttpHead,
    /// Empty unless it is to be part of the key.
    body: Vec<u8>,
}

impl Request {
    /// Reads the request of a record whose HTTP head has been looked for.
    pub(crate) fn read<R: Read>(
        record: &mut Record<'_, R>,
        options: &Options,
        hasher: Option<&mut Hasher>,
    ) -> Result<Option<Request>, Error> {
        let Some(http) = record.http_head().cloned() else { return Ok(None) };
        let method = http.method().unwrap_or_default().into_owned();
        let body =
            if options.post_append { read_body(record, &http, options.style, hasher)? } else { Vec::new() };
        Ok(Some(Request { method, http, body }))
    }

    /// What is added to the query of the URL.
    pub(crate) fn query(&self, options: &Options) -> Option<String> {
        if !options.post_append {
            return None;
        }
        let dialect = match options.style {
            Style::CdxjIndexer if matches!(self.method.as_str(), "POST" | "PUT") => Dialect::CdxjIndexer,
            Style::CdxjIndexer => return None,
            Style::Pywb => Dialect::Pywb,
        };
        let content_type = self.http.get("content-type").map(text);
        request_query(&self.method, content_type.as_deref(), &self.body, dialect)
    }

    /// Says in a capture how it was asked for.
    pub(crate) fn describe(&self, query: &str, style: Style, capture: &mut Capture<'static>) {
        let body = query.split_once('&').map_or("", |(_, body)| body);
        let text = |text: &str| Value::Text(text.to_owned().into());
        let (body, method) = (text(body), text(&self.method));
        match style {
            Style::CdxjIndexer => {
                capture.extra.extend([Extra::new("requestBody", body), Extra::new("method", method)]);
            }
            // pywb writes them between offset and file name, and no body where there is none.
            Style::Pywb => {
                capture.extra.push(Extra::behind(&Field::Offset, "method", method));
                if !body.as_str().is_empty() {
                    capture.extra.push(Extra::behind(&Field::Offset, "requestBody", body));
                }
            }
        }
    }
}

/// Tells two neighbours that they belong together, if they do: one is the request for the other, they have one URL, and the
/// second names the first. With cdxj-indexer only responses answer requests, with pywb any record does.
pub(crate) fn pair(first: &mut Draft, second: &mut Draft, style: Style) -> bool {
    let kinds = [&first.kind, &second.kind];
    let is_answer = |kind: &RecordType| match style {
        Style::CdxjIndexer => *kind == RecordType::Response,
        Style::Pywb => *kind != RecordType::Request,
    };
    let is_one_request = kinds.contains(&&RecordType::Request) && kinds.into_iter().any(is_answer);
    let is_named = first.id.as_ref().is_some_and(|id| second.concurrent_to.contains(id));
    if !(is_one_request && is_named && first.url == second.url) {
        return false;
    }
    let request = first.request.take().or(second.request.take());
    first.answers.clone_from(&request);
    second.answers = request;
    true
}

/// The body, as long as its head says, without chunks. pywb sees no body where the head does not say how long it is.
fn read_body<R: Read>(
    record: &mut Record<'_, R>,
    http: &HttpHead,
    style: Style,
    mut hasher: Option<&mut Hasher>,
) -> Result<Vec<u8>, Error> {
    let (mut raw, offset) = (Vec::new(), record.offset());
    // One byte more than what is looked at shows that there is more.
    while raw.len() <= BODY_BYTES_MAX {
        let bytes = record.fill_buf().map_err(Error::block(offset))?;
        if bytes.is_empty() {
            break;
        }
        let count = bytes.len().min(BODY_BYTES_MAX + 1 - raw.len());
        let taken = bytes.get(..count).unwrap_or_default();
        if let Some(hasher) = &mut hasher {
            hasher.update(taken);
        }
        raw.extend_from_slice(taken);
        record.consume(count);
    }
    if http.is_chunked() && style == Style::CdxjIndexer {
        let mut body = Vec::new();
        let limit = BODY_BYTES_MAX as u64 + 1;
        // A body that breaks off counts as far as it goes.
        let _ = Dechunk::new(raw.as_slice()).take(limit).read_to_end(&mut body);
        return Ok(body);
    }
    let length = http.text("content-length").and_then(|length| length.trim().parse().ok());
    raw.truncate(length.unwrap_or(if style == Style::Pywb { 0 } else { usize::MAX }));
    Ok(raw)
}
