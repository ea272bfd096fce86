//! The reader: from the first byte behind the request to the last of the response.

use bytes::Bytes;
use warc::HttpHead;

use super::chunks::Chunks;
use super::framing::{Framing, keeps_alive};
use super::head::{self, HeadEnd};
use super::sniff::{SNIFF_BYTES, Sniffed};
use super::{Oddity, Version};
use crate::limits::Limits;
use crate::outcome::{Cut, Failure, Outcome};

/// What was asked, as far as the answer's shape depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asked {
    /// `HEAD`: no body follows, whatever the head says.
    Head,
    /// Anything else.
    Other,
}

/// What became of bytes handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fed {
    /// How many of them were looked at; the rest is to be handed in again, unless the response is done.
    pub taken: usize,
    /// What they led to.
    pub step: Step,
}

/// What the last of the bytes taken led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// All were taken, and more are needed.
    More,
    /// All bytes taken so far were none of the response's: an interim answer, or blank lines. It begins anew.
    Drop,
    /// The head ends here; [`Reader::head`] has it.
    Head,
    /// The response ends here; what follows is none of it. [`Reader::outcome`] says how.
    Done,
}

/// Reads one response.
#[derive(Debug)]
pub struct Reader {
    asked: Asked,
    limits: Limits,
    state: State,
    /// The start of a head that has not come whole.
    held: Vec<u8>,
    scan: HeadEnd,
    interim_bytes: usize,
    /// How many bytes of body may still come.
    body_left: u64,
    /// The connection has ended.
    is_closed: bool,
    message: Message,
}

#[derive(Debug)]
enum State {
    /// Nothing but blank lines has come.
    Before,
    /// The first word is not complete.
    Sniff,
    Head,
    Length {
        left: u64,
        spare: u64,
    },
    Chunked(Chunks),
    Close,
    Done(Outcome),
}

/// What was read, but for the bytes themselves.
#[derive(Debug, Default)]
pub struct Message {
    /// The head; `None` if none came.
    pub head: Option<HttpHead>,
    /// Whether it came to its end. A field of one that broke off may be half of what the server meant.
    pub is_head_whole: bool,
    /// How many bytes it has.
    pub head_bytes: u64,
    /// The version that the server claims.
    pub version: Option<Version>,
    /// Interim answers that came before.
    pub interims: Vec<Bytes>,
    /// What was odd.
    pub oddities: Vec<Oddity>,
}

impl Reader {
    /// For the answer to one request.
    #[must_use]
    pub fn new(asked: Asked, limits: &Limits) -> Reader {
        Reader {
            asked,
            limits: limits.clone(),
            state: State::Before,
            held: Vec::new(),
            scan: HeadEnd::default(),
            interim_bytes: 0,
            body_left: limits.body_bytes,
            is_closed: false,
            message: Message::default(),
        }
    }

