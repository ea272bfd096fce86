//! Cuts HTML into tags, text and comments, after the standard's tokenizer, as it arrives.
//!
//! Each piece of input is read where it lies. Only what is not whole at its end is kept for the next one: a tag, or the few
//! bytes of a reference or an end tag. So memory is bounded by the longest tag that [`Limits`] allow, and a split changes
//! nothing but how many pieces a text comes in. What is kept is tried again only when it has doubled, so that a tag which
//! arrives byte by byte costs no more than twice its length.
//!
//! Names, values and text are handed over as written: the receiver decodes what it wants, see [`super::decode_text`]. A
//! tag or comment that the input ends in is treated as the standard has it: the tag is lost, the comment is not.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#tokenization>

mod markup;
mod raw;
mod script;
mod seen;
mod skip;
mod tag;
mod word;

use memchr::memchr;

use crate::Limits;

use super::reference;
pub use tag::Tag;
pub(super) use word::{key, lower};

/// Whoever takes the tokens.
pub trait Sink {
    /// The number under which an attribute of this name is kept for [`Sink::start_tag`]; 0 if it is not wanted. Under
    /// [`NAMED`] there may be several, which are told apart by name.
    fn attribute(&self, name: &str) -> u8;

    /// The same, where the first eight bytes of the name are known as a number. Who overrides it answers as
    /// [`Sink::attribute`] does.
    #[inline]
    fn attribute_by(&self, key: u64, name: &str) -> u8 {
        let _ = key;
        self.attribute(name)
    }

    /// A start tag, whole; says how to read on.
    fn start_tag(&mut self, tag: &Tag<'_>) -> Mode;

    /// Whether the last start tag set off nothing, and no other that is the same to the byte will where
    /// [`Sink::passes_over`] says so.
    fn was_idle(&self) -> bool {
        false
    }

    /// Whether start tags at this place may be passed over that are the same as an idle one.
    fn passes_over(&self) -> bool {
        false
    }

    /// An end tag.
    fn end_tag(&mut self, name: &str);

    /// The same, where the first eight bytes of the name are known as a number.
    #[inline]
    fn end_tag_by(&mut self, key: u64, name: &str) {
        let _ = key;
        self.end_tag(name);
    }

    /// Whether [`Sink::text`] would do anything with text at this place; if not, it may be passed over.
    fn wants_text(&self) -> bool {
        true
    }

    /// Characters, in as many pieces as they come; no reference is split. If `raw`, there are no references in it.
    fn text(&mut self, text: &str, raw: bool);

    /// A piece of a comment, or of what is treated as one; `end` if it is the last.
    fn comment(&mut self, piece: &str, end: bool);

    /// Whether the last open element is one of SVG or MathML, where CDATA sections are text.
    fn is_in_foreign_content(&self) -> bool;

    /// A tag was too long, or had more attributes than are kept.
    fn tag_was_cut(&mut self);
}

/// The number of attributes that are told apart by name and not by number.
pub const NAMED: u8 = 128;

/// How to read on behind a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Tags, text and references.
    Data,
    /// Text and references, until the end tag of this name, which is in lower case.
    Rcdata(&'static str),
    /// Text, until the end tag of this name, which is in lower case.
    Rawtext(&'static str),
    /// A script, until its end tag.
    Script,
    /// Text to the end.
    Plaintext,
}

/// Where in the standard's states we are between two pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text(Mode),
    /// Inside of a script's `<!--`, where `<script>` begins a script in the script.
    Escaped,
    /// Inside of that.
    DoubleEscaped,
    Comment,
    /// Up to the next `>`.
    Bogus,
    Doctype,
    Cdata,
    /// The rest of a tag that is too long; then reading goes on in this mode.
    Skip(skip::Place, Mode),
}

/// A tokenizer between two pieces of input.
#[derive(Debug)]
pub struct Tokenizer {
    state: State,
    /// What could not be read yet.
    kept: String,
    /// How long that must be before it is tried again.
    retry_bytes: usize,
    spans: Vec<tag::Span>,
    seen: seen::Seen,
    attributes_were_cut: bool,
    tag_bytes_max: usize,
    attributes_max: usize,
}

/// One piece of input on its way.
struct Run<'a, S> {
    input: &'a str,
    at: usize,
    /// There will be no more.
    last: bool,
    sink: &'a mut S,
}

