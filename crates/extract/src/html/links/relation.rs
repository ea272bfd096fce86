//! `link` elements, whose relation says what they are for.

use crate::Hop;

use super::super::attribute::Attribute;
use super::super::element::Element;
use super::super::reader::Reading;
use super::super::reference::decode_attribute;
use super::super::token::Tag;
use super::Place;

/// Relations to what the page needs.
const EMBEDS: [&str; 17] = [
    "stylesheet",
    "icon",
    "shortcut",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "preload",
    "modulepreload",
    "prefetch",
    "prerender",
    "image_src",
    "import",
    "subresource",
    "video_src",
    "fontdef",
];

/// Relations to a host and not to a document.
const HOSTS: [&str; 2] = ["dns-prefetch", "preconnect"];

impl Reading {
    /// The links of a `link` element.
    pub(super) fn links_by_relation(&mut self, tag: &Tag<'_>) {
        let rel = decode_attribute(tag.value(Attribute::Rel.number()).unwrap_or_default());
        let Some(hop) = hop(&rel) else { return };
        for (number, name, value) in tag.attributes() {
            let attribute = Attribute::from_number(number);
            let place = Place { element: Element::Link, tag, name, attribute };
            match attribute {
                Attribute::Href => self.link(place, value, hop),
                Attribute::Handler | Attribute::Imagesrcset | Attribute::Data => {
                    self.links_of_attribute(place, value)
                }
                _ => {}
            }
        }
    }
}

/// How one gets to where a relation points; `None` if it is no document.
fn hop(rel: &str) -> Option<Hop> {
    let is = |known: &[&str]| {
        rel.split_ascii_whitespace().any(|word| known.iter().any(|k| k.eq_ignore_ascii_case(word)))
    };
    if is(&EMBEDS) {
        Some(Hop::Embed)
    } else if is(&["manifest"]) {
        Some(Hop::Manifest)
    } else if is(&HOSTS) {
        None
    } else {
        Some(Hop::Navigation)
    }
}
