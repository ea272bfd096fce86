//! What happens at a start tag, and what is known of the page so far.

use std::collections::{HashMap, HashSet};

use extract::html::decode_attribute;
use lol_html::HandlerResult;
use lol_html::errors::AttributeNameError;
use lol_html::html_content::{ContentType, DocumentEnd, EndTag, TextChunk};
use lol_html::send::Element;

use crate::{Limits, Place};

use super::attribute::{self, Change, Context};
use super::inside::Inside;
use super::open::Open;
use super::table::{Code, SPECULATION, code, may_hold};
use super::{Inserted, meta};

/// Why the parser stops.
type Stop = Box<dyn std::error::Error + Send + Sync>;

/// The changes of one tag that are made one by one.
const CHANGES_MAX: usize = 64;

/// What is known of a page so far.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) place: Place,
    inserted: Inserted,
    has_base: bool,
    has_head: bool,
    has_foot: bool,
    /// The head was put in.
    pub(super) holds_head: bool,
    /// There was an element.
    is_begun: bool,
    /// It is made of frames, and has no body.
    is_frameset: bool,
    pub(super) is_cut: bool,
    pub(super) open: Open,
    inside: Inside,
    /// Room for the attributes of a tag that change.
    changes: Vec<(String, Change)>,
}

impl attribute::Element for Element<'_, '_> {
    fn value(&self, name: &str) -> String {
        let raw = self.get_attribute(name).unwrap_or_default();
        if raw.contains('&') { decode_attribute(&raw).into_owned() } else { raw }
    }
}

impl Page {
    pub(super) fn new(place: Place, inserted: Inserted) -> Page {
        Page {
            place,
            has_base: false,
            has_head: inserted.head.is_empty(),
            has_foot: inserted.foot.is_empty(),
            holds_head: false,
            open: Open::new(inserted.limits.html_bytes_max),
            inserted,
            is_begun: false,
            is_frameset: false,
            is_cut: false,
            inside: Inside::Other,
            changes: Vec::new(),
        }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.inserted.limits
    }

    /// The head, if it is not yet put in; it is then.
    pub(super) fn take_head(&mut self) -> Option<String> {
        let is_missing = !std::mem::replace(&mut self.has_head, true);
        self.holds_head |= is_missing;
        is_missing.then(|| self.inserted.head.clone())
    }

    /// Nothing is put in: it is no page.
    pub(super) fn leave(&mut self) {
        (self.has_head, self.has_foot) = (true, true);
    }

    /// A text began it.
    pub(super) fn begin(&mut self) {
        self.is_begun = true;
    }

    /// A start tag. Says whether its end is wanted.
    pub(super) fn element(&mut self, element: &mut Element<'_, '_>) -> Result<bool, Stop> {
        let tag = element.tag_name();
        self.open.take(&tag, element)?;
        self.is_begun = true;
        if !self.has_head && tag != "html" {
            (self.has_head, self.holds_head) = (true, true);
            // Documents in attributes get the head as well, so that it stays.
            if tag == "head" {
                element.prepend(&self.inserted.head, ContentType::Html);
            } else {
                element.before(&self.inserted.head, ContentType::Html);
            }
        }
        match tag.as_str() {
            "script" => self.script(element)?,
            "style" => self.inside = Inside::style(self.limits()),
            "noscript" => self.inside = Inside::noscript(&self.place, &self.inserted),
            "frameset" => self.is_frameset = true,
            "meta" => self.meta(element)?,
            _ => {}
        }
        self.attributes(&tag, element)?;
        Ok(tag == "body" && !self.has_foot)
    }

    fn script(&mut self, element: &mut Element<'_, '_>) -> Result<(), AttributeNameError> {
        let code = code(&attribute::Element::value(element, "type"));
        self.inside = Inside::script(code, self.limits());
        if code == Code::Speculation {
            element.set_attribute("type", SPECULATION)?;
        }
        Ok(())
    }

    fn meta(&mut self, element: &mut Element<'_, '_>) -> Result<(), AttributeNameError> {
        let value = |name: &str| attribute::Element::value(element, name);
        let change = meta::change(&self.place, &value("http-equiv"), &value("name"), &value("content"));
        if let Some((name, value)) = change {
            element.set_attribute(name, &value)?;
        }
        Ok(())
    }

    fn attributes(&mut self, tag: &str, element: &mut Element<'_, '_>) -> Result<(), AttributeNameError> {
        let mut changes = std::mem::take(&mut self.changes);
        let attributes = element.attributes();
        let mut held: HashSet<String> = HashSet::new();
        let mut context =
            Context { place: &mut self.place, inserted: &self.inserted, has_base: &mut self.has_base };
        for attribute in attributes {
            let name = attribute.name();
            if !may_hold(&name) || super::table::holds(tag, &name).is_none() {
                continue;
            }
            // Only the first of a name counts, here as in browsers.
            if attributes.len() > 1 && !held.insert(name.clone()) {
                continue;
            }
            if let Some(change) = attribute::change(&mut context, tag, &name, &attribute.value(), &*element) {
                changes.push((name, change));
            }
        }
        if changes.len() > CHANGES_MAX {
            write_anew(element, changes.drain(..).collect());
        }
        for (name, change) in changes.drain(..) {
            match change {
                Change::Value(value) => element.set_attribute(&name, &value)?,
                Change::Gone => element.remove_attribute(&name),
            }
        }
        self.changes = changes;
        Ok(())
    }

    pub(super) fn text(&mut self, chunk: &mut TextChunk<'_>) -> HandlerResult {
        self.is_cut |= self.inside.text(chunk, &self.place, &self.inserted.limits);
        Ok(())
    }

    /// The end of the body.
    pub(super) fn body_ends(&mut self, end: &mut EndTag<'_>) {
        if !std::mem::replace(&mut self.has_foot, true) {
            end.before(&self.inserted.foot, ContentType::Html);
        }
    }

    /// The end of the page.
    pub(super) fn ends(&mut self, end: &mut DocumentEnd<'_>) {
        // An empty page in a frame is there to be filled by scripts.
        if let Some(head) = self.take_head() {
            end.append(&head, ContentType::Html);
        }
        if self.is_begun && !self.is_frameset && !std::mem::replace(&mut self.has_foot, true) {
            end.append(&self.inserted.foot, ContentType::Html);
        }
    }

    /// What is held back, when the parser gives up.
    pub(super) fn rest(&mut self) -> String {
        self.inside.rest(&self.place)
    }
}

/// Writes a start tag anew, with all its changes at once: the parser looks for the attribute of each through all of them.
fn write_anew(element: &mut Element<'_, '_>, mut changes: HashMap<String, Change>) {
    let mut written = format!("<{}", element.tag_name_preserve_case());
    for attribute in element.attributes() {
        let value = match changes.remove(&attribute.name()) {
            Some(Change::Gone) => continue,
            Some(Change::Value(value)) => value,
            None => attribute.value(),
        };
        written.push_str(&format!(
            " {}=\"{}\"",
            attribute.name_preserve_case(),
            value.replace('"', "&quot;")
        ));
    }
    written.push_str(if element.is_self_closing() { " />" } else { ">" });
    element.start_tag().replace(&written, ContentType::Html);
}
