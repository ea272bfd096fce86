//! DASH manifests (MPD): base addresses, segments, templates.
//!
//! Addresses in a manifest are relative to the `BaseURL` of each level around them, so they are put together here and the
//! references that come out are relative to the manifest itself. Templates are filled in for every representation and,
//! up to a limit, for every segment.

mod template;

use crate::xml::walk::{Step, Tag, Walk, local};
use crate::{Hop, Link, Links, Rule, likely};

use template::Template;

/// Adds the links of a DASH manifest.
pub fn links(mpd: &str, links: &mut Links) {
    let mut reader = Reader {
        links,
        levels: vec![Level::default()],
        names: Vec::new(),
        left: SEGMENTS_MAX,
        text: String::new(),
    };
    reader.read(mpd);
}

/// Segments that templates may give for one manifest. A live stream would have no end.
const SEGMENTS_MAX: usize = 4_000;
/// Bytes of one address.
const TEXT_BYTES_MAX: usize = 8 << 10;
/// Entries of one timeline that are kept.
const TIMELINE_MAX: usize = 4_000;

/// What holds from an element on for everything inside of it.
#[derive(Debug, Clone, Default)]
struct Level {
    base: String,
    template: Template,
    representation: String,
    bandwidth: String,
    seconds: f64,
}

struct Reader<'l> {
    links: &'l mut Links,
    /// The innermost last; the first is the manifest's surroundings.
    levels: Vec<Level>,
    /// The elements that are open, by name.
    names: Vec<&'static str>,
    left: usize,
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
            if self.links.is_full() {
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
            let mut level = self.levels.last().cloned().unwrap_or_default();
            level.take(name, tag);
            self.levels.push(level);
        }
        let Some(level) = self.levels.last_mut() else { return };
        let of = |attribute: &str| tag.attribute(attribute, ATTRIBUTES_MAX);
        let found = match name {
            "SegmentTemplate" => {
                level.template.take(tag);
                None
            }
            "S" => {
                level.template.entry(tag, TIMELINE_MAX);
                None
            }
            "SegmentURL" => of("media").or_else(|| of("index")),
            "Initialization" | "RepresentationIndex" | "BitstreamSwitching" => of("sourceURL"),
            _ => of("xlink:href").filter(|href| !href.starts_with("urn:")),
        };
        let base = level.base.clone();
        if let Some(found) = found {
            self.add(&base, &found, "segment");
        }
    }

    fn close(&mut self) {
        let name = self.names.pop().unwrap_or_default();
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        match name {
            "BaseURL" if !text.is_empty() => {
                if let Some(level) = self.levels.last_mut() {
                    level.base = joined(&level.base, text);
                }
                self.add("", text, "baseurl");
            }
            "Location" | "PatchLocation" if !text.is_empty() => self.add("", text, "location"),
            "Representation" => self.representation(),
            _ => {}
        }
        if LEVELS.contains(&name) && self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Fills in the template that holds for the representation that ends here.
    fn representation(&mut self) {
        let Some(level) = self.levels.last().cloned() else { return };
        let names = template::Names { representation: &level.representation, bandwidth: &level.bandwidth };
        for reference in level.template.fixed(&names) {
            self.add(&level.base, &reference, "template");
        }
        for reference in level.template.segments(&names, level.seconds).take(self.left) {
            self.left -= 1;
            self.add(&level.base, &reference, "template");
            if self.links.is_full() {
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
                self.representation = of("id").unwrap_or_default();
                self.bandwidth = of("bandwidth").unwrap_or_default();
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
