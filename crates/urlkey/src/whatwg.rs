//! The URL standard itself (<https://url.spec.whatwg.org>), by the `url` crate.

use encoding_rs::{EncoderResult, Encoding};

use crate::Error;
use crate::percent::{into_text, push_escape};

/// Parses as a browser would, relative to a base if there is one.
///
/// # Errors
/// [`Error::NotAUrl`] where the standard says failure.
pub fn parse_whatwg(url: &str, base: Option<&str>) -> Result<url::Url, Error> {
    let bad = |why| Error::NotAUrl { url: crate::error::excerpt(url), why };
    let base = base.map(url::Url::parse).transpose().map_err(bad)?;
    url::Url::options().base_url(base.as_ref()).parse(url).map_err(bad)
}

/// The origin of a URL as the standard writes it: `https://example.org`, or `null` where it has none. A `blob:` URL has the
/// origin of the `http` or `https` URL within, if that is what it holds.
pub fn origin(url: &url::Url) -> String {
    let opaque_blob = url.scheme() == "blob"
        && !url::Url::parse(url.path()).is_ok_and(|inner| inner.scheme().starts_with("http"));
    if opaque_blob { "null".to_owned() } else { url.origin().ascii_serialization() }
}

/// Escapes the text of a query as a browser does in a page of this encoding: encoded first, what the encoding lacks as
/// `&#…;`, then everything that is not plain ASCII percent-encoded.
pub fn encode_query(text: &str, encoding: &'static Encoding) -> String {
    let mut encoder = encoding.output_encoding().new_encoder();
    let mut escaped = Vec::with_capacity(text.len() * 3);
    let mut rest = text;
    let mut buffer = [0; 256];
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        for byte in buffer.get(..written).unwrap_or_default() {
            if (b'!'..0x7f).contains(byte) && !b"\"#<>'".contains(byte) {
                escaped.push(*byte);
            } else {
                push_escape(&mut escaped, *byte);
            }
        }
        rest = rest.get(read..).unwrap_or_default();
        match result {
            EncoderResult::InputEmpty => return into_text(escaped),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(char) => {
                escaped.extend_from_slice(format!("%26%23{}%3B", u32::from(char)).as_bytes());
            }
        }
    }
}
