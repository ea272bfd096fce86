//! The links of a tag: which attributes of which elements hold addresses, and how one gets there.
//!
//! References stay as they are written: relative, or with whatever scheme. Only those are left out that lead to no other
//! document: mere fragments, `data:`, `blob:`, `about:`, and `javascript:`, whose script is searched instead. `mailto:` and
//! `tel:` are kept; whoever fetches knows what it can fetch.

mod guess;
mod lazy;
mod plugin;
mod relation;

use crate::{Hop, Link, Rule, css, script, srcset};

use super::attribute::Attribute;
use super::element::Element;
use super::opening::is_posted;
use super::reader::Reading;
use super::reference::decode_attribute;
use super::token::Tag;

/// Bytes of a name that the document made up, as far as it is part of a rule.
const NAME_BYTES_MAX: usize = 64;

/// An attribute that holds a link.
#[derive(Clone, Copy)]
struct Place<'a> {
    element: Element,
    tag: &'a Tag<'a>,
    /// Its name, as written.
    name: &'a str,
    attribute: Attribute,
}

/// What a tag says of all of its links.
#[derive(Debug)]
pub(super) struct Said {
    text: String,
    rel: String,
}

impl Said {
    fn by(tag: &Tag<'_>, bytes_max: usize) -> Said {
        // References shrink when they are decoded, and so do blanks; what is longer still is not worth a look.
        let decoded = |raw| {
            let raw: &str = raw;
            decode_attribute(
                raw.get(..raw.floor_char_boundary(bytes_max.saturating_mul(8))).unwrap_or_default(),
            )
        };
        let words = [Attribute::Alt, Attribute::Title];
        let mut words = words.into_iter().filter_map(|attribute| tag.value(attribute.number()));
        let text =
            words.find(|words| !words.is_empty()).map(|words| run_together(&decoded(words), bytes_max));
        let rel = tag.value(Attribute::Rel.number()).map(|rel| {
            let rel = decoded(rel);
            rel.get(..rel.floor_char_boundary(bytes_max)).unwrap_or_default().to_owned()
        });
        Said { text: text.unwrap_or_default(), rel: rel.unwrap_or_default() }
    }
}

/// Whether a reference may lead to another document.
pub(super) fn is_address(reference: &str) -> bool {
    const NOWHERE: [&str; 5] = ["data:", "javascript:", "about:", "blob:", "vbscript:"];
    match reference.as_bytes() {
        [] | [b'#', ..] => false,
        [b'd' | b'D' | b'j' | b'J' | b'a' | b'A' | b'b' | b'B' | b'v' | b'V', ..] => {
            !NOWHERE.iter().any(|scheme| starts_with(reference, scheme))
        }
        _ => true,
    }
}

