//! Sitemaps and feeds in XML, as one pass over their tags.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::build::Builder;
use super::element::Element;
use super::note::Note;
use super::source::Source;
use super::{Entry, EntryKind, Format};
use crate::Limits;

/// Reads up to the end of the outermost element; what follows it is none of ours.
pub(super) fn read(
    source: &mut Source<'_>,
    limits: &Limits,
    builder: &mut Builder<impl FnMut(Entry)>,
) -> Format {
    let token = source.token();
    let mut reader = Reader::from_reader(&mut *source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut walk = Walk::new(limits, builder);
    let mut buffer = Vec::new();
    let broken = loop {
        buffer.clear();
        token.set(0);
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => break None,
            Ok(event) => walk.event(&event),
            Err(error) => break Some(Note::Broken { at: reader.error_position(), why: error.to_string() }),
        }
        if walk.is_done || walk.builder.is_full() {
            break None;
        }
    };
    let (format, is_open) = walk.finish();
    // Where the source broke off, the parser's complaint about it says nothing new.
    if source.ended_well() {
        match broken {
            Some(note) => builder.note(note),
            None if is_open && !builder.is_full() => builder.note(Note::EndsEarly),
            None => {}
        }
    }
    format
}

/// Where in the document we are.
struct Walk<'b, F> {
    builder: &'b mut Builder<F>,
    depth_max: usize,
    text_max: usize,
    format: Option<Format>,
    stack: Vec<Element>,
    /// Elements that lie too deep and are open.
    too_deep: usize,
    too_deep_total: usize,
    unmatched: usize,
    /// How deep the element lies whose text is being collected.
    collecting: Option<usize>,
    text: String,
    is_done: bool,
}

