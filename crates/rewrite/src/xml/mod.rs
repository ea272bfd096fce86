//! XML: pages that are served as it, drawings, feeds, and manifests of MPEG-DASH. Whatever was well-formed stays so.
//!
//! | question | file |
//! |---|---|
//! | Where does a tag end? | here |
//! | What becomes of its attributes? | `tag.rs` |
//! | What does a manifest hold? | `dash.rs` |
//! | What does a feed hold? | `feed.rs` |
//! | Where does a doctype end, and what could it change? | `doctype.rs` |
//! | What may be put into a page? | `insert.rs` |

mod dash;
mod doctype;
mod feed;
mod insert;
mod tag;

use memchr::{memchr, memmem};
use quick_xml::parser::{ElementParser, Parser as _, PiParser};

use crate::html::Inserted;
use crate::html::table::{Code, code};
use crate::{Limits, Modifier, Place, css, script};

use tag::Tag;

/// A document that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Stream {
    place: Place,
    inserted: Inserted,
    flavour: Flavour,
    mode: Mode,
    inside: Inside,
    has_base: bool,
    has_head: bool,
    has_foot: bool,
    /// The head was put in.
    holds_head: bool,
    /// There was an element.
    is_begun: bool,
    /// A browser may read what stands before the head otherwise than we do.
    is_uncertain: bool,
    /// There are elements of HTML or SVG among others.
    has_markup: bool,
    /// What cannot be decided yet.
    held: Vec<u8>,
}

/// What the elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flavour {
    /// Not known before the first element.
    Unknown,
    /// Those of HTML and SVG.
    Markup,
    /// Those of a DASH manifest.
    Dash,
    /// Those of RSS or Atom.
    Feed,
    /// Others, which hold nothing that a browser follows.
    Other,
}

/// Inside of what the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Text,
    Comment,
    Data,
    /// An instruction that is too long, to its end.
    Instruction,
    /// A tag or declaration that is too long, to its end.
    Passing,
}

/// What the text of the element that is open is.
#[derive(Debug)]
enum Inside {
    Other,
    Script(Box<script::Stream>),
    Style(Box<css::Stream>),
    /// An address of a manifest or feed.
    Address(Modifier),
}

impl Stream {
    /// A page.
    pub(crate) fn page(place: Place, inserted: Inserted) -> Stream {
        Stream { flavour: Flavour::Markup, ..Stream::plain(place, inserted) }
    }

    /// Any document.
    pub(crate) fn plain(place: Place, inserted: Inserted) -> Stream {
        Stream::new(place, insert::fitting(inserted))
    }

    /// A DASH manifest.
    pub(crate) fn dash(place: Place, limits: &Limits) -> Stream {
        let inserted = Inserted { limits: limits.clone(), ..Inserted::default() };
        Stream { flavour: Flavour::Dash, ..Stream::new(place, inserted) }
    }

    fn new(place: Place, inserted: Inserted) -> Stream {
        Stream {
            place,
            has_head: inserted.head.is_empty(),
            has_foot: inserted.foot.is_empty(),
            inserted,
            flavour: Flavour::Unknown,
            mode: Mode::Text,
            inside: Inside::Other,
            has_base: false,
            holds_head: false,
            is_begun: false,
            is_uncertain: false,
            has_markup: false,
            held: Vec::new(),
        }
    }

