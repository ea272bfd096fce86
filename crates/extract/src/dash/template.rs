//! Templates of segment addresses: `$RepresentationID$/$Number%05d$.m4s`.
//!
//! ISO/IEC 23009-1, 5.3.9.4.4.

use crate::xml::walk::Tag;

/// A template with what is needed to fill it in. Inner ones take from outer ones what they do not say themselves.
#[derive(Debug, Clone)]
pub(super) struct Template {
    media: String,
    initialization: String,
    index: String,
    first_number: u64,
    timescale: u64,
    duration: u64,
    /// Start, duration and further repetitions; the start may be left out.
    timeline: Vec<(Option<u64>, u64, u64)>,
}

impl Default for Template {
    fn default() -> Template {
        Template {
            media: String::new(),
            initialization: String::new(),
            index: String::new(),
            first_number: 1,
            timescale: 1,
            duration: 0,
            timeline: Vec::new(),
        }
    }
}

/// What stands for the names in a template.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) representation: &'a str,
    pub(super) bandwidth: &'a str,
}

impl Template {
    pub(super) fn take(&mut self, tag: &Tag<'_>) {
        tag.attributes(64, |name, value| {
            let number = || value.trim().parse::<u64>().ok();
            match name {
                "media" => self.media = value.into_owned(),
                "initialization" => self.initialization = value.into_owned(),
                "index" => self.index = value.into_owned(),
                "startNumber" => self.first_number = number().unwrap_or(1),
                "timescale" => self.timescale = number().unwrap_or(1).max(1),
                "duration" => self.duration = number().unwrap_or(0),
                _ => {}
            }
        });
        self.timeline.clear();
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
                "r" => repeat = number.unwrap_or(0),
                _ => {}
            }
        });
        if self.timeline.len() < count_max {
            self.timeline.push((start, duration, repeat));
        }
    }

    /// The addresses that are there once for a representation.
    pub(super) fn fixed(&self, names: &Names<'_>) -> Vec<String> {
        let given = [&self.initialization, &self.index].into_iter().filter(|text| !text.is_empty());
        let mut fixed: Vec<String> = given.filter_map(|text| fill(text, names, None)).collect();
        if !self.media.is_empty() {
            // A medium without number or time is a single file.
            fixed.extend(fill(&self.media, names, None));
        }
        fixed
    }

    /// The addresses of the segments, in their order.
    pub(super) fn segments<'t>(
        &'t self,
        names: &'t Names<'t>,
        seconds: f64,
    ) -> impl Iterator<Item = String> + 't {
        let numbered = fill(&self.media, names, None).is_none() && !self.media.is_empty();
        let from_timeline = self.times().zip(self.first_number..).map(|(time, number)| (number, time));
        let count = if self.timeline.is_empty() { self.count(seconds) } else { 0 };
        let by_count =
            (0..count).map(|index| (self.first_number + index, index.saturating_mul(self.duration)));
        from_timeline
            .chain(by_count)
            .filter(move |_| numbered)
            .filter_map(|at| fill(&self.media, names, Some(at)))
    }

    fn times(&self) -> impl Iterator<Item = u64> + '_ {
        let mut clock = 0_u64;
        self.timeline.iter().flat_map(move |(start, duration, repeat)| {
            let begin = start.unwrap_or(clock);
            clock = begin.saturating_add(duration.saturating_mul(repeat.saturating_add(1)));
            (0..=*repeat).map(move |index| begin.saturating_add(duration.saturating_mul(index)))
        })
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

/// Fills a template in; `None` if it wants a number or time and there is none, or is no template that we know.
fn fill(template: &str, names: &Names<'_>, at: Option<(u64, u64)>) -> Option<String> {
    let mut filled = String::with_capacity(template.len() + 16);
    for (position, part) in template.split('$').enumerate() {
        if position % 2 == 0 {
            filled.push_str(part);
            continue;
        }
        let (name, format) = part.split_once('%').unwrap_or((part, ""));
        match name {
            "" => filled.push('$'),
            "RepresentationID" => filled.push_str(names.representation),
            "Bandwidth" => filled.push_str(names.bandwidth),
            "Number" => filled.push_str(&padded(at?.0, format)),
            "Time" => filled.push_str(&padded(at?.1, format)),
            _ => return None,
        }
    }
    Some(filled)
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
