//! Feeds, RSS and Atom: their addresses stand in the text of some elements and in attributes of others. Only absolute ones are
//! rewritten: by those that are relative browsers come into the archive themselves.

use crate::html::attribute::Change;
use crate::{Modifier, Place};

use super::{dash, tag::Tag};

/// Whether a document whose outermost element has this name is one.
pub(super) fn is_feed(root: &str) -> bool {
    matches!(root, "rss" | "feed" | "rdf")
}

/// Whether the text of an element is an address, and of what. That of a `guid` and an `id` only names something.
pub(super) fn holds_address(name: &str) -> Option<Modifier> {
    match name {
        "link" | "comments" | "docs" => Some(Modifier::Page),
        "url" | "icon" | "logo" => Some(Modifier::Image),
        _ => None,
    }
}

pub(super) fn rewrite(tag: &Tag<'_>, place: &Place) -> String {
    tag.with(|attribute| {
        let modifier = match attribute.name.rsplit(':').next().unwrap_or_default() {
            "href" if tag.name == "link" => Modifier::Page,
            "href" if tag.name == "image" => Modifier::Image,
            "url" if matches!(tag.name.as_str(), "thumbnail" | "image") => Modifier::Image,
            "url" | "src" => Modifier::Object,
            // Of XML itself, and of data.
            _ => return None,
        };
        dash::link(attribute.value, place, modifier).map(Change::Value)
    })
}