impl<'a, S: Sink> Run<'a, S> {
    /// What has not been read yet.
    #[inline]
    fn rest(&self) -> &'a str {
        self.input.get(self.at..).unwrap_or_default()
    }

    /// The next bytes, or as many as there are.
    #[inline]
    fn bytes(&self) -> &'a [u8] {
        self.input.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Takes text up to a place that is `length` bytes on.
    #[inline]
    fn text(&mut self, length: usize, raw: bool) {
        if length > 0 && self.sink.wants_text() {
            self.hand_over(length, raw);
        }
        self.at += length;
    }

    fn hand_over(&mut self, length: usize, raw: bool) {
        self.sink.text(self.rest().get(..length).unwrap_or_default(), raw);
    }
}

impl Tokenizer {
    /// A tokenizer at the start of a document.
    #[must_use]
    pub fn new(limits: &Limits) -> Tokenizer {
        Tokenizer {
            state: State::Text(Mode::Data),
            kept: String::new(),
            retry_bytes: 0,
            spans: Vec::new(),
            seen: seen::Seen::new(),
            attributes_were_cut: false,
            tag_bytes_max: limits.tag_bytes_max.clamp(64, 1 << 30),
            attributes_max: limits.attributes_max,
        }
    }

    /// Takes the next piece of the document.
    pub fn write(&mut self, piece: &str, sink: &mut impl Sink) {
        if self.kept.is_empty() {
            let read = self.run(piece, false, sink);
            self.kept.push_str(piece.get(read..).unwrap_or_default());
        } else {
            self.kept.push_str(piece);
            if self.kept.len() < self.retry_bytes {
                return;
            }
            let mut kept = std::mem::take(&mut self.kept);
            let read = self.run(&kept, false, sink);
            kept.drain(..read);
            self.kept = kept;
        }
        self.retry_bytes = self.kept.len() * 2;
    }

    /// The document ends here.
    pub fn finish(mut self, sink: &mut impl Sink) {
        let kept = std::mem::take(&mut self.kept);
        self.run(&kept, true, sink);
        if self.state == State::Comment || self.state == State::Bogus {
            sink.comment("", true);
        }
    }

    /// Reads as far as it goes; says how far.
    fn run(&mut self, input: &str, last: bool, sink: &mut impl Sink) -> usize {
        self.seen.clear();
        let mut run = Run { input, at: 0, last, sink };
        loop {
            let goes_on = match self.state {
                State::Text(Mode::Data) => self.data(&mut run),
                State::Text(Mode::Rcdata(name)) => self.raw_text(&mut run, name, false),
                State::Text(Mode::Rawtext(name)) => self.raw_text(&mut run, name, true),
                State::Text(Mode::Script) => self.script(&mut run),
                State::Escaped => self.escaped(&mut run),
                State::DoubleEscaped => self.double_escaped(&mut run),
                State::Text(Mode::Plaintext) => {
                    run.text(run.rest().len(), true);
                    false
                }
                State::Comment => self.comment(&mut run),
                State::Bogus => self.bogus(&mut run),
                State::Doctype => self.doctype(&mut run),
                State::Cdata => self.cdata(&mut run),
                State::Skip(place, mode) => self.skip(&mut run, place, mode),
            };
            if !goes_on {
                return run.at;
            }
        }
    }

    /// Ordinary text and tags; false if more input is needed, true if the state is another now.
    fn data<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        loop {
            // Between two tags there is often nothing, or the end of a line.
            let found = match run.bytes() {
                [b'<', ..] => Some(0),
                [_, b'<', ..] => Some(1),
                bytes => memchr(b'<', bytes),
            };
            let Some(length) = found else {
                let rest = run.rest();
                let kept = if run.last { None } else { reference::unfinished(rest) };
                run.text(kept.unwrap_or(rest.len()), false);
                return false;
            };
            run.text(length, false);
            let goes_on = match run.bytes() {
                [_, letter, ..] if letter.is_ascii_alphabetic() => self.start_tag(run),
                [_, b'/', letter, ..] if letter.is_ascii_alphabetic() => self.end_tag(run),
                [_, b'/', b'>', ..] => {
                    run.at += 3;
                    true
                }
                [_, b'/', _, ..] => self.enter(run, 2, State::Bogus),
                [_, b'!', ..] => self.markup(run),
                [_, b'?', ..] => self.enter(run, 1, State::Bogus),
                [_] | [_, b'/'] if !run.last => false,
                [_, b'/'] => {
                    run.text(2, false);
                    true
                }
                _ => {
                    run.text(1, false);
                    true
                }
            };
            if !goes_on || !matches!(self.state, State::Text(Mode::Data)) {
                return goes_on;
            }
        }
    }

    /// Goes on in another state, so many bytes on.
    fn enter<S: Sink>(&mut self, run: &mut Run<'_, S>, bytes: usize, state: State) -> bool {
        run.at += bytes;
        self.state = state;
        true
    }
}
