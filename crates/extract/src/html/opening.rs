//! What start and end tags set off.

use crate::html::element::{BLOCK, ENDS_P, Element, KEPT, SPECIAL, UNSEEN, VOID};

use super::attribute::Attribute;
use super::open::Entry;
use super::reader::{Gather, Reading};
use super::reference::decode_attribute;
use super::token::{Mode, Tag};

impl Reading {
    /// A start tag.
    #[inline]
    pub(super) fn open_element(&mut self, tag: &Tag<'_>) -> Mode {
        let element = Element::by(tag.key(), tag.name());
        let properties = element.properties();
        let was_foreign = self.foreign.is_in();
        self.foreign.start(element, tag.is_self_closing());
        if was_foreign && !self.foreign.is_in() {
            // A style or script of SVG that was not closed ends here.
            self.end_gathering();
        }
        if element == Element::A {
            self.end_anchor();
        }
        if self.wanted.links && !tag.is_bare() {
            self.links_of(element, tag);
        }
        if self.follows_text() {
            self.open_text(element, properties, tag);
        } else if properties & BLOCK != 0 {
            self.anchor_text.blank();
            self.heading_text.blank();
        }
        self.was_idle = tag.is_bare() && (properties & SPECIAL == 0 || is_special_to_text(element));
        if properties & SPECIAL == 0 {
            return Mode::Data;
        }
        // The title of a drawing is not that of the page.
        if was_foreign && element == Element::Title {
            return Mode::Data;
        }
        self.open_special(element, tag)
    }

    /// An end tag.
    #[inline]
    pub(super) fn close_element(&mut self, element: Element) {
        if let Some((_, gathering)) = self.gathered.kind
            && (gathering == element || element == Element::Svg)
        {
            self.end_gathering();
        }
        self.foreign.end(element);
        let properties = element.properties();
        if properties & (KEPT | BLOCK) != 0 {
            if properties & BLOCK != 0 {
                self.end_block();
            }
            if self.follows_text() {
                self.open.close(element);
            }
        } else if self.follows_text() && self.open.is_unseen() {
            self.open.close(element);
        }
        if properties & SPECIAL != 0 {
            self.close_special(element);
        }
    }

    /// Follows what a start tag means to text.
    #[inline]
    fn open_text(&mut self, element: Element, properties: u16, tag: &Tag<'_>) {
        if properties & BLOCK != 0 {
            self.end_block();
        }
        if properties & KEPT != 0 {
            self.open.make_way(element, properties & ENDS_P != 0);
        }
        let is_void = properties & VOID != 0 || (tag.is_self_closing() && self.foreign.is_in());
        let outer_is_unseen = self.open.is_unseen();
        let is_hidden = tag.value(Attribute::Hidden.number()).is_some_and(|value| value != "until-found")
            || tag
                .value(Attribute::AriaHidden.number())
                .is_some_and(|value| value.eq_ignore_ascii_case("true"));
        // What is hidden is followed whatever it is, or its end would not be known.
        let is_followed = properties & KEPT != 0 || is_hidden || outer_is_unseen;
        if !is_followed || is_void || element == Element::Other {
            return;
        }
        let outer = self.open.last().copied();
        let node = match self.wanted.main_text {
            true => self.main_text.node(element, self.open.node(), tag),
            false => 0,
        };
        let is_pre = matches!(element, Element::Pre | Element::Listing | Element::Xmp | Element::Plaintext);
        self.open.open(Entry {
            element,
            is_unseen: outer_is_unseen || is_hidden || properties & UNSEEN != 0,
            is_preformatted: is_pre || outer.is_some_and(|outer| outer.is_preformatted),
            node,
        });
    }