/// Whether text starts with a lower-case prefix, in any case.
fn starts_with(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Blanks and control characters around an address are no part of it.
fn trim(reference: &str) -> &str {
    match reference.as_bytes() {
        [b'!'..=0xff, .., b'!'..=0xff] | [b'!'..=0xff] => reference,
        _ => reference.trim_matches(|character| character <= ' '),
    }
}

impl Reading {
    /// Takes the links out of a start tag.
    #[inline]
    pub(super) fn links_of(&mut self, element: Element, tag: &Tag<'_>) {
        if self.page.links.is_full() {
            return;
        }
        self.said = None;
        match element {
            Element::Base | Element::Meta => return,
            Element::Link => return self.links_by_relation(tag),
            Element::Param => return self.links_of_param(tag),
            Element::Applet | Element::Object | Element::Embed => self.links_of_plugin(element, tag),
            _ => {}
        }
        for (number, name, value) in tag.attributes() {
            let attribute = Attribute::from_number(number);
            if attribute > Attribute::Content && !value.is_empty() {
                self.links_of_attribute(Place { element, tag, name, attribute }, value);
            }
        }
    }

    fn links_of_attribute(&mut self, place: Place<'_>, value: &str) {
        let Place { element, tag, attribute, .. } = place;
        match attribute {
            Attribute::Href | Attribute::XlinkHref => self.href(place, value),
            Attribute::Src => self.link(place, value, Hop::Embed),
            Attribute::Srcset | Attribute::Imagesrcset => self.links_of_set(place, value),
            Attribute::Style => self.style(value),
            Attribute::Handler => self.handler(value),
            Attribute::Data => self.lazy(place, value),
            Attribute::Poster
            | Attribute::Background
            | Attribute::Icon
            | Attribute::Lowsrc
            | Attribute::Dynsrc
            | Attribute::Movie => self.link(place, value, Hop::Embed),
            Attribute::ObjectData if element == Element::Object => self.link(place, value, Hop::Embed),
            Attribute::Action
                if element == Element::Form && !is_posted(tag.value(Attribute::Method.number())) =>
            {
                self.link(place, value, Hop::Navigation);
            }
            Attribute::Formaction => {
                let method = tag.value(Attribute::Formmethod.number());
                if !is_posted(method) && (method.is_some() || !self.form_posts) {
                    self.link(place, value, Hop::Navigation);
                }
            }
            Attribute::Cite | Attribute::Longdesc | Attribute::Pluginspage | Attribute::Pluginurl => {
                self.link(place, value, Hop::Navigation);
            }
            Attribute::Manifest if element == Element::Html => self.link(place, value, Hop::Manifest),
            Attribute::Profile if element == Element::Head => {
                self.links_of_list(place, value, Hop::Navigation)
            }
            Attribute::Ping => self.links_of_list(place, value, Hop::Speculative),
            Attribute::Flashvars => self.links_of_variables(place, value),
            Attribute::Srcdoc if element == Element::Iframe => self.nested(&decode_attribute(value)),
            Attribute::Value if element == Element::Opt => self.option(place, value),
            _ => {}
        }
    }

    /// `href`, which most elements that have it mean as a link to click.
    fn href(&mut self, place: Place<'_>, value: &str) {
        let hop = match place.element {
            Element::Image | Element::Use | Element::FeImage | Element::Script => Hop::Embed,
            Element::Other if place.attribute == Attribute::XlinkHref => Hop::Embed,
            _ => Hop::Navigation,
        };
        let next = self.page.links.next_place();
        self.link(place, value, hop);
        if self.wanted.anchors && place.element == Element::A && self.page.links.next_place() == next + 1 {
            self.anchor = Some(next);
        }
    }

    /// Adds the link in an attribute.
    fn link(&mut self, place: Place<'_>, value: &str, hop: Hop) {
        let decoded = decode_attribute(value);
        self.add(place, &decoded, hop);
    }

    /// Adds a link.
    fn add(&mut self, place: Place<'_>, reference: &str, hop: Hop) {
        let reference = trim(reference);
        if !is_address(reference) {
            if self.wanted.scripts && starts_with(reference, "javascript:") {
                self.script(reference.get("javascript:".len()..).unwrap_or_default());
            }
            return;
        }
        let link = Link::new(reference, hop, place.rule());
        if !self.wanted.anchors {
            return self.page.links.add(link);
        }
        let bytes_max = self.limits.phrase_bytes_max;
        let said = self.said.get_or_insert_with(|| Said::by(place.tag, bytes_max));
        self.page.links.add(Link { text: said.text.clone(), rel: said.rel.clone(), ..link });
    }

    /// Adds several links of one attribute, as long as there is room.
    fn add_each<'r>(&mut self, place: Place<'_>, references: impl Iterator<Item = &'r str>, hop: Hop) {
        for reference in references {
            self.add(place, reference, hop);
            if self.page.links.is_enough() {
                return;
            }
        }
    }

    /// Adds the candidates of a `srcset`.
    fn links_of_set(&mut self, place: Place<'_>, value: &str) {
        let decoded = decode_attribute(value);
        self.add_each(place, srcset::references(&decoded), Hop::Embed);
    }

    /// Adds each address of a list with blanks or commas between.
    fn links_of_list(&mut self, place: Place<'_>, value: &str, hop: Hop) {
        let decoded = decode_attribute(value);
        let references = decoded.split(|character: char| character == ',' || character.is_ascii_whitespace());
        self.add_each(place, references, hop);
    }

    /// Searches a style, which has links only where it has a function.
    fn style(&mut self, value: &str) {
        if value.contains(['(', '&']) {
            css::links(&decode_attribute(value), &mut self.page.links);
        }
    }

    /// Searches an event handler.
    fn handler(&mut self, value: &str) {
        if self.wanted.scripts && value.contains(['\'', '"', '&']) {
            self.script(&decode_attribute(value));
        }
    }

    fn script(&mut self, source: &str) {
        if source.len() <= self.limits.script_bytes_max {
            script::links(source, &mut self.page.links);
        } else {
            self.page.cut.scripts = true;
        }
    }

    /// Menus of old that jump to the value of what is chosen.
    fn option(&mut self, place: Place<'_>, value: &str) {
        let decoded = decode_attribute(value);
        if guess::is_likely_address(trim(&decoded)) {
            self.add(place, &decoded, Hop::Speculative);
        }
    }
}

impl Place<'_> {
    fn rule(&self) -> Rule {
        let attribute = self.attribute.name();
        match (self.element.name(), attribute) {
            (Some(element), Some(attribute)) => Rule::new(element, attribute),
            (Some(element), None) => Rule::named(element, made_up(self.name)),
            (None, Some(attribute)) => Rule::named(made_up(self.tag.name()), attribute),
            (None, None) => Rule::named(made_up(self.tag.name()), made_up(self.name)),
        }
    }
}

/// A name that is not in our tables, within bounds.
fn made_up(name: &str) -> String {
    name.get(..name.floor_char_boundary(NAME_BYTES_MAX)).unwrap_or_default().to_ascii_lowercase()
}

/// Words with single blanks between.
fn run_together(words: &str, bytes_max: usize) -> String {
    let mut flow = super::flow::Flow::new(bytes_max);
    flow.push(words);
    flow.into_text()
}
