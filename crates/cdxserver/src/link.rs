//! Captures as links: a TimeMap in link-format (RFC 7089, section 5; RFC 6690).

use std::io::Write as _;

use cdx::Capture;

use super::gate::instant;

/// Where captures are shown, and of which collection.
#[derive(Debug)]
pub(crate) struct Links {
    /// `http://localhost:8471/web/`
    pub(crate) prefix: String,
    /// The URL that was asked for, if it was one.
    pub(crate) original: Option<String>,
}

impl Links {
    /// What stands before the first link to a capture.
    pub(crate) fn head(&self, out: &mut Vec<u8>) {
        let Some(url) = self.original.as_deref().map(target) else { return };
        let prefix = &self.prefix;
        // Writing to memory does not fail.
        let _ = writeln!(out, "<{url}>; rel=\"original\",");
        let _ =
            writeln!(out, "<{prefix}timemap/link/{url}>; rel=\"timemap\"; type=\"application/link-format\",");
        let _ = writeln!(out, "<{prefix}{url}>; rel=\"timegate\",");
    }

    pub(crate) fn row(&self, row: &Capture<'_>, out: &mut Vec<u8>) {
        let Some(time) = row.timestamp else { return };
        let date = urlkey::time::to_http_date(instant(time));
        let _ = write!(
            out,
            "<{}{time}/{}>; rel=\"memento\"; datetime=\"{date}\"",
            self.prefix,
            target(row.url.as_deref().unwrap_or_default())
        );
    }
}

/// The URL, with all that would end a link escaped.
fn target(url: &str) -> String {
    let breaks =
        |byte: u8| byte.is_ascii_control() || !byte.is_ascii() || matches!(byte, b'<' | b'>' | b' ' | b'"');
    String::from_utf8_lossy(&urlkey::percent::encode(url.as_bytes(), breaks)).into_owned()
}
