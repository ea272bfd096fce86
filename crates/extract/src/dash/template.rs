//! Templates of segment addresses: `$RepresentationID$/$Number%05d$.m4s`.
//!
//! ISO/IEC 23009-1, 5.3.9.4.4.

use std::rc::Rc;

use crate::xml::walk::Tag;

use super::{SEGMENTS_MAX, TEXT_BYTES_MAX};

/// A template with what is needed to fill it in. Inner ones take from outer ones what they do not say themselves.
#[derive(Debug, Clone)]
pub(super) struct Template {
    media: Pattern,
    initialization: Pattern,
    index: Pattern,
    first_number: u64,
    timescale: u64,
    duration: u64,
    /// Start, duration and further repetitions; the start may be left out.
    timeline: Vec<(Option<u64>, u64, u64)>,
}

impl Default for Template {
    fn default() -> Template {
        Template {
            media: Pattern::default(),
            initialization: Pattern::default(),
            index: Pattern::default(),
            first_number: 1,
            timescale: 1,
            duration: 0,
            timeline: Vec::new(),
        }
    }
}

/// An address with names in it that something is put in for.
#[derive(Debug, Clone, Default)]
struct Pattern {
    /// Empty if there is none, or if it has names that we do not know.
    text: Rc<str>,
    /// It wants a number or a time, and so stands for many.
    is_numbered: bool,
}

/// What stands for the names in a template.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) representation: &'a str,
    pub(super) bandwidth: &'a str,
}

/// Number and time of a segment.
type Position = (u64, u64);

impl Template {
    /// The template of a tag that stands inside of what this one holds for. The timeline is never inherited.
    pub(super) fn inner(&self, tag: &Tag<'_>) -> Template {
        let mut inner = Template {
            media: self.media.clone(),
            initialization: self.initialization.clone(),
            index: self.index.clone(),
            timeline: Vec::new(),
            ..*self
        };
        tag.attributes(64, |name, value| {
            let number = || value.trim().parse::<u64>().ok();
            match name {
                "media" => inner.media = Pattern::new(&value),
                "initialization" => inner.initialization = Pattern::new(&value),
                "index" => inner.index = Pattern::new(&value),
                // The standard has 32 bits for it.
                "startNumber" => inner.first_number = number().unwrap_or(1).min(u32::MAX.into()),
                "timescale" => inner.timescale = number().unwrap_or(1).max(1),
                "duration" => inner.duration = number().unwrap_or(0),
                _ => {}
            }
        });
        inner
    }

    /// An `S` of its timeline.
    pub(super) fn entry(&mut self, tag: &Tag<'_>, count_max: usize) {
        let (mut start, mut duration, mut repeat) = (None, 0, 0);
        tag.attributes(16, |name, value| {
            let number = value.trim().parse::<u64>().ok();
            match name {
                "t" => start = number,
                "d" => duration = number.unwrap_or(0),
                // A negative one means up to the next entry; how many that is, nobody says here.
                "r" => repeat = number.unwrap_or(0).min(SEGMENTS_MAX as u64),
                _ => {}
            }
        });
        if self.timeline.len() < count_max {
            self.timeline.push((start, duration, repeat));
        }
    }

    /// The addresses that are there once for a representation. A medium without number or time is a single file.
    pub(super) fn fixed(&self, names: &Names<'_>) -> Vec<String> {
        let patterns = [&self.initialization, &self.index, &self.media];
        let fixed = patterns.into_iter().filter(|pattern| !pattern.is_numbered);
        fixed.filter_map(|pattern| pattern.fill(names, (0, 0))).collect()
    }

