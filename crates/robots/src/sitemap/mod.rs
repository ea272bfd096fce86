//! Sitemaps and feeds: the pages a site would like to be found.
//!
//! <https://www.sitemaps.org/protocol.html>, with the extensions for pictures, videos and translations; also plain text,
//! RSS 2.0, RSS 1.0 and Atom, and any of them gzipped. Nothing in here fails: a broken file gives what came before the
//! fault, and a note. A document type is passed over and its entities stay unresolved, so nothing outside is ever read.

mod build;
mod element;
mod entry;
mod note;
mod source;
mod text;
mod xml;

use std::io::BufRead;

pub use entry::{ChangeFrequency, Entry, EntryKind, Format};
pub use note::Note;

use crate::Limits;
use build::Builder;
use source::Source;

/// A sitemap read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitemap {
    /// What it is.
    pub format: Format,
    /// What it lists, in its order; what belongs to a page comes behind it.
    pub entries: Vec<Entry>,
    /// What is wrong with it.
    pub notes: Vec<Note>,
}

/// What is left to say when a sitemap's entries have been handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What it is.
    pub format: Format,
    /// What is wrong with it.
    pub notes: Vec<Note>,
}

/// Reads a sitemap whole.
pub fn parse(source: impl BufRead, limits: &Limits) -> Sitemap {
    let mut entries = Vec::new();
    let Summary { format, notes } = read(source, limits, |entry| entries.push(entry));
    Sitemap { format, entries, notes }
}

/// Reads a sitemap and hands on each entry as it comes.
pub fn read<'s>(source: impl BufRead + 's, limits: &Limits, each: impl FnMut(Entry)) -> Summary {
    let mut builder = Builder::new(limits, each);
    let mut source = Source::open(Box::new(source), limits);
    let format = if source.is_xml() {
        xml::read(&mut source, limits, &mut builder)
    } else {
        text::read(&mut source, limits, &mut builder)
    };
    let mut notes = source.into_notes();
    notes.extend(builder.into_notes());
    Summary { format, notes }
}

/// A `lastmod` in any of the W3C forms. What is no date is `None`.
#[must_use]
pub fn date(text: &str) -> Option<urlkey::time::WarcDate> {
    urlkey::time::parse_iso(text).ok()
}
