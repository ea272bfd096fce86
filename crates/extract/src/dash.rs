//! DASH manifests (MPD): base addresses, segments, templates.
//!
//! Addresses in a manifest are relative to the `BaseURL` of each level around them, so they are put together here and the
//! references that come out are relative to the manifest itself. Templates are filled in for every representation and,
//! up to a limit, for every segment.

mod template;

use std::rc::Rc;

use crate::xml::walk::{Step, Tag, Walk, local};
use crate::{Hop, Link, Links, Rule, likely};

use template::Template;

/// Adds the links of a DASH manifest.
pub fn links(mpd: &str, links: &mut Links) {
    let mut reader = Reader {
        links,
        levels: vec![Level::default()],
        names: Vec::new(),
        segments_left: SEGMENTS_MAX,
        representations_left: REPRESENTATIONS_MAX,
        text: String::new(),
    };
    reader.read(mpd);
}

/// Segments that templates may give for one manifest. A live stream would have no end.
const SEGMENTS_MAX: usize = 4_000;
/// Representations whose templates are filled in.
const REPRESENTATIONS_MAX: usize = 4_000;
/// Bytes of one address; longer ones are no addresses.
const TEXT_BYTES_MAX: usize = 8 << 10;
/// Entries of one timeline that are kept.
const TIMELINE_MAX: usize = 4_000;

/// What holds from an element on for everything inside of it. A level is begun with what the one around it has, so
/// everything long is shared.
#[derive(Debug, Clone, Default)]
struct Level {
    /// What the addresses of the level around it are relative to, and so its own `BaseURL` elements.
    outer_base: Rc<str>,
    /// The first of its own, the others being alternatives; or else the outer one.
    base: Rc<str>,
    has_base: bool,
    template: Rc<Template>,
    representation: Rc<str>,
    bandwidth: Rc<str>,
    seconds: f64,
}

struct Reader<'l> {
    links: &'l mut Links,
    /// The innermost last; the first is the manifest's surroundings.
    levels: Vec<Level>,
    /// The elements that are open, by name.
    names: Vec<&'static str>,
    segments_left: usize,
    representations_left: usize,
    text: String,
}

