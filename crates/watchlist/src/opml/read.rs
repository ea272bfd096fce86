//! OPML is read. No entity that a document defines is resolved, and nothing is opened.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::decode::check;
use crate::draft::{Drafts, said};
use crate::error::excerpt;
use crate::{Entry, Error, Limits, List, Place};

/// Reads an OPML list: an outline with `xmlUrl`, `htmlUrl` or `url` is a watched page, any other is a folder.
///
/// # Errors
/// If it is not well-formed, nested too deep, or uses entities of its own.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    let text = check(text, limits)?;
    let mut reader = Reader::from_str(text);
    let mut walk = Walk {
        text,
        drafts: Drafts::new(limits),
        folders: Vec::new(),
        depth: 0,
        is_opml: false,
        line: Line::default(),
    };
    loop {
        let before = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|error| Error::syntax(walk.place(reader.error_position()), error.to_string()))?;
        match event {
            Event::Start(element) => walk.open(&element, before, false)?,
            Event::Empty(element) => walk.open(&element, before, true)?,
            Event::End(element) => walk.close(element.local_name().as_ref() == "outline"),
            Event::Eof => break,
            _ => {}
        }
    }
    if walk.depth > 0 {
        return Err(Error::syntax(Place::of_byte(text, text.len()), "the file ends in the middle"));
    }
    if !walk.is_opml {
        return Err(Error::syntax(Place::line(1), "this is no OPML: there is no element `opml`"));
    }
    Ok(walk.drafts.finish())
}

struct Walk<'t> {
    text: &'t str,
    drafts: Drafts<'t>,
    /// The name of each open outline.
    folders: Vec<String>,
    depth: usize,
    is_opml: bool,
    line: Line,
}

/// How far lines were counted, so that each byte is counted once.
#[derive(Default)]
struct Line {
    at: usize,
    line: usize,
}

impl Walk<'_> {
    fn place(&self, at: u64) -> Place {
        Place::of_byte(self.text, usize::try_from(at).unwrap_or(usize::MAX))
    }

    fn line(&mut self, at: u64) -> Place {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.as_bytes().get(self.line.at..at).unwrap_or_default();
        self.line.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.line.at = at;
        Place::line(self.line.line + 1)
    }

    fn open(&mut self, element: &BytesStart<'_>, at: u64, is_empty: bool) -> Result<(), Error> {
        if !is_empty {
            self.depth += 1;
            if self.depth > self.drafts.limits().depth_max {
                return Err(Error::syntax(self.place(at), "this is nested too deep"));
            }
        }
        let name = element.local_name();
        self.is_opml |= name.as_ref() == "opml";
        if name.as_ref() != "outline" {
            return Ok(());
        }
        let fields = self.fields(element, at)?;
        let place = self.line(at);
        let (mut entry, name) = outline(&fields);
        if entry.url.is_empty()
            && (is_empty || fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("xmlUrl")))
        {
            self.drafts.leave_out(place, format!("the outline `{}` has no URL", excerpt(&name)))?;
        } else if !entry.url.is_empty() {
            entry.folder.clone_from(&self.folders);
            self.drafts.add(place, entry)?;
        }
        if !is_empty {
            self.folders.push(name);
        }
        Ok(())
    }

    fn close(&mut self, is_outline: bool) {
        self.depth = self.depth.saturating_sub(1);
        if is_outline {
            self.folders.pop();
        }
    }

    fn fields(&self, element: &BytesStart<'_>, at: u64) -> Result<Vec<(String, String)>, Error> {
        let max = self.drafts.limits().columns_max;
        let mut fields = Vec::new();
        // Looking for attributes that stand there twice would take time in their square.
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| Error::syntax(self.place(at), error.to_string()))?;
            if fields.len() >= max {
                return Err(Error::TooMany { place: self.place(at), what: "attributes", max });
            }
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| Error::syntax(self.place(at), error.to_string()))?;
            fields.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(fields)
    }
}

/// What an outline says, and what it is called.
fn outline(fields: &[(String, String)]) -> (Entry, String) {
    let field = |name: &str| {
        let found = fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| said(value))
    };
    let (feed, page, link) = (field("xmlUrl"), field("htmlUrl"), field("url"));
    let title = field("title").or_else(|| field("text"));
    let name = field("text").or_else(|| field("title")).unwrap_or_default();
    let mut entry = Entry { title, is_feed: feed.is_some(), notes: field("description"), ..Entry::default() };
    entry.url = feed.clone().or(page.clone()).or(link).unwrap_or_default();
    entry.page = feed.and(page).filter(|page| *page != entry.url);
    // Categories are parted by commas, and begin with `/` if they are folders.
    let categories = field("category").unwrap_or_default();
    categories.split(',').for_each(|category| entry.tag(category.trim().trim_start_matches('/')));
    const KNOWN: [&str; 12] = [
        "text",
        "title",
        "type",
        "xmlUrl",
        "htmlUrl",
        "url",
        "description",
        "category",
        "version",
        "language",
        "created",
        "isComment",
    ];
    if !entry.url.is_empty() {
        for (name, value) in fields {
            if !KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name)) && !value.trim().is_empty() {
                entry.tell(format!("attribute `{}`: `{}` is not understood", excerpt(name), excerpt(value)));
            }
        }
    }
    (entry, name)
}
