//! Tags and their attributes.

use memchr::memchr;

use super::{Mode, NAMED, Run, Sink, State, Tokenizer, skip, word};

/// A start tag, as written.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    /// From `<` on.
    source: &'a str,
    name: &'a str,
    /// The first eight bytes of the name.
    key: u64,
    spans: &'a [Span],
    self_closing: bool,
}

/// Where in a tag an attribute lies. Tags are bounded far below four gigabytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    number: u8,
    name: (u32, u32),
    value: (u32, u32),
}

/// How far the attributes of a tag could be read.
enum Attributes {
    /// To the end of the tag, which is here.
    Whole { end: usize, self_closing: bool },
    /// The tag is not whole; the last attribute that is ends here.
    Unfinished { end: usize },
}

impl<'a> Tag<'a> {
    /// The name, as written.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The first eight bytes of the name, as written, as a number.
    #[inline]
    pub(in crate::html) fn key(&self) -> u64 {
        self.key
    }

    /// Whether it has none of the attributes that are wanted.
    #[inline]
    pub(in crate::html) fn is_bare(&self) -> bool {
        self.spans.is_empty()
    }

    /// Whether it ends in `/>`.
    #[must_use]
    #[inline]
    pub fn is_self_closing(&self) -> bool {
        self.self_closing
    }

    /// Number, name and value of each attribute that was wanted, as written; of several with one name the first.
    #[inline]
    pub fn attributes(&self) -> impl Iterator<Item = (u8, &'a str, &'a str)> + '_ {
        let source = self.source;
        self.spans.iter().map(move |span| (span.number, slice(source, span.name), slice(source, span.value)))
    }

    /// The value of the attribute with a number, as written.
    #[must_use]
    #[inline]
    pub fn value(&self, number: u8) -> Option<&'a str> {
        let span = self.spans.iter().find(|span| span.number == number)?;
        Some(slice(self.source, span.value))
    }
}

#[inline]
fn slice(source: &str, (start, end): (u32, u32)) -> &str {
    source.get(start as usize..end as usize).unwrap_or_default()
}

/// The blanks of the standard's tokenizer; it never sees a carriage return, but we do.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// What ends the name of a tag.
#[inline]
pub(super) fn ends_tag_name(byte: u8) -> bool {
    is_blank(byte) || byte == b'/' || byte == b'>'
}

/// How many bytes from a place on are none of these.
#[inline]
fn until(bytes: &[u8], at: usize, is_end: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.get(at..)?.iter().position(|byte| is_end(*byte)).map(|length| at + length)
}

/// Where a name ends, and its first eight bytes as a number; names are short, and most ends are found at one look.
#[inline(always)]
fn name_end<const N: usize>(bytes: &[u8], from: usize, ends: [u8; N]) -> Option<(usize, u64)> {
    let here = bytes.get(from..)?;
    let (length, key) = word::short_name(here, ends).or_else(|| long_name(here, ends))?;
    Some((from + length, key))
}

/// Length and key of a name that is long, or has odd characters.
#[inline(never)]
fn long_name<const N: usize>(bytes: &[u8], ends: [u8; N]) -> Option<(usize, u64)> {
    let length = bytes.iter().position(|byte| is_blank(*byte) || ends.contains(byte))?;
    Some((length, word::key(bytes.get(..length)?)))
}

/// The value of an attribute.
struct Value {
    start: usize,
    end: usize,
    /// Where the tag goes on.
    behind: usize,
}

/// The value behind a name that ends here, which may be none; `None` if the input ends in it.
#[inline(always)]
fn value(bytes: &[u8], name_end: usize) -> Option<Value> {
    match bytes.get(name_end..)? {
        [b'=', quote @ (b'"' | b'\''), inside @ ..] => {
            let (start, length) = (name_end + 2, memchr(*quote, inside)?);
            Some(Value { start, end: start + length, behind: start + length + 1 })
        }
        _ => odd_value(bytes, name_end),
    }
}

