//! What kind of XML a document is, by its first element.

use memchr::memmem;

/// The first element of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Root<'a> {
    /// Its name with its prefix, as written.
    pub(super) name: &'a [u8],
    /// The tag from its bracket on, as far as it is there.
    pub(super) tag: &'a [u8],
}

impl Root<'_> {
    /// The name without its prefix.
    pub(super) fn local(&self) -> &[u8] {
        self.name.rsplit(|byte| *byte == b':').next().unwrap_or(self.name)
    }
}

/// Finds the first element behind blanks, declaration, comments, instructions and document type.
pub(super) fn root(start: &[u8]) -> Option<Root<'_>> {
    let mut rest = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    loop {
        rest = super::sniff::trim_start(rest);
        rest = if rest.starts_with(b"<!--") {
            behind(rest.get(4..)?, b"-->")?
        } else if rest.starts_with(b"<?") {
            behind(rest, b"?>")?
        } else if rest.starts_with(b"<!") {
            behind_declaration(rest)?
        } else {
            break;
        };
    }
    let inside = rest.strip_prefix(b"<")?;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<');
    let end = inside.iter().position(ends).unwrap_or(inside.len());
    let name = inside.get(..end).filter(|name| name.first().is_some_and(u8::is_ascii_alphabetic))?;
    let length = memchr::memchr(b'>', rest).unwrap_or(rest.len());
    Some(Root { name, tag: rest.get(..length)? })
}

fn behind<'a>(rest: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    rest.get(memmem::find(rest, end)? + end.len()..)
}

/// A document type may have declarations of its own between square brackets.
fn behind_declaration(rest: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'>', rest)?;
    match memchr::memchr(b'[', rest.get(..end)?) {
        Some(_) => super::sniff::trim_start(behind(rest, b"]")?).strip_prefix(b">"),
        None => rest.get(end + 1..),
    }
}

/// The type that a root element means; `None` for one that means nothing to us.
pub(super) fn mime(root: &Root<'_>, start: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| memmem::find(start, text).is_some();
    Some(match root.local() {
        b"rss" => "application/rss+xml",
        b"feed" if has(b"http://www.w3.org/2005/Atom") || has(b"http://purl.org/atom/") => {
            "application/atom+xml"
        }
        b"RDF" if has(b"http://purl.org/rss/1.0/") || has(b"http://my.netscape.com/rdf/simple") => {
            "application/rss+xml"
        }
        b"RDF" => "application/rdf+xml",
        b"svg" => "image/svg+xml",
        b"MPD" => "application/dash+xml",
        b"html" if root.tag.windows(5).any(|part| part == b"xhtml") => "application/xhtml+xml",
        b"kml" => "application/vnd.google-earth.kml+xml",
        b"gpx" => "application/gpx+xml",
        b"opml" => "text/x-opml",
        b"math" => "application/mathml+xml",
        b"stylesheet" | b"transform" if has(b"http://www.w3.org/1999/XSL/Transform") => {
            "application/xslt+xml"
        }
        b"SmoothStreamingMedia" => "application/vnd.ms-sstr+xml",
        b"playlist" if has(b"http://xspf.org/ns/0/") => "application/xspf+xml",
        _ => return None,
    })
}

/// Whether the root is that of a sitemap or an index of sitemaps.
pub(super) fn is_sitemap(root: &Root<'_>) -> bool {
    matches!(root.local(), b"urlset" | b"sitemapindex")
}
