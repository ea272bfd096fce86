//! Requests that are more than a URL: method and body become part of the key, so that two POSTs to one address differ.
//!
//! <https://specs.webrecorder.net/request-body-canonicalization/latest/> and the peers agree in the main: after
//! `__wb_method=POST` come the fields of the body, if it has some, or the whole of it in base64 as `__wb_post_data`.

mod json;
mod multipart;

use data_encoding::BASE64;

use crate::percent::{decode_form, encode, into_text, is_unprintable};

/// Whose spelling is meant. They differ in numbers, truth values and in what they do about a bad body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// cdxj-indexer: `True`, `None`, `44.0`; lines of JSON are read one by one. The default, as for keys.
    #[default]
    CdxjIndexer,
    /// pywb from 2.9 on: `true`, `null`, `44`.
    Pywb,
    /// jwarc: as cdxj-indexer in the main, but forms are escaped and only their first 4096 bytes count, and `multipart` is
    /// taken as bytes.
    Jwarc,
}

/// The longest query made of a body, in characters; the peers cut there.
pub const QUERY_CHARS_MAX: usize = 4096;

/// The longest body looked at. The peers know no limit, but a body like this is no question any more: it is taken as
/// one without fields.
pub const BODY_BYTES_MAX: usize = 16 << 20;

/// What a request adds to the query of its URL: `None` for a GET, `__wb_method=HEAD` for others without a body.
///
/// Hand in as many bytes of the body as its `Content-Length` says, decoded if it was chunked.
///
/// ```
/// use urlkey::request::{Dialect, request_query};
/// let form = Some("application/x-www-form-urlencoded");
/// let query = request_query("POST", form, b"foo=bar&dir=%2Fbaz", Dialect::default());
/// assert_eq!(query.as_deref(), Some("__wb_method=POST&foo=bar&dir=/baz"));
/// ```
pub fn request_query(
    method: &str,
    content_type: Option<&str>,
    body: &[u8],
    dialect: Dialect,
) -> Option<String> {
    if method == "GET" {
        return None;
    }
    let mut query = format!("__wb_method={method}");
    let has_body = matches!(method, "POST" | "PUT") || dialect == Dialect::Jwarc;
    // pywb does not look at a body without a length; the others call it empty and say so.
    let skip = !has_body || (body.is_empty() && dialect == Dialect::Pywb);
    let fields = if skip { String::new() } else { body_query(content_type, body, dialect) };
    if !fields.is_empty() {
        query.push('&');
        query.extend(fields.chars().take(QUERY_CHARS_MAX));
    }
    Some(query)
}

/// The URL with the query of its request: what is then made into a key.
pub fn append_query(url: &str, query: &str) -> String {
    let mark = if url.contains('?') { '&' } else { '?' };
    format!("{url}{mark}{query}")
}

/// [`request_query`] and [`append_query`] in one; a GET leaves the URL as it is.
pub fn url_with_request(
    url: &str,
    method: &str,
    content_type: Option<&str>,
    body: &[u8],
    dialect: Dialect,
) -> String {
    match request_query(method, content_type, body, dialect) {
        Some(query) => append_query(url, &query),
        None => url.to_owned(),
    }
}

fn body_query(content_type: Option<&str>, body: &[u8], dialect: Dialect) -> String {
    let content_type = content_type.unwrap_or_default();
    let is = |kind: &str| match dialect {
        // jwarc compares the whole type, without its parameters.
        Dialect::Jwarc => {
            content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(kind)
        }
        _ => content_type.starts_with(kind),
    };
    if body.len() > BODY_BYTES_MAX {
        return binary(body);
    }
    if is("application/x-www-form-urlencoded") {
        form(body, dialect).unwrap_or_else(|| binary(body))
    } else if is("application/json") {
        json::flatten(body, dialect).unwrap_or_default()
    } else if is("text/plain") {
        json::flatten(body, dialect).unwrap_or_else(|| binary(body))
    } else if content_type.starts_with("multipart/") && dialect != Dialect::Jwarc {
        multipart::fields(content_type, body).unwrap_or_else(|| binary(body))
    } else {
        binary(body)
    }
}

/// A form, decoded; `None` if it is not UTF-8.
fn form(body: &[u8], dialect: Dialect) -> Option<String> {
    let body = if dialect == Dialect::Jwarc { body.get(..QUERY_CHARS_MAX).unwrap_or(body) } else { body };
    std::str::from_utf8(body).ok()?;
    let decoded = decode_form(body);
    match dialect {
        Dialect::Jwarc => Some(into_text(encode(&decoded, is_unprintable).into_owned())),
        _ => Some(into_text(decoded)),
    }
}

fn binary(body: &[u8]) -> String {
    // More would be cut off anyway.
    let start = body.get(..QUERY_CHARS_MAX).unwrap_or(body);
    format!("__wb_post_data={}", BASE64.encode(start))
}