/// One without quotes, or with blanks around the equals sign, or without one.
#[inline(never)]
fn odd_value(bytes: &[u8], name_end: usize) -> Option<Value> {
    let next = until(bytes, name_end, |byte| !is_blank(byte))?;
    if bytes.get(next) != Some(&b'=') {
        return Some(Value { start: name_end, end: name_end, behind: name_end });
    }
    let start = until(bytes, next + 1, |byte| !is_blank(byte))?;
    match bytes.get(start..)? {
        [quote @ (b'"' | b'\''), inside @ ..] => {
            let end = start + 1 + memchr(*quote, inside)?;
            Some(Value { start: start + 1, end, behind: end + 1 })
        }
        _ => {
            let end = until(bytes, start, |byte| is_blank(byte) || byte == b'>')?;
            Some(Value { start, end, behind: end })
        }
    }
}

impl Tokenizer {
    /// Reads the start tag that begins here; false if it is not whole.
    #[inline]
    pub(super) fn start_tag<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        if run.sink.passes_over()
            && let Some(length) = self.seen.find(run.input.as_bytes(), run.at)
        {
            run.at += length;
            return true;
        }
        let (source, is_full) = self.window(run);
        self.spans.clear();
        let Some((name_end, key)) = name_end(source.as_bytes(), 1, [b'/', b'>']) else {
            return self.give_up(run, source, is_full, None);
        };
        let name = source.get(1..name_end).unwrap_or_default();
        let (end, self_closing) = if source.as_bytes().get(name_end) == Some(&b'>') {
            (name_end + 1, false)
        } else {
            let sink = &*run.sink;
            let attributes = self.attributes(source, name_end, |key, name| sink.attribute_by(key, name));
            match attributes {
                Attributes::Whole { end, self_closing } => (end, self_closing),
                Attributes::Unfinished { end } => {
                    return self.give_up(run, source, is_full, Some((name, end)));
                }
            }
        };
        if std::mem::take(&mut self.attributes_were_cut) {
            run.sink.tag_was_cut();
        }
        let tag = Tag { source, name, key, spans: &self.spans, self_closing };
        // It is what it was, but for the few elements whose content is no markup.
        let mode = run.sink.start_tag(&tag);
        if !matches!(mode, Mode::Data) {
            self.state = State::Text(mode);
        } else if run.sink.was_idle() {
            self.seen.note(run.input.as_bytes(), run.at, end);
        }
        run.at += end;
        true
    }

    /// Reads the end tag that begins here; false if it is not whole.
    #[inline]
    pub(super) fn end_tag<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        // Nearly all are a short name and a bracket.
        let bytes = run.bytes().get(2..).unwrap_or_default();
        match word::short_name(bytes, [b'/', b'>']) {
            Some((length, key)) if bytes.get(length) == Some(&b'>') => {
                let name = run.rest().get(2..2 + length).unwrap_or_default();
                run.sink.end_tag_by(key, name);
                if !matches!(self.state, State::Text(Mode::Data)) {
                    self.state = State::Text(Mode::Data);
                }
                run.at += length + 3;
                true
            }
            _ => self.odd_end_tag(run),
        }
    }

    /// Reads an end tag with a long name, or with something behind it.
    #[inline(never)]
    fn odd_end_tag<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let (source, is_full) = self.window(run);
        let Some((name_end, _)) = name_end(source.as_bytes(), 2, [b'/', b'>']) else {
            return self.give_up(run, source, is_full, None);
        };
        let name = source.get(2..name_end).unwrap_or_default();
        let end = if source.as_bytes().get(name_end) == Some(&b'>') {
            name_end + 1
        } else {
            self.spans.clear();
            // The attributes of an end tag mean nothing.
            match self.attributes(source, name_end, |_, _| 0) {
                Attributes::Whole { end, .. } => end,
                Attributes::Unfinished { end } if is_full => {
                    run.sink.tag_was_cut();
                    run.sink.end_tag(name);
                    return self.enter(run, end, State::Skip(skip::Place::Between, Mode::Data));
                }
                Attributes::Unfinished { .. } => return false,
            }
        };
        run.sink.end_tag(name);
        self.state = State::Text(Mode::Data);
        run.at += end;
        true
    }

    /// What we are willing to look at of the tag that begins here, and whether there is no more room in that.
    #[inline]
    fn window<'a, S: Sink>(&self, run: &Run<'a, S>) -> (&'a str, bool) {
        let rest = run.rest();
        if rest.len() <= self.tag_bytes_max {
            return (rest, false);
        }
        let end = rest.floor_char_boundary(self.tag_bytes_max);
        (rest.get(..end).unwrap_or_default(), true)
    }

    /// The tag is not whole. More may come, unless it is too long already: then what was found counts and the rest is
    /// passed over. A tag whose very name is too long is passed over altogether.
    #[cold]
    fn give_up<S: Sink>(
        &mut self,
        run: &mut Run<'_, S>,
        source: &str,
        is_full: bool,
        found: Option<(&str, usize)>,
    ) -> bool {
        if !is_full {
            return false;
        }
        run.sink.tag_was_cut();
        let (mode, end) = match found {
            Some((name, end)) => {
                let key = word::key(name.as_bytes());
                let tag = Tag { source, name, key, spans: &self.spans, self_closing: false };
                (run.sink.start_tag(&tag), end)
            }
            None => (Mode::Data, source.len()),
        };
        self.enter(run, end, State::Skip(skip::Place::Between, mode))
    }

    /// Reads attributes up to the end of the tag, and keeps those that the sink wants.
    #[inline]
    fn attributes(&mut self, source: &str, from: usize, number: impl Fn(u64, &str) -> u8) -> Attributes {
        let bytes = source.as_bytes();
        let mut at = from;
        loop {
            let unfinished = Attributes::Unfinished { end: at };
            // Behind a value the tag ends, or a blank and a letter follow; anything else is rare.
            let (name_start, is_odd) = match bytes.get(at..) {
                Some([b'>', ..]) => return Attributes::Whole { end: at + 1, self_closing: false },
                Some([b' ', b'A'..=b'z', ..]) => (at + 1, false),
                _ => {
                    let found = until(bytes, at, |byte| !is_blank(byte) && byte != b'/');
                    let Some(start) = found else { return unfinished };
                    if bytes.get(start) == Some(&b'>') {
                        let self_closing = start > at && bytes.get(start - 1) == Some(&b'/');
                        return Attributes::Whole { end: start + 1, self_closing };
                    }
                    // An equals sign at the start is part of the name.
                    (start, bytes.get(start) == Some(&b'='))
                }
            };
            let found = name_end(bytes, name_start + usize::from(is_odd), [b'=', b'/', b'>']);
            let Some((name_end, mut key)) = found else { return unfinished };
            let Some(value) = value(bytes, name_end) else { return unfinished };
            let name = source.get(name_start..name_end).unwrap_or_default();
            if is_odd {
                key = word::key(name.as_bytes());
            }
            let number = number(key, name);
            if number != 0 {
                self.keep(source, number, (name_start, name_end), (value.start, value.end));
            }
            at = value.behind;
        }
    }

    /// Keeps an attribute, if there is none of its name and not too many.
    #[inline]
    fn keep(&mut self, source: &str, number: u8, name: (usize, usize), value: (usize, usize)) {
        if self.spans.len() >= self.attributes_max {
            self.attributes_were_cut = true;
            return;
        }
        // The clamp of `tag_bytes_max` makes all places fit.
        let place = |(start, end): (usize, usize)| (start as u32, end as u32);
        let new = Span { number, name: place(name), value: place(value) };
        let written = slice(source, new.name);
        let is_same = |span: &Span| {
            span.number == number
                && (number < NAMED || slice(source, span.name).eq_ignore_ascii_case(written))
        };
        if !self.spans.iter().any(is_same) {
            self.spans.push(new);
        }
    }
}
