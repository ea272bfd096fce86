//! What a document really is: believed, sniffed, or both, and why.

use crate::charset::Charset;
use crate::mime::Mime;

/// What others say of a document: headers and address.
#[derive(Debug, Clone, Copy, Default)]
pub struct Claims<'a> {
    /// The values of all `Content-Type` headers, in their order.
    pub content_types: &'a [&'a str],
    /// The values of all `X-Content-Type-Options` headers.
    pub content_type_options: &'a [&'a str],
    /// Where it was found; the end of its path is a last hint.
    pub url: &'a str,
}

/// What a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// What the headers say it is, where they say anything that can be read.
    pub claimed: Option<Mime>,
    /// What it is.
    pub mime: Mime,
    /// How we know.
    pub evidence: Evidence,
    /// Which reader understands it.
    pub kind: Kind,
    /// How its bytes are characters; binary documents have none.
    pub charset: Option<Charset>,
}

/// How the type became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The headers say so, and nothing in the bytes speaks against it.
    Claim,
    /// Bytes at its start that only this type has.
    Signature,
    /// What its text looks like.
    Content,
    /// The end of its address.
    Address,
    /// Nothing: it is empty, or unlike everything.
    Nothing,
}

/// The reader for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// HTML, and XHTML as browsers meet it.
    Html,
    /// A style sheet.
    Css,
    /// JavaScript.
    Script,
    /// JSON, JSON-LD, a web manifest.
    Json,
    /// RSS, Atom, RDF feeds.
    Feed,
    /// A sitemap or an index of sitemaps.
    Sitemap,
    /// SVG.
    Svg,
    /// A DASH manifest.
    Dash,
    /// Any other XML.
    Xml,
    /// An M3U8 playlist.
    Playlist,
    /// robots.txt.
    Robots,
    /// PDF.
    Pdf,
    /// Text without links other than those written out.
    Text,
    /// No reader: pictures, sounds, archives.
    Other,
}

/// Finds out what a document is from its first bytes (1,445 or more if there are so many) and what others say of it.
#[must_use]
pub fn identify(start: &[u8], claims: &Claims<'_>) -> Identity {
    let claimed = Mime::from_headers(claims.content_types.iter().copied());
    let mime = claimed.clone().unwrap_or_else(|| Mime::known("application/octet-stream"));
    let kind = if mime.is_html() { Kind::Html } else { Kind::Other };
    Identity { claimed, charset: Charset::find(start, &mime), mime, evidence: Evidence::Claim, kind }
}
