//! Links of what plug-ins showed: applets, Flash, Java, old players.

use crate::Hop;

use super::super::attribute::Attribute;
use super::super::element::Element;
use super::super::reader::Reading;
use super::super::reference::decode_attribute;
use super::super::token::Tag;
use super::{Place, guess, trim};

/// Parameters whose value is the address of what is shown.
const ADDRESSES: [&str; 12] = [
    "movie",
    "src",
    "data",
    "url",
    "filename",
    "file",
    "audio",
    "image",
    "video",
    "qtsrc",
    "base_url",
    "flashfile",
];

impl Reading {
    /// `codebase`, `archive` and `code`, of which the first is what the others are relative to.
    pub(super) fn links_of_plugin(&mut self, element: Element, tag: &Tag<'_>) {
        let value = |attribute: Attribute| tag.value(attribute.number()).map(decode_attribute);
        let place = |attribute: Attribute| Place { element, tag, name: "", attribute };
        let codebase = value(Attribute::Codebase);
        if let Some(codebase) = &codebase {
            // An applet's is a folder; an object's is usually where the plug-in comes from.
            let hop = if element == Element::Applet { Hop::Speculative } else { Hop::Embed };
            self.add(place(Attribute::Codebase), codebase, hop);
        }
        // What is longer than any address is not put in front of others.
        let folder = codebase.as_deref().map(trim).unwrap_or_default();
        let folder = if folder.len() <= self.limits.reference_bytes_max { folder } else { "" };
        let archives = value(Attribute::Archive).unwrap_or_default();
        for archive in archives.split([',', ' ']).filter(|archive| !archive.trim_ascii().is_empty()) {
            self.add(place(Attribute::Archive), &within(folder, trim(archive)), Hop::Embed);
            if self.page.links.is_enough() {
                return;
            }
        }
        if let Some(code) = value(Attribute::Code) {
            let code = trim(&code);
            let class = if code.ends_with(".class") { code.to_owned() } else { format!("{code}.class") };
            if !code.is_empty() && element == Element::Applet {
                self.add(place(Attribute::Code), &within(folder, &class), Hop::Embed);
            }
        }
    }

    /// A parameter, which has its address in `value` if its name says so.
    pub(super) fn links_of_param(&mut self, tag: &Tag<'_>) {
        let Some(value) = tag.value(Attribute::Value.number()) else { return };
        let name = tag.value(Attribute::Name.number()).unwrap_or_default().trim_ascii();
        let place = Place { element: Element::Param, tag, name: "", attribute: Attribute::Value };
        if name.eq_ignore_ascii_case("flashvars") {
            return self.links_of_variables(place, value);
        }
        let decoded = decode_attribute(value);
        if ADDRESSES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            self.add(place, &decoded, Hop::Embed);
        } else if guess::is_likely_address(trim(&decoded)) {
            self.add(place, &decoded, Hop::Speculative);
        }
    }

    /// Flash variables: `config=a.xml&video=b.flv`, values percent-encoded or not.
    pub(super) fn links_of_variables(&mut self, place: Place<'_>, value: &str) {
        let decoded = decode_attribute(value);
        for variable in decoded.split('&') {
            let Some((_, value)) = variable.split_once('=') else { continue };
            let value = percent_decoded(value);
            if guess::is_likely_address(trim(&value)) {
                self.add(place, &value, Hop::Speculative);
            }
            if self.page.links.is_enough() {
                return;
            }
        }
    }
}

/// A file in a folder, unless it has an address of its own.
fn within(folder: &str, file: &str) -> String {
    let is_absolute = file.starts_with('/') || file.contains("://");
    match folder {
        _ if is_absolute => file.to_owned(),
        "" => file.to_owned(),
        folder if folder.ends_with('/') => format!("{folder}{file}"),
        folder => format!("{folder}/{file}"),
    }
}

/// Only what stands for the punctuation of addresses; everything else may be meant as it is.
fn percent_decoded(value: &str) -> String {
    const CODES: [(&str, &str); 8] = [
        ("%3A", ":"),
        ("%3a", ":"),
        ("%2F", "/"),
        ("%2f", "/"),
        ("%3F", "?"),
        ("%3f", "?"),
        ("%3D", "="),
        ("%3d", "="),
    ];
    if !value.contains('%') {
        return value.to_owned();
    }
    CODES.iter().fold(value.to_owned(), |value, (code, character)| value.replace(code, character))
}
