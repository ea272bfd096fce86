//! `link` elements, whose relation says what they are for.

use crate::relation;

use super::super::attribute::Attribute;
use super::super::element::Element;
use super::super::reader::Reading;
use super::super::reference::decode_attribute;
use super::super::token::Tag;
use super::Place;

impl Reading {
    /// The links of a `link` element.
    pub(super) fn links_by_relation(&mut self, tag: &Tag<'_>) {
        let rel = decode_attribute(tag.value(Attribute::Rel.number()).unwrap_or_default());
        if relation::is_host_alone(&rel) {
            return;
        }
        let hop = relation::hop(&rel);
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
