//! A start tag: its name and attributes, and what becomes of them.

use std::borrow::Cow;

use extract::html::decode_attribute;

use crate::html::attribute::{self, Change, Context};
use crate::html::table::{Code, SPECULATION, code};
use crate::html::{Inserted, meta};
use crate::{Modifier, Place};

/// Namespaces whose elements browsers follow links of.
const MARKUP: [&str; 3] =
    ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"];

/// A start tag, taken apart. All of it is there, in order.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// All of it.
    text: &'a str,
    /// Its name without a prefix, in lower case.
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub(super) name: &'a str,
    /// With its escapes.
    pub(super) value: &'a str,
}

impl attribute::Element for Tag<'_> {
    fn value(&self, name: &str) -> String {
        Tag::value(self, name).into_owned()
    }
}

impl<'a> Tag<'a> {
    /// Reads a tag from `<` to `>`.
    pub(super) fn read(text: &'a str) -> Tag<'a> {
        let inside = text.strip_prefix('<').unwrap_or(text);
        let name = local_name(inside);
        let mut attributes = Vec::new();
        let mut rest = inside.find(is_blank).and_then(|at| inside.get(at..)).unwrap_or_default();
        while let Some((before, behind)) = rest.split_once('=') {
            let name = before.trim_matches(is_blank).rsplit(is_blank).next().unwrap_or_default();
            let quoted = behind.trim_start_matches(is_blank);
            let Some(quote) = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
                break;
            };
            let Some((value, after)) = quoted.get(1..).and_then(|inside| inside.split_once(quote)) else {
                break;
            };
            attributes.push(Attribute { name, value });
            rest = after;
        }
        Tag { text, name, attributes }
    }

    /// The value of an attribute, without its escapes.
    pub(super) fn value(&self, name: &str) -> Cow<'a, str> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name.eq_ignore_ascii_case(name))
            .map_or("".into(), |attribute| decode_attribute(attribute.value))
    }

    /// Whether it says that elements of HTML or SVG begin with it or inside of it.
    pub(super) fn declares_markup(&self) -> bool {
        let declares = |attribute: &Attribute<'_>| {
            let is_space = attribute.name == "xmlns" || attribute.name.starts_with("xmlns:");
            is_space && MARKUP.contains(&decode_attribute(attribute.value).trim())
        };
        self.attributes.iter().any(declares)
    }

    /// Whether it has no content.
    pub(super) fn is_empty(&self) -> bool {
        self.text.ends_with("/>")
    }

    /// The tag with its attributes changed.
    pub(super) fn rewrite(&self, place: &mut Place, inserted: &Inserted, has_base: &mut bool) -> String {
        let acting = (self.name == "meta")
            .then(|| {
                let [equivalent, name, content] =
                    ["http-equiv", "name", "content"].map(|name| self.value(name));
                meta::change(place, &equivalent, &name, &content)
            })
            .flatten();
        let is_speculation = self.name == "script" && code(&self.value("type")) == Code::Speculation;
        let acting = acting.or(is_speculation.then(|| ("type", SPECULATION.to_owned())));
        self.with(|attribute| {
            let name = attribute.name.to_ascii_lowercase();
            if let Some((changed, value)) = &acting
                && *changed == name
            {
                return Some(Change::Value(value.clone()));
            }
            let mut context = Context { place, inserted, has_base };
            attribute::change(&mut context, &self.name, &name, attribute.value, self)
        })
    }

    /// The tag with some values changed.
    pub(super) fn with(&self, mut change: impl FnMut(&Attribute<'a>) -> Option<Change>) -> String {
        let mut written = String::with_capacity(self.text.len() + 64);
        let mut from = 0;
        let at = |part: &str| (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        for attribute in &self.attributes {
            let Some(change) = change(attribute) else { continue };
            let start = at(attribute.value);
            let end = start + attribute.value.len();
            let (until, next) = match &change {
                Change::Value(_) => (start, end),
                // The quote goes with it, and the blank before stays.
                Change::Gone => (at(attribute.name), end + 1),
            };
            written.push_str(self.text.get(from..until).unwrap_or_default());
            if let Change::Value(value) = change {
                let quote = self.text.get(end..).and_then(|rest| rest.chars().next());
                match quote {
                    Some('\'') => written.push_str(&value.replace('\'', "&apos;")),
                    _ => written.push_str(&value.replace('"', "&quot;")),
                }
            }
            from = next;
        }
        written.push_str(self.text.get(from..).unwrap_or_default());
        written
    }
}

/// The name at the start of a tag's inside, without prefix and in lower case.
pub(super) fn local_name(inside: &str) -> String {
    let end = inside
        .find(|character| is_blank(character) || matches!(character, '/' | '>'))
        .unwrap_or(inside.len());
    let name = inside.get(..end).unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default().to_ascii_lowercase()
}

/// An instruction, of which only the one matters that names a style sheet. One that names a transformation is renamed: what it makes
/// of the document would have no shim, and links to the live web.
pub(super) fn instruction(inside: &str, text: &str, place: &Place) -> String {
    if !inside.starts_with(STYLE_SHEET) {
        return text.to_owned();
    }
    let tag = Tag::read(text);
    let mut types = tag.attributes.iter().filter(|attribute| attribute.name == "type");
    let is_css = match (types.next(), types.next()) {
        (None, _) => true,
        (Some(first), None) => decode_attribute(first.value).trim().eq_ignore_ascii_case("text/css"),
        _ => false,
    };
    if !is_css {
        let mut out = Vec::new();
        let read = rename_transformation(text.as_bytes(), &mut out).unwrap_or_default();
        return format!("{}{}", String::from_utf8_lossy(&out), text.get(read..).unwrap_or_default());
    }
    tag.with(|attribute| {
        let link = (attribute.name == "href").then(|| place.rewritten(attribute.value, Modifier::Style));
        link.flatten().map(|link| Change::Value(attribute::escape(&link).into_owned()))
    })
}

const STYLE_SHEET: &str = "xml-stylesheet";

/// Writes the start of an instruction that names a style sheet, under another name; how many bytes it replaces. `None` if it is another.
pub(super) fn rename_transformation(rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    rest.strip_prefix(b"<?")?.strip_prefix(STYLE_SHEET.as_bytes())?;
    out.extend_from_slice(b"<?x-archive-orig-");
    out.extend_from_slice(STYLE_SHEET.as_bytes());
    Some(2 + STYLE_SHEET.len())
}

fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace()
}