    pub(crate) fn holds_head(&self) -> bool {
        self.holds_head && !self.is_uncertain
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        while let Some(rest) = held.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(read) = self.step(rest, out) else { break };
            at += read;
        }
        self.held = held;
        self.held.drain(..at.min(self.held.len()));
    }

    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        match self.mode {
            Mode::Text if !held.starts_with(b"<") => self.text(&held, out),
            _ => out.extend_from_slice(&held),
        }
        self.close(out);
    }

    /// Reads something from the start of what is there, and says how many bytes; nothing if it needs more.
    fn step(&mut self, rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        match self.mode {
            Mode::Text => self.markup(rest, out),
            Mode::Comment => self.until(rest, b"-->", out),
            Mode::Data => self.until(rest, b"]]>", out),
            Mode::Instruction => self.until(rest, b"?>", out),
            Mode::Passing => self.until(rest, b">", out),
        }
    }

    /// Passes all up to the end of what is open.
    fn until(&mut self, rest: &[u8], end: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let is_data = self.mode == Mode::Data;
        let (read, kept) = match memmem::find(rest, end) {
            Some(found) => {
                self.mode = Mode::Text;
                (found + end.len(), found)
            }
            // The end may be cut in two.
            None => {
                let read = rest.len().checked_sub(end.len() - 1).filter(|read| *read > 0)?;
                (read, read)
            }
        };
        let (inside, behind) = rest.get(..read)?.split_at_checked(kept)?;
        if is_data {
            self.text(inside, out);
        } else {
            out.extend_from_slice(inside);
        }
        if is_data && !behind.is_empty() {
            self.flush(out);
        }
        out.extend_from_slice(behind);
        Some(read)
    }

    fn markup(&mut self, rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let long = self.inserted.limits.value_bytes_max.max(64);
        let text = memchr(b'<', rest).unwrap_or(rest.len());
        if text > 0 {
            // An address is seen whole.
            if matches!(self.inside, Inside::Address(_)) && text == rest.len() {
                if text < long {
                    return None;
                }
                self.inside = Inside::Other;
            }
            self.text(rest.get(..text)?, out);
            return Some(text);
        }
        let opens = |mark: &[u8]| rest.starts_with(mark);
        let may_open = |mark: &[u8]| mark.starts_with(rest);
        for (mark, mode) in [(&b"<!--"[..], Mode::Comment), (b"<![CDATA[", Mode::Data)] {
            if opens(mark) {
                self.mode = mode;
                if mode == Mode::Data {
                    self.flush(out);
                    if matches!(self.inside, Inside::Address(_)) {
                        // It may come in pieces, and nobody writes it so.
                        self.inside = Inside::Other;
                    }
                }
                out.extend_from_slice(mark);
                return Some(mark.len());
            }
            if may_open(mark) {
                return None;
            }
        }
        let end = if opens(b"<!") { doctype::end(rest, long) } else { end_of_tag(rest, long) };
        match end {
            Some(end) if opens(b"<!") => {
                let declaration = rest.get(..end)?;
                self.is_uncertain |= !doctype::is_plain(declaration);
                out.extend_from_slice(declaration);
                Some(end)
            }
            Some(end) => {
                // `Text` gives characters; bytes that are none could hide an element.
                let raw = rest.get(..end)?;
                match std::str::from_utf8(raw) {
                    Ok(text) => self.tag(text, out),
                    Err(_) => return Some(self.pass(rest, out)),
                }
                Some(end)
            }
            None if rest.len() >= long => Some(self.pass(rest, out)),
            None => None,
        }
    }

    /// Passes what is too long to be looked at whole. Where it ends is a guess: what is put in behind it may be nowhere.
    fn pass(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        self.is_uncertain |= !self.has_head;
        if let Some(read) = tag::rename_transformation(rest, out) {
            self.mode = Mode::Instruction;
            return read;
        }
        self.mode = if rest.starts_with(b"<?") { Mode::Instruction } else { Mode::Passing };
        0
    }

    /// A start tag, end tag or instruction.
    fn tag(&mut self, text: &str, out: &mut Vec<u8>) {
        if let Some(instruction) = text.strip_prefix("<?") {
            return out.extend_from_slice(tag::instruction(instruction, text, &self.place).as_bytes());
        }
        if text.starts_with("</") {
            self.close(out);
            let name = tag::local_name(text.get(2..).unwrap_or_default());
            if name == "body" && !self.has_foot {
                self.has_foot = true;
                out.extend_from_slice(self.inserted.foot.as_bytes());
            }
            return out.extend_from_slice(text.as_bytes());
        }
        let tag = Tag::read(text);
        self.has_markup |= tag.declares_markup();
        if self.flavour == Flavour::Unknown {
            let known = matches!(tag.name.as_str(), "svg" | "html");
            self.flavour = match tag.name.as_str() {
                _ if known => Flavour::Markup,
                root if feed::is_feed(root) => Flavour::Feed,
                _ => Flavour::Other,
            };
        }
        match self.flavour {
            Flavour::Markup => self.element(&tag, out),
            Flavour::Dash => {
                if !tag.is_empty() && dash::holds_address(&tag.name) {
                    self.inside = Inside::Address(Modifier::Object);
                }
                out.extend_from_slice(dash::rewrite(&tag, &self.place).as_bytes());
            }
            Flavour::Feed => {
                let held = feed::holds_address(&tag.name).filter(|_| !tag.is_empty());
                self.inside = held.map_or(Inside::Other, Inside::Address);
                let written = feed::rewrite(&tag, &self.place);
                if self.has_markup && written == text {
                    return out.extend_from_slice(self.attributes(&tag).as_bytes());
                }
                out.extend_from_slice(written.as_bytes());
            }
            // Browsers follow links of HTML wherever they stand.
            Flavour::Unknown | Flavour::Other if self.has_markup => {
                out.extend_from_slice(self.attributes(&tag).as_bytes());
            }
            Flavour::Unknown | Flavour::Other => out.extend_from_slice(text.as_bytes()),
        }
    }

    /// A tag of HTML or SVG with its attributes rewritten.
    fn attributes(&mut self, tag: &Tag<'_>) -> String {
        tag.rewrite(&mut self.place, &self.inserted, &mut self.has_base)
    }

    fn element(&mut self, tag: &Tag<'_>, out: &mut Vec<u8>) {
        // Nothing may stand before the outermost element; a drawing that is one holds it itself.
        let is_outermost = !std::mem::replace(&mut self.is_begun, true);
        let inserts = !self.has_head && tag.name != "html";
        self.has_head |= inserts;
        self.holds_head |= inserts;
        let is_inside = tag.name == "head" || is_outermost;
        if inserts && !is_inside {
            out.extend_from_slice(self.inserted.head.as_bytes());
        }
        let written = self.attributes(tag);
        if inserts && is_inside {
            insert::into_element(&written, &self.inserted.head, out);
        } else {
            out.extend_from_slice(written.as_bytes());
        }
        if tag.is_empty() {
            return;
        }
        let limits = &self.inserted.limits;
        self.inside = match tag.name.as_str() {
            "script" => match code(&tag.value("type")) {
                kind @ (Code::Classic | Code::Module) => {
                    Inside::Script(Box::new(script::Stream::new(limits, kind == Code::Module)))
                }
                _ => Inside::Other,
            },
            "style" => Inside::Style(Box::new(css::Stream::new(limits))),
            _ => Inside::Other,
        };
    }

    fn text(&mut self, text: &[u8], out: &mut Vec<u8>) {
        // An entity may stand for a script, which runs before the head that comes behind it.
        self.is_uncertain |= self.is_begun && !self.has_head && memchr(b'&', text).is_some();
        match &mut self.inside {
            Inside::Other => out.extend_from_slice(text),
            Inside::Script(stream) => stream.feed(text, &self.place, out),
            Inside::Style(stream) => stream.feed(text, &self.place, out),
            Inside::Address(modifier) => match std::str::from_utf8(text) {
                Ok(text) => out.extend_from_slice(dash::address(text, &self.place, *modifier).as_bytes()),
                Err(_) => out.extend_from_slice(text),
            },
        }
    }

    /// Writes what the text of an element holds back, before something that is no text.
    fn flush(&mut self, out: &mut Vec<u8>) {
        match &mut self.inside {
            Inside::Script(stream) => stream.finish(&self.place, out),
            Inside::Style(stream) => stream.finish(&self.place, out),
            Inside::Other | Inside::Address(_) => {}
        }
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        self.flush(out);
        self.inside = Inside::Other;
    }
}

/// Where a tag ends: behind the first `>` outside of quotes, or `?>` of an instruction.
fn end_of_tag(rest: &[u8], long: usize) -> Option<usize> {
    let rest = rest.get(..long).unwrap_or(rest);
    // Of an instruction `<?` itself is no part of its end.
    let (start, end) = match rest.strip_prefix(b"<?") {
        Some(inside) => (2, PiParser::default().feed(inside)),
        None => (0, ElementParser::default().feed(rest)),
    };
    end.map(|end| start + end + 1)
}

#[cfg(test)]
mod tests;
