//! All that was found in one document.

use std::borrow::Cow;

use encoding_rs::Encoding;
use url::Url;

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