    /// Where the segments are, in their order; none if there are no addresses for them.
    pub(super) fn segments(&self, seconds: f64) -> impl Iterator<Item = Position> + '_ {
        let count = match (self.media.is_numbered, self.timeline.is_empty()) {
            (true, true) => self.count(seconds),
            _ => 0,
        };
        let timeline = if self.media.is_numbered { self.timeline.as_slice() } else { &[] };
        let times = times(timeline).chain((0..count).map(|index| index.saturating_mul(self.duration)));
        (0..).zip(times).map(|(index, time)| (self.first_number.saturating_add(index), time))
    }

    /// The address of the segment at a position.
    pub(super) fn segment(&self, names: &Names<'_>, at: Position) -> Option<String> {
        self.media.fill(names, at)
    }

    /// How many segments of equal duration fill so many seconds.
    fn count(&self, seconds: f64) -> u64 {
        if self.duration == 0 || !seconds.is_finite() || seconds <= 0.0 {
            return 0;
        }
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = (seconds * self.timescale as f64 / self.duration as f64).ceil() as u64;
        count.min(1 << 20)
    }
}

/// The starts of the segments of a timeline.
fn times(timeline: &[(Option<u64>, u64, u64)]) -> impl Iterator<Item = u64> + '_ {
    let mut clock = 0_u64;
    timeline.iter().flat_map(move |(start, duration, repeat)| {
        let begin = start.unwrap_or(clock);
        clock = begin.saturating_add(duration.saturating_mul(repeat.saturating_add(1)));
        (0..=*repeat).map(move |index| begin.saturating_add(duration.saturating_mul(index)))
    })
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        const KNOWN: [&str; 5] = ["", "RepresentationID", "Bandwidth", "Number", "Time"];
        if text.len() > TEXT_BYTES_MAX || !names(text).all(|name| KNOWN.contains(&name)) {
            return Pattern::default();
        }
        let is_numbered = names(text).any(|name| matches!(name, "Number" | "Time"));
        Pattern { text: text.into(), is_numbered }
    }

    /// Puts something in for every name; `None` if there is nothing, or if it becomes too long.
    fn fill(&self, names: &Names<'_>, at: Position) -> Option<String> {
        if self.text.is_empty() {
            return None;
        }
        let mut filled = String::with_capacity(self.text.len() + 16);
        for (position, part) in self.text.split('$').enumerate() {
            if position % 2 == 0 {
                filled.push_str(part);
                continue;
            }
            let (name, format) = part.split_once('%').unwrap_or((part, ""));
            match name {
                "RepresentationID" => filled.push_str(names.representation),
                "Bandwidth" => filled.push_str(names.bandwidth),
                "Number" => filled.push_str(&padded(at.0, format)),
                "Time" => filled.push_str(&padded(at.1, format)),
                _ => filled.push('$'),
            }
            if filled.len() > TEXT_BYTES_MAX {
                return None;
            }
        }
        Some(filled)
    }
}

/// The names in a template, without their formats.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('$').skip(1).step_by(2);
    parts.map(|part| part.split_once('%').map_or(part, |(name, _)| name))
}

/// A value that many share; one that is too long for any address is none.
pub(super) fn shared(value: String) -> Rc<str> {
    if value.len() <= TEXT_BYTES_MAX { value.into() } else { Rc::default() }
}

/// `05d`: five digits with zeros in front.
fn padded(number: u64, format: &str) -> String {
    let width =
        format.strip_prefix('0').and_then(|rest| rest.strip_suffix('d')).and_then(|width| width.parse().ok());
    let width: usize = width.unwrap_or(0).min(32);
    format!("{number:0width$}")
}

/// `PT1H2M3.5S` in seconds.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let mut rest = text.trim().strip_prefix('P')?;
    let (mut total, mut time) = (0.0, false);
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('T') {
            (rest, time) = (behind, true);
            continue;
        }
        let end = rest.find(|char: char| char.is_ascii_alphabetic())?;
        let (number, behind) = rest.split_at_checked(end)?;
        let (unit, behind) = behind.split_at_checked(1)?;
        let unit = match (unit, time) {
            ("Y", false) => 31_536_000.0,
            ("M", false) => 2_592_000.0,
            ("D", false) => 86_400.0,
            ("H", true) => 3_600.0,
            ("M", true) => 60.0,
            ("S", true) => 1.0,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * unit;
        rest = behind;
    }
    Some(total)
}
