//! Elements of a feed, in which nothing stands that XML 1.0 forbids.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// Writes elements one after another, into memory: nothing fails there.
pub(super) struct Xml(Writer<Vec<u8>>);

impl Xml {
    /// A document of which nothing but the first line is written.
    pub(super) fn new() -> Xml {
        let mut xml = Xml(Writer::new_with_indent(Vec::new(), b' ', 2));
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// Begins an element.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.write(Event::Start(start(name, attributes)));
    }

    /// Ends it.
    pub(super) fn close(&mut self, name: &str) {
        self.write(Event::End(BytesEnd::new(name)));
    }

    /// An element with nothing in it.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.write(Event::Empty(start(name, attributes)));
    }

    /// An element that holds text.
    pub(super) fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.write(Event::Text(BytesText::new(&clean(text))));
        self.close(name);
    }

    /// Writes something only if the document is not longer than this then; says whether it did.
    pub(super) fn within(&mut self, bytes_max: usize, write: impl FnOnce(&mut Xml)) -> bool {
        let before = self.0.get_mut().len();
        write(self);
        let fits = self.0.get_mut().len() <= bytes_max;
        if !fits {
            self.0.get_mut().truncate(before);
        }
        fits
    }

    /// The document.
    pub(super) fn finish(self) -> String {
        let mut text = String::from_utf8(self.0.into_inner()).unwrap_or_default();
        text.push('\n');
        text
    }

    fn write(&mut self, event: Event<'_>) {
        // Memory takes all that is written.
        let _ = self.0.write_event(event);
    }
}

fn start<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, clean(value).as_ref()));
    }
    start
}

/// Without the characters that no document may hold, however they are written: <https://www.w3.org/TR/xml/#charsets>.
fn clean(text: &str) -> Cow<'_, str> {
    let is_allowed = |c: char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    match text.chars().all(is_allowed) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(|c| is_allowed(*c)).collect()),
    }
}

/// Text where HTML is expected: nothing in it is a tag, and its lines stay lines.
pub(super) fn as_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace("\r\n", "\n").replace('\n', "<br>\n")
}