impl<'b, F: FnMut(Entry)> Walk<'b, F> {
    fn new(limits: &Limits, builder: &'b mut Builder<F>) -> Walk<'b, F> {
        Walk {
            builder,
            depth_max: limits.sitemap_depth,
            // White space around a URL is not counted against it, within reason.
            text_max: limits.url_bytes.saturating_mul(2),
            format: None,
            stack: Vec::new(),
            too_deep: 0,
            too_deep_total: 0,
            unmatched: 0,
            collecting: None,
            text: String::new(),
            is_done: false,
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::Empty(tag) => {
                self.open(tag);
                self.close(tag.local_name().into_inner());
            }
            Event::End(tag) => self.close(tag.local_name().into_inner()),
            Event::Text(text) => self.collect(text),
            Event::CData(text) => self.collect(text),
            Event::GeneralRef(name) => match character(name) {
                Some(char) => self.collect(char.encode_utf8(&mut [0; 4])),
                None => {
                    self.collect("&");
                    self.collect(name);
                    self.collect(";");
                }
            },
            Event::DocType(_) => self.builder.note(Note::DocumentType),
            _ => {}
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let name = tag.local_name().into_inner();
        if self.format.is_none() {
            let format = Element::root(name);
            self.format = Some(format.unwrap_or(Format::Unknown));
            match format {
                Some(format) => self.stack.push(Element::Root(format)),
                None => {
                    self.builder.no_sitemap(name);
                    self.is_done = true;
                }
            }
            return;
        }
        if self.stack.len() >= self.depth_max {
            self.too_deep += 1;
            self.too_deep_total += 1;
            return;
        }
        let element = Element::named(name);
        if self.collecting.is_none() {
            self.begin(element, tag);
        }
        self.stack.push(element);
    }

    /// An element begins outside any text that matters.
    fn begin(&mut self, element: Element, tag: &BytesStart<'_>) {
        // The `url` of a feed's picture is a URL and no entry.
        let is_text = element.has_text() || (element == Element::Url && self.is_within(Element::Image));
        match element {
            Element::Link => self.link(tag),
            Element::Enclosure => {
                if let Some(url) = attribute(tag, "url").or_else(|| attribute(tag, "src")) {
                    self.builder.extra(EntryKind::Enclosure, &url);
                }
            }
            Element::Sitemap => self.builder.begin(EntryKind::Sitemap),
            _ if element.is_container() && !is_text => self.builder.begin(EntryKind::Page),
            _ => {}
        }
        if element == Element::Item
            && let Some(about) = attribute(tag, "about")
        {
            self.builder.spare(&about);
        }
        if element == Element::Guid && attribute(tag, "isPermaLink").is_some_and(|value| value == "false") {
            return;
        }
        if is_text {
            self.text.clear();
            self.collecting = Some(self.stack.len());
        }
    }

    /// `<link href="…" rel="…"/>`, in Atom and in sitemaps that have their pages in several languages.
    fn link(&mut self, tag: &BytesStart<'_>) {
        let Some(href) = attribute(tag, "href") else { return };
        let rel = attribute(tag, "rel").unwrap_or(Cow::Borrowed("alternate"));
        let is_alternate = rel.eq_ignore_ascii_case("alternate");
        match self.format {
            Some(Format::UrlSet | Format::Index) => self.builder.extra(EntryKind::Alternate, &href),
            Some(Format::Atom) if is_alternate => self.builder.link(&href),
            _ if rel.eq_ignore_ascii_case("enclosure") => self.builder.extra(EntryKind::Enclosure, &href),
            _ => self.builder.extra(EntryKind::Related, &href),
        }
    }

    fn close(&mut self, name: &str) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let (element, root) = (Element::named(name), Element::root(name));
        let is_it = |open: &Element| match open {
            Element::Root(format) => root == Some(*format),
            open => *open == element,
        };
        let Some(depth) = self.stack.iter().rposition(is_it) else {
            self.unmatched += 1;
            return;
        };
        self.unmatched += self.stack.len() - depth - 1;
        while self.stack.len() > depth {
            self.end_innermost();
        }
        self.is_done = self.stack.is_empty();
    }

    fn end_innermost(&mut self) {
        let Some(element) = self.stack.pop() else { return };
        if self.collecting == Some(self.stack.len()) {
            self.collecting = None;
            let text = std::mem::take(&mut self.text);
            self.take(element, &text);
            self.text = text;
        } else if element.is_container() && self.collecting.is_none() {
            self.builder.finish();
        }
    }

    /// The text of an element is whole.
    fn take(&mut self, element: Element, text: &str) {
        let in_image = self.is_within(Element::Image);
        match element {
            Element::Loc if in_image => self.builder.extra(EntryKind::Image, text),
            Element::Url => self.builder.extra(EntryKind::Image, text),
            Element::VideoLoc => self.builder.extra(EntryKind::Video, text),
            Element::Loc => {
                let is_index = self.format == Some(Format::Index);
                self.builder.main_url(if is_index { EntryKind::Sitemap } else { EntryKind::Page }, text);
            }
            Element::Link if text.trim().is_empty() => {}
            Element::Link if in_image => self.builder.extra(EntryKind::Home, text),
            Element::Link => self.builder.link(text),
            Element::Guid => self.builder.spare(text),
            Element::Lastmod => self.builder.lastmod(text),
            Element::Changefreq => self.builder.changefreq(text),
            Element::Priority => self.builder.priority(text),
            _ => {}
        }
    }

    fn collect(&mut self, text: &str) {
        if self.collecting.is_some() && self.too_deep == 0 && self.text.len() <= self.text_max {
            self.text.push_str(text);
        }
    }

    fn is_within(&self, element: Element) -> bool {
        self.stack.last() == Some(&element)
    }

    /// What it was, and whether its end is missing.
    fn finish(self) -> (Format, bool) {
        let is_open = !self.is_done;
        if self.format.is_none() {
            self.builder.no_sitemap("");
        }
        if self.unmatched > 0 {
            self.builder.note(Note::UnmatchedTags { count: self.unmatched });
        }
        if self.too_deep_total > 0 {
            self.builder.note(Note::TooDeep { count: self.too_deep_total });
        }
        self.builder.finish();
        (self.format.unwrap_or(Format::Unknown), is_open && self.format.is_some())
    }
}

/// An attribute by its name without prefix.
fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<Cow<'t, str>> {
    // Looking for doubles costs the square of their number, and we take the first anyway.
    let attribute = tag
        .attributes()
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.local_name().into_inner().eq_ignore_ascii_case(name))?;
    Some(match attribute.value {
        Cow::Borrowed(value) => unescape(value),
        Cow::Owned(value) => Cow::Owned(unescape(&value).into_owned()),
    })
}

/// Resolves escapes; what is none stays, because people write `&` in URLs as it is.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        // No name of an escape is longer.
        let end = after.bytes().take(12).position(|byte| byte == b';');
        let escape = end.and_then(|end| Some((character(after.get(..end)?)?, after.get(end + 1..)?)));
        match escape {
            Some((char, behind)) => {
                out.push(char);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The five that XML knows by itself, and numbers.
fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|char| *char != '\0')
        }
    }
}