impl Reader<'_> {
    fn read(&mut self, mpd: &str) {
        let mut depth = 0_usize;
        for step in Walk::new(mpd) {
            match step {
                Step::Open(tag) => {
                    depth += 1;
                    if depth <= DEPTH_MAX {
                        self.open(&tag);
                    }
                }
                Step::Close => {
                    if depth <= DEPTH_MAX {
                        self.close();
                    }
                    depth = depth.saturating_sub(1);
                }
                Step::Text(text) => {
                    let room = TEXT_BYTES_MAX.saturating_sub(self.text.len());
                    self.text.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
                }
                Step::Instruction(_) => {}
            }
            if self.links.is_enough() {
                return;
            }
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        self.text.clear();
        let name =
            ELEMENTS.iter().find(|known| **known == local(tag.full_name())).copied().unwrap_or_default();
        self.names.push(name);
        if LEVELS.contains(&name) {
            let outer = self.levels.last().cloned().unwrap_or_default();
            let mut level = Level { outer_base: Rc::clone(&outer.base), has_base: false, ..outer };
            level.take(name, tag);
            self.levels.push(level);
        }
        let is_in_template = self.is_in_template();
        let Some(level) = self.levels.last_mut() else { return };
        let of = |attribute: &str| tag.attribute(attribute, ATTRIBUTES_MAX);
        let found = match name {
            "SegmentTemplate" => {
                level.template = Rc::new(level.template.inner(tag));
                None
            }
            "S" => {
                // Elsewhere it would have to change a template that others share.
                if is_in_template {
                    Rc::make_mut(&mut level.template).entry(tag, TIMELINE_MAX);
                }
                None
            }
            "SegmentURL" => of("media").or_else(|| of("index")),
            "Initialization" | "RepresentationIndex" | "BitstreamSwitching" => of("sourceURL"),
            _ => of("xlink:href").filter(|href| !href.starts_with("urn:")),
        };
        let base = Rc::clone(&level.base);
        if let Some(found) = found {
            self.add(&base, &found, "segment");
        }
    }

    /// Whether the innermost element is part of a template of the innermost level.
    fn is_in_template(&self) -> bool {
        let inner = self.names.iter().rev().take_while(|name| !LEVELS.contains(name));
        inner.into_iter().any(|name| *name == "SegmentTemplate")
    }

    fn close(&mut self) {
        let name = self.names.pop().unwrap_or_default();
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        match name {
            "BaseURL" if !text.is_empty() => self.base(text),
            "Location" | "PatchLocation" if !text.is_empty() => self.add("", text, "location"),
            "Representation" => self.representation(),
            _ => {}
        }
        if LEVELS.contains(&name) && self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// A `BaseURL`. Several beside each other are places where the same can be had; what is in them is told for the first.
    fn base(&mut self, text: &str) {
        let Some(level) = self.levels.last_mut() else { return };
        let base = joined(&level.outer_base, text);
        if !std::mem::replace(&mut level.has_base, true) && base.len() <= TEXT_BYTES_MAX {
            level.base = base.as_str().into();
        }
        self.add("", &base, "baseurl");
    }

    /// Fills in the template that holds for the representation that ends here.
    fn representation(&mut self) {
        let Some(level) = self.levels.last().cloned() else { return };
        if self.representations_left == 0 {
            return;
        }
        self.representations_left -= 1;
        let names = template::Names { representation: &level.representation, bandwidth: &level.bandwidth };
        for reference in level.template.fixed(&names) {
            self.add(&level.base, &reference, "template");
        }
        for at in level.template.segments(level.seconds).take(self.segments_left) {
            self.segments_left -= 1;
            if let Some(reference) = level.template.segment(&names, at) {
                self.add(&level.base, &reference, "template");
            }
            if self.links.is_enough() {
                return;
            }
        }
    }

    fn add(&mut self, base: &str, reference: &str, attribute: &'static str) {
        let reference = reference.trim();
        if !reference.is_empty() && !likely::is_data(reference) {
            self.links.add(Link::new(joined(base, reference), Hop::Manifest, Rule::new("dash", attribute)));
        }
    }
}

impl Level {
    fn take(&mut self, name: &str, tag: &Tag<'_>) {
        let of = |attribute: &str| tag.attribute(attribute, ATTRIBUTES_MAX);
        match name {
            "MPD" => {
                self.seconds =
                    of("mediaPresentationDuration").and_then(|text| template::seconds(&text)).unwrap_or(0.0)
            }
            "Period" => {
                if let Some(seconds) = of("duration").and_then(|text| template::seconds(&text)) {
                    self.seconds = seconds;
                }
            }
            "Representation" => {
                self.representation = template::shared(of("id").unwrap_or_default());
                self.bandwidth = template::shared(of("bandwidth").unwrap_or_default());
            }
            _ => {}
        }
    }
}

const DEPTH_MAX: usize = 32;
const ATTRIBUTES_MAX: usize = 64;

const LEVELS: [&str; 4] = ["MPD", "Period", "AdaptationSet", "Representation"];

const ELEMENTS: [&str; 13] = [
    "MPD",
    "Period",
    "AdaptationSet",
    "Representation",
    "BaseURL",
    "Location",
    "PatchLocation",
    "SegmentTemplate",
    "S",
    "SegmentURL",
    "Initialization",
    "RepresentationIndex",
    "BitstreamSwitching",
];

/// A reference relative to a base that may itself be relative to the manifest.
fn joined(base: &str, reference: &str) -> String {
    let absolute = |text: &str| {
        text.split_once(':').is_some_and(|(scheme, _)| crate::mime::is_token(scheme) && !scheme.contains('.'))
    };
    if base.is_empty() || absolute(reference) || reference.starts_with("//") {
        return reference.to_owned();
    }
    if absolute(base) {
        let joined = urlkey::parse_whatwg(reference, Some(base)).map(String::from);
        return joined.unwrap_or_else(|_| reference.to_owned());
    }
    if reference.starts_with('/') {
        return reference.to_owned();
    }
    let folder = base.rfind('/').and_then(|at| base.get(..=at)).unwrap_or_default();
    format!("{folder}{reference}")
}