    /// The elements with a meaning of their own.
    fn open_special(&mut self, element: Element, tag: &Tag<'_>) -> Mode {
        match element {
            Element::Base => self.base(tag),
            Element::Meta => self.meta(tag),
            Element::Html => self.html(tag),
            Element::Link => self.canonical(tag),
            Element::Time => self.time(tag),
            Element::Form => self.form_posts = is_posted(tag.value(Attribute::Method.number())),
            Element::Noscript => self.noscript_depth += 1,
            Element::Img if self.anchor.is_some() => self.picture_in_anchor(tag),
            _ => {}
        }
        if self.wanted.about && element.heading_level().is_some() {
            self.end_heading();
            self.heading = element.heading_level();
            self.heading_text.clear();
        }
        if self.foreign.is_in() && tag.is_self_closing() {
            Mode::Data
        } else {
            self.gather_from(element, tag)
        }
    }

    fn close_special(&mut self, element: Element) {
        match element {
            Element::A | Element::Td | Element::Th | Element::Body => self.end_anchor(),
            Element::Form => self.form_posts = false,
            Element::Noscript => self.noscript_depth = self.noscript_depth.saturating_sub(1),
            element if element.heading_level().is_some() => self.end_heading(),
            _ => {}
        }
    }

    /// How the content of an element is to be read, and what for.
    fn gather_from(&mut self, element: Element, tag: &Tag<'_>) -> Mode {
        let links = self.wanted.links;
        let (mode, kind) = match element {
            Element::Title if !self.foreign.is_in() => (Mode::Rcdata("title"), Gather::Title),
            Element::Textarea => (Mode::Rcdata("textarea"), Gather::Nothing),
            Element::Style if links => (Mode::Rawtext("style"), Gather::Style),
            Element::Style => (Mode::Rawtext("style"), Gather::Nothing),
            Element::Script => (Mode::Script, self.kind_of_script(tag)),
            Element::Iframe => (Mode::Rawtext("iframe"), Gather::Html),
            Element::Noembed => (Mode::Rawtext("noembed"), Gather::Html),
            Element::Noframes => (Mode::Rawtext("noframes"), Gather::Html),
            // These show their content as it is.
            Element::Xmp if !self.foreign.is_in() => return Mode::Rawtext("xmp"),
            Element::Plaintext if !self.foreign.is_in() => return Mode::Plaintext,
            _ => return Mode::Data,
        };
        if self.foreign.is_in() {
            // There content is never raw, but styles and scripts are what they are.
            if matches!(element, Element::Style | Element::Script) {
                self.gathered.kind = Some((kind, element));
            }
            return Mode::Data;
        }
        let kind = if kind == Gather::Html && !links { Gather::Nothing } else { kind };
        self.gathered.kind = Some((kind, element));
        mode
    }

    fn kind_of_script(&self, tag: &Tag<'_>) -> Gather {
        if !self.wanted.links || !self.wanted.scripts {
            return Gather::Nothing;
        }
        let kind = decode_attribute(tag.value(Attribute::Type.number()).unwrap_or_default());
        let kind = kind.trim_ascii().to_ascii_lowercase();
        if kind.contains("json") || kind == "importmap" || kind == "speculationrules" {
            Gather::Json
        } else if kind.is_empty()
            || kind == "module"
            || kind.contains("javascript")
            || kind.contains("ecmascript")
        {
            Gather::Script
        } else {
            // Templates and other languages.
            Gather::Nothing
        }
    }

    /// What stands for a picture is part of the text of the link around it.
    fn picture_in_anchor(&mut self, tag: &Tag<'_>) {
        let words = [Attribute::Alt, Attribute::Title]
            .into_iter()
            .find_map(|attribute| tag.value(attribute.number()));
        if let Some(words) = words {
            self.anchor_text.blank();
            self.anchor_text.push(&decode_attribute(words));
            self.anchor_text.blank();
        }
    }
}

/// Whether what the start of an element sets off matters to anchors, headings and text alone.
fn is_special_to_text(element: Element) -> bool {
    matches!(element, Element::A | Element::Td | Element::Th) || element.heading_level().is_some()
}

/// Whether a form with this method is sent in a way that a crawler does not imitate.
pub(super) fn is_posted(method: Option<&str>) -> bool {
    method.is_some_and(|method| {
        let method = method.trim_ascii();
        method.eq_ignore_ascii_case("post") || method.eq_ignore_ascii_case("dialog")
    })
}
