//! All that was found in one document.

use std::borrow::Cow;

use encoding_rs::Encoding;
use url::{Position, Url};

use crate::dates::{Date, Unread};
use crate::identify::Identity;
use crate::language::Language;
use crate::{Link, Links};

/// What a document is, links to, and says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// What it is.
    pub identity: Identity,
    /// Where it was found, if that is a URL.
    pub url: Option<Url>,
    /// What its references are relative to: its own URL, unless a `base` element says otherwise.
    pub base: Option<Url>,
    /// What it links to, those of the HTTP headers first.
    pub links: Links,
    /// Its title.
    pub title: Option<String>,
    /// All visible text, a block a line.
    pub text: String,
    /// The visible text without navigation, headers, footers and the like.
    pub main_text: String,
    /// Headings with their level, from 1 to 6.
    pub headings: Vec<(u8, String)>,
    /// What it says of itself in a `description`.
    pub description: Option<String>,
    /// Where it says that it really lives: as the page has it written, or else where a `Link` header leads.
    pub canonical: Option<String>,
    /// Its language, told or recognised.
    pub language: Option<Language>,
    /// What it asks of robots, in elements and headers.
    pub robots: robots::Directives,
    /// Its dates, from headers and markup.
    pub dates: Vec<Dated>,
    /// Names and contents of its `meta` elements.
    pub metas: Vec<(String, String)>,
    /// What was left out, and why.
    pub cut: Vec<Cut>,
}

impl Document {
    /// Where a link of this document leads; `None` if it is no URL.
    ///
    /// The query is encoded as the document is, because that is what browsers send and servers of such pages expect.
    #[must_use]
    pub fn resolve(&self, link: &Link) -> Option<Url> {
        // A header speaks of the address that was asked for, whatever the page says.
        let base = if link.rule.element() == "http" { &self.url } else { &self.base };
        let encoding = self.identity.charset.map(|charset| charset.encoding);
        let options = Url::options().base_url(base.as_ref());
        options.encoding_override(Some(&|query| encoded(query, encoding))).parse(&link.reference).ok()
    }

    /// Writes where a link leads, without its fragment, if that can be told without parsing: it names a path of plain characters on
    /// the same server. Most links of most pages do, and most of these are known already to whoever asks.
    ///
    /// Never says anything else than [`resolve`](Document::resolve).
    #[must_use]
    pub fn resolve_plain(&self, link: &Link, to: &mut String) -> bool {
        let base = if link.rule.element() == "http" { &self.url } else { &self.base };
        let Some(base) = base.as_ref().filter(|base| matches!(base.scheme(), "http" | "https")) else {
            return false;
        };
        if !base.username().is_empty() || base.password().is_some() {
            return false;
        }
        let origin = &base[..Position::BeforePath];
        let path = link.reference.strip_prefix(origin).unwrap_or(&link.reference);
        let path = path.split_once('#').map_or(path, |(path, _)| path);
        // Two slashes lead to another server, and dots may mean folders above.
        let is_plain = path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains("/.")
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~?=&+,:;@".contains(&byte));
        if is_plain {
            to.clear();
            to.push_str(origin);
            to.push_str(path);
        }
        is_plain
    }
}

/// A query as the bytes that a browser would send.
fn encoded<'a>(query: &'a str, encoding: Option<&'static Encoding>) -> Cow<'a, [u8]> {
    match encoding {
        Some(encoding) => encoding.encode(query).0,
        None => Cow::Borrowed(query.as_bytes()),
    }
}

/// A date that the document or its headers gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// Who gave it: `http@last-modified`, `meta@dc.date`, `time@datetime`.
    pub from: String,
    /// The date, or the text that is none.
    pub date: Result<Date, Unread>,
}

/// Something that was left out because of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cut {
    /// The end of the document.
    Document,
    /// Links.
    Links,
    /// Text.
    Text,
    /// Headings, dates, or `meta` elements.
    Lists,
    /// A tag, or attributes of it.
    Tag,
    /// Part of a script or style sheet.
    Script,
    /// Elements too deep inside others.
    Depth,
    /// Everything: the document is encrypted.
    Encrypted,
    /// The rest, because time was up.
    Time,
}

impl Cut {
    /// What is said to people.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Cut::Document => "the end of the document was not read: it is too long",
            Cut::Links => "more links were found than are kept",
            Cut::Text => "more text was found than is kept",
            Cut::Lists => "more headings, dates or meta elements were found than are kept",
            Cut::Tag => "a tag was too long, or had too many attributes",
            Cut::Script => "a script or style sheet was too long to be searched whole",
            Cut::Depth => "elements are nested deeper than is remembered",
            Cut::Time => "it was not read to its end: time was up",
            Cut::Encrypted => "the document is encrypted",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::Wanted;
    use crate::{Limits, Source, read};

    #[test]
    fn plain_addresses_are_what_the_parser_says() {
        let paths = [
            "/",
            "/a",
            "/a/b.html?c=d&e",
            "/a#b",
            "/a?",
            "/a?b?c",
            "//other/a",
            "/./a",
            "/a/../b",
            "/a/.b",
            "/a b",
            "/%7e",
            "/é",
            "/a'b",
            "b",
            "?q",
            "#f",
            "",
            "/a//b",
            "/a:b@c;d,e+f~g",
            "/A/B",
            "/a\\b",
            "/\ta",
            "http://example.org/x#y",
            "http://example.org:8080/x?y",
            "HTTP://EXAMPLE.ORG/x",
            "http://example.org",
            "https://example.org/x",
            "http://example.org.evil/x",
            "http://u@example.org/x",
            "mailto:a@b",
        ];
        let (mut told, mut out) = (0, String::new());
        for url in [
            "http://example.org/d/e",
            "https://u:p@example.org/",
            "http://example.org:8080/",
            "http://[::1]/x",
        ] {
            for path in paths {
                let page = format!("<a href=\"{path}\">");
                let document = read(
                    page.as_bytes(),
                    &Source { url, ..Source::default() },
                    Wanted::LINKS,
                    &Limits::default(),
                );
                for link in document.links.as_slice() {
                    if document.resolve_plain(link, &mut out) {
                        let mut parsed = document.resolve(link).unwrap();
                        parsed.set_fragment(None);
                        assert_eq!(parsed.as_str(), out, "{path} in {url}");
                        told += 1;
                    }
                }
            }
        }
        assert_eq!(told, 29);
    }
}
