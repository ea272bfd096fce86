//! `data-*` attributes, in which scripts look for what they load later. There is no standard, only habits: a table.

use memchr::memchr3;

use crate::{Hop, css, json};

use super::super::reader::Reading;
use super::super::reference::decode_attribute;
use super::{Place, guess, trim};

/// What a habit puts into an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// One address, or several with commas and blanks between.
    Address(Hop),
    /// Candidates as in `srcset`.
    Set,
    /// Perhaps an address: the value must look like one.
    Perhaps(Hop),
}

/// What stands behind `data-` where an address is certain.
const KNOWN: [(&str, Habit); 42] = [
    ("src", Habit::Address(Hop::Embed)),
    ("srcset", Habit::Set),
    ("href", Habit::Address(Hop::Navigation)),
    ("original", Habit::Address(Hop::Embed)),
    ("original-set", Habit::Set),
    ("lazy", Habit::Address(Hop::Embed)),
    ("lazy-src", Habit::Address(Hop::Embed)),
    ("lazy-srcset", Habit::Set),
    ("lazysrc", Habit::Address(Hop::Embed)),
    ("lazyload", Habit::Address(Hop::Embed)),
    ("lazyload-src", Habit::Address(Hop::Embed)),
    ("ll-src", Habit::Address(Hop::Embed)),
    ("echo", Habit::Address(Hop::Embed)),
    ("bg", Habit::Address(Hop::Embed)),
    ("bg-src", Habit::Address(Hop::Embed)),
    ("bgset", Habit::Set),
    ("background", Habit::Address(Hop::Embed)),
    ("background-image", Habit::Address(Hop::Embed)),
    ("img", Habit::Address(Hop::Embed)),
    ("img-src", Habit::Address(Hop::Embed)),
    ("img-url", Habit::Address(Hop::Embed)),
    ("image", Habit::Address(Hop::Embed)),
    ("image-src", Habit::Address(Hop::Embed)),
    ("image-url", Habit::Address(Hop::Embed)),
    ("full", Habit::Address(Hop::Embed)),
    ("full-src", Habit::Address(Hop::Embed)),
    ("hi-res-src", Habit::Address(Hop::Embed)),
    ("large-file", Habit::Address(Hop::Embed)),
    ("medium-file", Habit::Address(Hop::Embed)),
    ("orig-file", Habit::Address(Hop::Embed)),
    ("flickity-lazyload", Habit::Address(Hop::Embed)),
    ("poster", Habit::Address(Hop::Embed)),
    ("thumb", Habit::Address(Hop::Embed)),
    ("thumbnail", Habit::Address(Hop::Embed)),
    ("retina", Habit::Address(Hop::Embed)),
    ("at2x", Habit::Address(Hop::Embed)),
    ("video-src", Habit::Address(Hop::Embed)),
    ("audio-src", Habit::Address(Hop::Embed)),
    ("url", Habit::Address(Hop::Speculative)),
    ("link", Habit::Address(Hop::Speculative)),
    ("permalink", Habit::Address(Hop::Speculative)),
    ("remote", Habit::Address(Hop::Speculative)),
];

/// Words in other names that make an address probable.
const WORDS: [(&str, Habit); 19] = [
    ("srcset", Habit::Set),
    ("src", Habit::Perhaps(Hop::Embed)),
    ("lazy", Habit::Perhaps(Hop::Embed)),
    ("image", Habit::Perhaps(Hop::Embed)),
    ("img", Habit::Perhaps(Hop::Embed)),
    ("original", Habit::Perhaps(Hop::Embed)),
    ("background", Habit::Perhaps(Hop::Embed)),
    ("bg", Habit::Perhaps(Hop::Embed)),
    ("photo", Habit::Perhaps(Hop::Embed)),
    ("picture", Habit::Perhaps(Hop::Embed)),
    ("poster", Habit::Perhaps(Hop::Embed)),
    ("thumb", Habit::Perhaps(Hop::Embed)),
    ("video", Habit::Perhaps(Hop::Embed)),
    ("audio", Habit::Perhaps(Hop::Embed)),
    ("file", Habit::Perhaps(Hop::Embed)),
    ("href", Habit::Perhaps(Hop::Navigation)),
    ("url", Habit::Perhaps(Hop::Speculative)),
    ("link", Habit::Perhaps(Hop::Speculative)),
    ("path", Habit::Perhaps(Hop::Speculative)),
];

impl Reading {
    /// Takes the links out of a `data-*` attribute.
    pub(super) fn lazy(&mut self, place: Place<'_>, value: &str) {
        // Numbers, words and switches, which are most of them, have none of these.
        if memchr3(b'/', b'.', b'?', value.as_bytes()).is_none() {
            return;
        }
        let decoded = decode_attribute(value);
        let value = trim(&decoded);
        if value.starts_with(['{', '[']) {
            if self.wanted.scripts && value.len() <= self.limits.script_bytes_max {
                json::links(value, &mut self.page.links);
            }
            return;
        }
        let Some(habit) = habit(place.name) else { return };
        if super::starts_with(value, "url(") {
            return css::links(value, &mut self.page.links);
        }
        match habit {
            Habit::Set => self.add_each(place, crate::srcset::references(value), Hop::Embed),
            Habit::Address(hop) => self.add_each(place, addresses(value), hop),
            Habit::Perhaps(hop) => {
                let likely = addresses(value).filter(|found| guess::is_likely_address(trim(found)));
                self.add_each(place, likely, hop);
            }
        }
    }
}

/// What an attribute of this name holds by habit.
fn habit(name: &str) -> Option<Habit> {
    let name = name.get("data-".len()..)?;
    if let Some((_, habit)) = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(*habit);
    }
    if name.len() > super::NAME_BYTES_MAX {
        return None;
    }
    let name = name.to_ascii_lowercase();
    WORDS.iter().find(|(word, _)| name.contains(word)).map(|(_, habit)| *habit)
}

/// The addresses in a value: a comma and a blank are between two, a comma alone is part of one.
fn addresses(value: &str) -> impl Iterator<Item = &str> {
    value.split(", ").flat_map(|part| part.split(",\n")).filter(|part| !part.trim_ascii().is_empty())
}
