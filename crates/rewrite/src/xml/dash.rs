//! Manifests of MPEG-DASH. Relative addresses in them are relative to one another, so that only the absolute ones, by which
//! the relative ones then go, are rewritten.

use crate::html::attribute::{Change, escape};
use crate::{Modifier, Place};

use super::tag::Tag;

/// Whether the text of an element is an address.
pub(super) fn holds_address(name: &str) -> bool {
    matches!(name, "baseurl" | "location" | "patchlocation")
}

/// An address in a text, with blanks around it.
pub(super) fn address(text: &str, place: &Place, modifier: Modifier) -> String {
    let trimmed = text.trim();
    match link(trimmed, place, modifier) {
        Some(link) => text.replacen(trimmed, &link, 1),
        None => text.to_owned(),
    }
}

pub(super) fn rewrite(tag: &Tag<'_>, place: &Place) -> String {
    tag.with(|attribute| {
        let name = attribute.name.rsplit(':').next().unwrap_or_default();
        let holds = matches!(
            name,
            "media" | "initialization" | "index" | "sourceURL" | "bitstreamSwitching" | "href"
        );
        holds.then(|| link(attribute.value, place, Modifier::Object)).flatten().map(Change::Value)
    })
}

/// An absolute address; nothing for any other.
pub(super) fn link(raw: &str, place: &Place, modifier: Modifier) -> Option<String> {
    let value = extract::html::decode_attribute(raw);
    let is_absolute = value.starts_with('/') || value.contains("://");
    let link = is_absolute.then(|| place.rewritten(&value, modifier)).flatten()?;
    Some(escape(&link).into_owned())
}
