//! XML: feeds, SVG, and whatever else holds addresses.
//!
//! One walk serves all of them. What an element means is decided by its own name and its parent's, so a feed inside of
//! something else is read as well. What is broken gives what came before.

mod feed;
mod svg;
pub(crate) mod walk;

use std::borrow::Cow;

use crate::html::{self, Wanted};
use crate::{Hop, Limits, Link, Links, Rule, css, likely, plain, script};

use feed::Role;
use walk::{Step, Tag, Walk, local};

/// What a document says besides its links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The title of the feed or drawing.
    pub title: Option<String>,
}

/// Adds the links of any XML document: RSS, Atom, SVG, and others by what looks like an address.
pub fn links(xml: &str, limits: &Limits, links: &mut Links) -> Said {
    let mut reader =
        Reader { limits, links, said: Said::default(), open: Vec::new(), depth: 0, text: String::new() };
    reader.read(xml);
    reader.said
}

/// An element that is open.
struct Open {
    role: Role,
    name: String,
}

struct Reader<'l> {
    limits: &'l Limits,
    links: &'l mut Links,
    said: Said,
    open: Vec<Open>,
    /// Elements that are open, remembered or not.
    depth: usize,
    /// The text of the innermost element so far.
    text: String,
}

impl Reader<'_> {
    fn read(&mut self, xml: &str) {
        for step in Walk::new(xml.trim_start_matches('\u{feff}')) {
            match step {
                Step::Open(tag) => self.open(&tag),
                Step::Close => self.close(),
                Step::Text(text) => {
                    let room = self.limits.script_bytes_max.saturating_sub(self.text.len());
                    self.text.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
                }
                Step::Instruction(text) => self.instruction(&text),
            }
            if self.links.is_enough() {
                return;
            }
        }
        // The last element of a broken document has said something, too.
        self.close();
    }

    fn open(&mut self, tag: &Tag<'_>) {
        // Text before a child belongs to the parent and is complete as far as addresses go.
        self.end_of_text();
        self.depth += 1;
        let name = tag.full_name();
        let parent = self.open.last().map_or(Role::Other, |open| open.role);
        let role = feed::role(local(name), parent, tag);
        let count = self.limits.attributes_max;
        tag.attributes(count, |attribute, value| self.attribute(role, name, attribute, value));
        if role == Role::AtomLink {
            self.atom_link(tag);
        }
        if self.open.len() < self.limits.depth_max {
            let name = shortened(local(name));
            self.open.push(Open { role, name });
        }
    }

    fn close(&mut self) {
        self.end_of_text();
        if self.depth == self.open.len() {
            self.open.pop();
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn instruction(&mut self, text: &str) {
        let Some(rest) = text.strip_prefix("xml-stylesheet") else { return };
        let Some((_, value)) = rest.split_once("href=") else { return };
        let quote = value.chars().next().filter(|char| matches!(char, '"' | '\''));
        let href = quote.and_then(|quote| value.get(1..)?.split(quote).next());
        if let Some(href) = href.filter(|href| !href.starts_with('#')) {
            self.add(&walk::unescape(href), Hop::Embed, Rule::new("xml-stylesheet", "href"));
        }
    }

    fn attribute(&mut self, role: Role, element: &str, name: &str, value: Cow<'_, str>) {
        if name.starts_with("xmlns") || name.ends_with("chemaLocation") || role == Role::AtomLink {
            return;
        }
        let value = value.trim();
        let short = local(name);
        if role == Role::Svg {
            return svg::attribute(local(element), name, value, self.links);
        }
        let rule = || named(local(element), short);
        match short {
            _ if value.is_empty() || value.starts_with('#') || likely::is_data(value) => {}
            "url" | "src" if role == Role::Media => self.add(value, Hop::Manifest, rule()),
            "href" if is_plain(value) => self.add(value, Hop::Navigation, rule()),
            "src" if is_plain(value) => self.add(value, Hop::Embed, rule()),
            _ if likely::behind_scheme(value).is_some() && likely::may_be(value) => {
                self.add(value, Hop::Speculative, rule());
            }
            _ => {}
        }
    }

    fn atom_link(&mut self, tag: &Tag<'_>) {
        let of = |name: &str| tag.attribute(name, self.limits.attributes_max);
        let Some(href) = of("href").filter(|href| !likely::is_data(href)) else { return };
        let rel = of("rel").unwrap_or_default();
        let text = of("title").unwrap_or_default();
        let link = Link::new(href.trim(), Hop::Manifest, Rule::new("link", "href"));
        self.links.add(Link { rel, text, ..link });
    }

    /// The text of the innermost element is complete, or as good as.
    fn end_of_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        let trimmed = text.trim();
        let Some(open) = self.open.last().filter(|_| !trimmed.is_empty()) else { return };
        let rule = || named(&open.name, "text");
        match open.role {
            Role::Title if self.said.title.is_none() => {
                let end = trimmed.floor_char_boundary(self.limits.phrase_bytes_max);
                self.said.title = trimmed.get(..end).map(str::to_owned);
            }
            Role::Address if !trimmed.contains(char::is_whitespace) => {
                let rule = rule();
                self.add(trimmed, Hop::Manifest, rule);
            }
            Role::Permalink if likely::behind_scheme(trimmed).is_some() && likely::may_be(trimmed) => {
                let rule = rule();
                self.add(trimmed, Hop::Manifest, rule);
            }
            Role::Nothing | Role::Permalink => {}
            Role::Logo if !trimmed.contains(char::is_whitespace) => {
                let rule = rule();
                self.add(trimmed, Hop::Embed, rule);
            }
            Role::Markup => self.markup(trimmed),
            Role::Style => css::links(trimmed, self.links),
            Role::Script => script::links(trimmed, self.links),
            _ if likely::behind_scheme(trimmed).is_some() && likely::is(trimmed).is_some() => {
                let rule = rule();
                self.add(trimmed, Hop::Speculative, rule);
            }
            _ => {}
        }
        // Its room serves the next one.
        self.text = text;
        self.text.clear();
    }

    /// Escaped HTML, as feeds carry it; or plain text.
    fn markup(&mut self, text: &str) {
        if !text.contains('<') {
            return plain::links(text, self.links);
        }
        let mut reader = html::Reader::new(Wanted::LINKS, self.limits);
        reader.write(text);
        self.links.append(reader.finish().links);
    }

    fn add(&mut self, reference: &str, hop: Hop, rule: Rule) {
        self.links.add(Link::new(reference, hop, rule));
    }
}

/// Where the attribute says that it is an address, it only must not be something else altogether.
fn is_plain(value: &str) -> bool {
    let other =
        |scheme: &str| value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
    !value.contains(|char: char| char.is_whitespace() || "<>{}".contains(char))
        && !other("javascript:")
        && !other("urn:")
}

/// Names that the document made up are copied, if they are of a sensible length.
fn named(element: &str, attribute: &str) -> Rule {
    Rule::named(shortened(element), shortened(attribute))
}

/// As much of a name as is kept.
fn shortened(name: &str) -> String {
    name.get(..name.floor_char_boundary(64)).unwrap_or_default().to_owned()
}
