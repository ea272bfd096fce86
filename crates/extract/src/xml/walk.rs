//! Walks through XML, well-formed or not, as far as it can be followed.
//!
//! No entities but the five of XML and numbers are known, so that nothing can be fetched or blown up by a document type.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// One step.
pub(crate) enum Step<'a> {
    /// A start tag. Empty elements are followed by their end.
    Open(Tag<'a>),
    /// An end tag.
    Close,
    /// A piece of text; an element may have several.
    Text(Cow<'a, str>),
    /// A processing instruction, target and all.
    Instruction(Cow<'a, str>),
}

/// A start tag.
pub(crate) struct Tag<'a> {
    start: BytesStart<'a>,
}

impl Tag<'_> {
    /// The name with its prefix.
    pub(crate) fn full_name(&self) -> &str {
        self.start.name().0
    }

    /// Calls `each` with the name (prefix and all) and the value of each attribute, up to `count_max` of them.
    pub(crate) fn attributes(&self, count_max: usize, mut each: impl FnMut(&str, Cow<'_, str>)) {
        // Looking for doubles would take the square of their number.
        let mut attributes = self.start.html_attributes();
        for attribute in attributes.with_checks(false).flatten().take(count_max) {
            each(attribute.key.0, unescape(&attribute.value));
        }
    }

    /// The value of the attribute of this name, prefix and all.
    pub(crate) fn attribute(&self, wanted: &str, count_max: usize) -> Option<String> {
        let mut found = None;
        self.attributes(count_max, |name, value| {
            if name == wanted && found.is_none() {
                found = Some(value.into_owned());
            }
        });
        found
    }
}

/// The steps of a document, up to its end or to where it can be followed no further.
pub(crate) struct Walk<'a> {
    reader: Reader<&'a [u8]>,
    empty: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(xml: &'a str) -> Walk<'a> {
        let mut reader = Reader::from_str(xml);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.check_comments = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        Walk { reader, empty: false }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if std::mem::take(&mut self.empty) {
            return Some(Step::Close);
        }
        loop {
            return Some(match self.reader.read_event().ok()? {
                Event::Start(start) => Step::Open(Tag { start }),
                Event::Empty(start) => {
                    self.empty = true;
                    Step::Open(Tag { start })
                }
                Event::End(_) => Step::Close,
                Event::Text(text) => Step::Text(text.into_inner()),
                Event::CData(text) => Step::Text(text.into_inner()),
                Event::GeneralRef(name) => {
                    Step::Text(reference(&name).map_or("".into(), |char| char.to_string().into()))
                }
                Event::PI(instruction) => Step::Instruction(instruction.into_inner()),
                Event::Comment(_) | Event::Decl(_) | Event::DocType(_) => continue,
                Event::Eof => return None,
            });
        }
    }
}

/// A name without its prefix.
pub(crate) fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Resolves the references that XML knows itself; others stay as they are.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut clear = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        clear.push_str(before);
        let end = behind.bytes().take(12).position(|byte| byte == b';');
        let name = end.and_then(|end| behind.get(..end));
        match name.and_then(reference) {
            Some(char) => {
                clear.push(char);
                rest = end.and_then(|end| behind.get(end + 1..)).unwrap_or_default();
            }
            None => {
                clear.push('&');
                rest = behind;
            }
        }
    }
    clear.push_str(rest);
    clear.into()
}

/// The character that a reference stands for: one of the five, or a number.
fn reference(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    })
}