    /// Takes in further bytes. Content (the body without chunk framing) goes to `sink` on the way.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl FnMut(&[u8])) -> Fed {
        if bytes.is_empty() && !matches!(self.state, State::Done(_)) {
            return Fed { taken: 0, step: Step::More };
        }
        match self.state {
            State::Before => self.feed_before(bytes, sink),
            State::Sniff => self.feed_sniff(bytes, sink),
            State::Head => self.feed_head(bytes),
            State::Length { .. } | State::Chunked(_) | State::Close => self.feed_body(bytes, sink),
            State::Done(_) => Fed { taken: 0, step: Step::Done },
        }
    }

    /// The connection has come to its ordinary end.
    pub fn close(&mut self, sink: &mut impl FnMut(&[u8])) -> Outcome {
        self.is_closed = true;
        if matches!(self.state, State::Sniff) {
            self.decide_at_end(sink);
        }
        let outcome = match &mut self.state {
            State::Before => Outcome::Failed(Failure::EmptyReply),
            State::Sniff | State::Head => self.break_off_in_head(Cut::Disconnect, Failure::EarlyClose),
            State::Length { left, spare } => {
                if left <= spare {
                    Outcome::Complete
                } else {
                    Outcome::Truncated(Cut::Disconnect)
                }
            }
            State::Chunked(chunks) => {
                chunks.end(sink);
                if chunks.is_broken() {
                    Outcome::Complete
                } else if chunks.has_all_content() {
                    self.message.oddities.push(Oddity::NoLastBlankLine);
                    Outcome::Complete
                } else {
                    Outcome::Truncated(Cut::Disconnect)
                }
            }
            State::Close => Outcome::Complete,
            State::Done(outcome) => return outcome.clone(),
        };
        self.state = State::Done(outcome.clone());
        outcome
    }

    /// The connection broke, or we have waited long enough: `cut` says why if there is a status, `failure` if not.
    pub fn break_off(&mut self, cut: Cut, failure: Failure, sink: &mut impl FnMut(&[u8])) -> Outcome {
        self.is_closed = true;
        if matches!(self.state, State::Sniff) {
            self.decide_at_end(sink);
        }
        let outcome = match &mut self.state {
            State::Before => Outcome::Failed(failure),
            State::Sniff | State::Head => self.break_off_in_head(cut, failure),
            State::Length { left, spare } if *left <= *spare => Outcome::Complete,
            State::Chunked(chunks) => {
                chunks.end(sink);
                if chunks.has_all_content() { Outcome::Complete } else { Outcome::Truncated(cut) }
            }
            State::Length { .. } | State::Close => Outcome::Truncated(cut),
            State::Done(outcome) => return outcome.clone(),
        };
        self.state = State::Done(outcome.clone());
        outcome
    }

    /// The head, once it has come.
    #[must_use]
    pub fn head(&self) -> Option<&HttpHead> {
        self.message.head.as_ref()
    }

    /// Whether a document comes without a head, as before HTTP/1.0.
    #[must_use]
    pub fn is_document(&self) -> bool {
        self.message.version == Some(Version::Http09)
    }

    /// How many bytes are still to come, where that is known.
    #[must_use]
    pub fn expected(&self) -> Option<u64> {
        match self.state {
            State::Length { left, .. } => Some(left.min(self.body_left)),
            _ => None,
        }
    }

    /// How the response ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.state {
            State::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Whether the server will take another request on the connection.
    #[must_use]
    pub fn keeps_alive(&self) -> bool {
        let is_sound = !self
            .message
            .oddities
            .iter()
            .any(|oddity| matches!(oddity, Oddity::ConflictingLengths | Oddity::BrokenChunks));
        let head = self.head().zip(self.message.version);
        self.outcome().is_some_and(Outcome::is_complete)
            && is_sound
            && !self.is_closed
            && head.is_some_and(|(head, version)| head.status() != Some(101) && keeps_alive(head, version))
    }

    /// Gives out what was read.
    #[must_use]
    pub fn into_message(self) -> Message {
        self.message
    }

    fn done(&mut self, taken: usize, outcome: Outcome) -> Fed {
        self.state = State::Done(outcome);
        Fed { taken, step: Step::Done }
    }

    /// Blank lines in front are left over from something else; browsers pass over them.
    fn feed_before(&mut self, bytes: &[u8], sink: &mut impl FnMut(&[u8])) -> Fed {
        let blank = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if blank == 0 {
            self.state = State::Sniff;
            return self.feed_sniff(bytes, sink);
        }
        let room = self.limits.head_bytes.saturating_sub(self.interim_bytes);
        let taken = blank.min(room);
        self.interim_bytes += taken;
        let so_far = self.message.oddities.iter_mut().find_map(|oddity| match oddity {
            Oddity::BlankLinesBefore(bytes) => Some(bytes),
            _ => None,
        });
        match so_far {
            Some(bytes) => *bytes += taken as u64,
            None => self.message.oddities.push(Oddity::BlankLinesBefore(taken as u64)),
        }
        if taken < blank {
            self.state = State::Done(Outcome::Failed(Failure::HeadTooLong));
        }
        Fed { taken, step: Step::Drop }
    }

    fn feed_sniff(&mut self, bytes: &[u8], sink: &mut impl FnMut(&[u8])) -> Fed {
        let mut start = [0; SNIFF_BYTES];
        let known = self.held.iter().chain(bytes).take(SNIFF_BYTES);
        let count = start.iter_mut().zip(known).map(|(place, byte)| *place = *byte).count();
        match Sniffed::of(start.get(..count).unwrap_or_default(), false) {
            Sniffed::Undecided => {
                self.held.extend_from_slice(bytes);
                Fed { taken: bytes.len(), step: Step::More }
            }
            Sniffed::Head => {
                self.state = State::Head;
                // What was held is part of the head's lines, too.
                let held = std::mem::take(&mut self.held);
                let _ = self.scan.find(&held, usize::MAX);
                self.held = held;
                self.feed_head(bytes)
            }
            Sniffed::Document => {
                self.begin_document(sink);
                self.feed_body(bytes, sink)
            }
            Sniffed::Foreign => self.done(bytes.len(), Outcome::Failed(Failure::NotHttp)),
        }
    }

    /// No head: what came is the document itself.
    fn begin_document(&mut self, sink: &mut impl FnMut(&[u8])) {
        self.message.version = Some(Version::Http09);
        self.state = State::Close;
        let held = std::mem::take(&mut self.held);
        self.body_left = self.body_left.saturating_sub(held.len() as u64);
        sink(&held);
    }

    fn decide_at_end(&mut self, sink: &mut impl FnMut(&[u8])) {
        match Sniffed::of(&self.held, true) {
            Sniffed::Document | Sniffed::Undecided => self.begin_document(sink),
            Sniffed::Foreign => self.state = State::Done(Outcome::Failed(Failure::NotHttp)),
            Sniffed::Head => self.state = State::Head,
        }
    }

    fn feed_head(&mut self, bytes: &[u8]) -> Fed {
        let room = self.limits.head_bytes.saturating_sub(self.held.len());
        let window = bytes.get(..room).unwrap_or(bytes);
        let Some(end) = self.scan.find(window, self.limits.head_lines) else {
            self.held.extend_from_slice(window);
            if window.len() < bytes.len() {
                return self.done(window.len(), Outcome::Failed(Failure::HeadTooLong));
            }
            return Fed { taken: window.len(), step: Step::More };
        };
        if self.scan.lines > self.limits.head_lines {
            return self.done(end, Outcome::Failed(Failure::HeadTooLong));
        }
        let last = window.get(..end).unwrap_or_default();
        // Nearly always the whole head comes at once, and is not put together first.
        let held = std::mem::take(&mut self.held);
        let step =
            if held.is_empty() { self.take_head(last) } else { self.take_head(&[&held, last].concat()) };
        Fed { taken: end, step }
    }

    fn take_head(&mut self, bytes: &[u8]) -> Step {
        self.scan = HeadEnd::default();
        let Some((head, _)) = HttpHead::parse(bytes) else {
            // What begins a head is one.
            self.state = State::Done(Outcome::Failed(Failure::NotHttp));
            return Step::Done;
        };
        if is_interim(&head) {
            self.interim_bytes += bytes.len();
            self.message.interims.push(Bytes::copy_from_slice(bytes));
            let is_enough = self.message.interims.len() > self.limits.interims
                || self.interim_bytes > self.limits.head_bytes;
            self.state = match is_enough {
                true => State::Done(Outcome::Failed(Failure::TooManyInterims)),
                false => State::Before,
            };
            return Step::Drop;
        }
        self.begin_body(bytes, head);
        self.message.is_head_whole = true;
        Step::Head
    }

    fn begin_body(&mut self, bytes: &[u8], head: HttpHead) {
        let oddities = &mut self.message.oddities;
        head::oddities(bytes, oddities);
        if head.status().is_none() {
            oddities.push(Oddity::NoStatus);
        }
        self.state = match Framing::of(&head, self.asked, oddities) {
            Framing::None => State::Done(Outcome::Complete),
            Framing::Length { most, least } => State::Length { left: most, spare: most - least },
            Framing::Chunked => State::Chunked(Chunks::default()),
            Framing::Close => State::Close,
        };
        self.message.version = Some(Version::of_line(head.first_line().as_bytes()));
        self.message.head_bytes = bytes.len() as u64;
        self.message.head = Some(head);
    }

    /// Keeps what there is of a head that broke off, if that is enough to know what it was about.
    fn break_off_in_head(&mut self, cut: Cut, failure: Failure) -> Outcome {
        let held = std::mem::take(&mut self.held);
        match HttpHead::parse(&held) {
            Some((head, _)) if head.status().is_some() => {
                self.begin_body(&held, head);
                Outcome::Truncated(cut)
            }
            _ => Outcome::Failed(failure),
        }
    }

    fn feed_body(&mut self, bytes: &[u8], sink: &mut impl FnMut(&[u8])) -> Fed {
        if self.body_left == 0 && !bytes.is_empty() {
            return self.cut_off(0, sink);
        }
        let room = usize::try_from(self.body_left).unwrap_or(usize::MAX);
        let window = bytes.get(..room).unwrap_or(bytes);
        let (taken, is_done) = match &mut self.state {
            State::Length { left, .. } => {
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(window.len());
                sink(window.get(..taken).unwrap_or_default());
                *left -= taken as u64;
                (taken, *left == 0)
            }
            State::Chunked(chunks) => {
                let taken = chunks.feed(window, self.limits.head_bytes, sink);
                if chunks.is_broken() && !self.message.oddities.contains(&Oddity::BrokenChunks) {
                    self.message.oddities.push(Oddity::BrokenChunks);
                }
                (taken, chunks.is_at_end())
            }
            _ => {
                sink(window);
                (window.len(), false)
            }
        };
        self.body_left -= taken as u64;
        if is_done {
            return self.done(taken, Outcome::Complete);
        }
        if self.body_left == 0 && (taken < bytes.len() || matches!(self.state, State::Length { .. })) {
            return self.cut_off(taken, sink);
        }
        Fed { taken, step: Step::More }
    }

    /// More has come than may.
    fn cut_off(&mut self, taken: usize, sink: &mut impl FnMut(&[u8])) -> Fed {
        if let State::Chunked(chunks) = &mut self.state {
            chunks.end(sink);
        }
        self.done(taken, Outcome::Truncated(Cut::Length))
    }
}

/// Whether another head follows this one. Behind 101 follows another protocol, and a number that only begins like an
/// interim answer's, such as 1000, is none.
fn is_interim(head: &HttpHead) -> bool {
    let line = head.first_line();
    let word = line.split_ascii_whitespace().nth(1).unwrap_or_default();
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    matches!(head.status(), Some(100 | 102..=199)) && digits == 3
}
