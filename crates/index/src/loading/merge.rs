//! Sorted files as one stream of lines, cut into pieces.
//!
//! Only key and time of a line are looked at here. Where they are not the first two columns, the line is written anew.

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};
use std::io::BufRead;

use cdx::{Capture, Field, Format, Lines};

use super::{Input, TOLD_MAX};
use crate::segment::order_of;
use crate::{Error, Settings};

/// Bytes of lines, and lines, that a piece has when it is handed on.
const PIECE_BYTES: usize = 1 << 20;
const PIECE_LINES: usize = 1 << 14;
/// Lines of one key and time stay in one piece, so that those of one capture are seen together, unless they are more bytes than this.
const RUN_BYTES_MAX: usize = 64 << 20;

/// Some lines one behind the other.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) text: Vec<u8>,
    pub(super) lines: Vec<PieceLine>,
    /// What the lines are; they say which by number.
    pub(super) formats: Vec<Format>,
    /// Lines that are none, found on the way.
    pub(super) bad: Bad,
}

/// Lines that make no sense: how many, and of the first few the number of the file, of the line, and why.
#[derive(Debug, Default)]
pub(super) struct Bad {
    pub(super) count: u64,
    pub(super) told: Vec<(usize, u64, String)>,
    /// Numbers of the files that have such lines.
    pub(super) inputs: BTreeSet<usize>,
}

impl Bad {
    pub(super) fn tell(&mut self, input: usize, line: u64, why: String) {
        self.count += 1;
        self.inputs.insert(input);
        if self.told.len() < TOLD_MAX {
            self.told.push((input, line, why));
        }
    }
}

/// One line of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct PieceLine {
    /// Where it ends in the text.
    pub(super) end: u32,
    pub(super) format: u8,
    pub(super) input: u32,
    /// Number of the line in its file.
    pub(super) number: u64,
}

/// Lines of all files, in order.
pub(super) struct Stream {
    sources: Vec<Source>,
    heads: BinaryHeap<Head>,
    piece: Piece,
    /// Key and time of the line that was taken last, and how many have had them.
    run: (Vec<u8>, usize),
    run_lines_max: usize,
}

struct Source {
    name: String,
    lines: Lines<Box<dyn BufRead>>,
    limits: cdx::Limits,
    format: Option<Format>,
    /// Whether a header or a sound line has said so. Until then the format is a guess from a line that may be dirt.
    is_settled: bool,
    /// Whether key and time stand first, so that the line need not be parsed to sort it.
    is_plain: bool,
    /// Key and time of the line before.
    last: Vec<u8>,
}

/// The next line of a file.
struct Head {
    line: Vec<u8>,
    order: usize,
    number: u64,
    /// The line was written anew as CDXJ.
    is_anew: bool,
    source: usize,
}

impl Head {
    fn order(&self) -> &[u8] {
        self.line.get(..self.order).unwrap_or_default()
    }
}

impl Ord for Head {
    /// The greatest is handed out first.
    fn cmp(&self, other: &Head) -> Ordering {
        self.order().cmp(other.order()).then(self.source.cmp(&other.source)).reverse()
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}

impl Stream {
    pub(super) fn new(inputs: Vec<Input>, settings: &Settings) -> Result<Stream, Error> {
        let limits = cdx::Limits { line_bytes: settings.limits.line_bytes, ..cdx::Limits::default() };
        let source = |input: Input| Source {
            name: input.name,
            lines: Lines::new(input.lines, &limits),
            limits,
            format: None,
            is_settled: false,
            is_plain: false,
            last: Vec::new(),
        };
        let mut stream = Stream {
            sources: inputs.into_iter().map(source).collect(),
            heads: BinaryHeap::new(),
            piece: Piece::default(),
            run: (Vec::new(), 0),
            run_lines_max: settings.limits.rows_at_once,
        };
        for source in 0..stream.sources.len() {
            stream.refill(Head { line: Vec::new(), order: 0, number: 0, is_anew: false, source })?;
        }
        Ok(stream)
    }

    /// The next piece; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Piece>, Error> {
        while let Some(next) = self.heads.peek() {
            let bytes = self.piece.text.len();
            let is_full = bytes >= PIECE_BYTES || self.piece.lines.len() >= PIECE_LINES;
            if is_full && (next.order() != self.run.0.as_slice() || bytes >= RUN_BYTES_MAX) {
                break;
            }
            let Some(head) = self.heads.pop() else { break };
            self.count(&head);
            if self.run.1 <= self.run_lines_max {
                self.take(&head);
            } else {
                let why = format!("more than {} captures of one URL in one second", self.run_lines_max);
                self.piece.bad.tell(head.source, head.number, why);
            }
            self.refill(head)?;
        }
        let piece = std::mem::take(&mut self.piece);
        Ok((!piece.lines.is_empty() || piece.bad.count > 0).then_some(piece))
    }

    /// Counts lines of one key and time.
    fn count(&mut self, head: &Head) {
        let (order, count) = &mut self.run;
        if order.as_slice() == head.order() {
            *count += 1;
        } else {
            order.clear();
            order.extend_from_slice(head.order());
            *count = 1;
        }
    }

    /// Adds a line to the piece.
    fn take(&mut self, head: &Head) {
        let Some(source) = self.sources.get(head.source) else { return };
        let format = if head.is_anew { Some(&Format::Cdxj) } else { source.format.as_ref() };
        let Some(format) = format else { return };
        let formats = &mut self.piece.formats;
        let known = formats.iter().position(|other| other == format);
        let number = known.unwrap_or_else(|| {
            formats.push(format.clone());
            formats.len() - 1
        });
        let (Ok(format), Ok(input)) = (u8::try_from(number), u32::try_from(head.source)) else {
            // More formats than a piece can number: as many files of as many headers. They are told, not lost.
            self.piece.bad.tell(head.source, head.number, "one format too many at once".to_owned());
            return;
        };
        self.piece.text.extend_from_slice(&head.line);
        let end = u32::try_from(self.piece.text.len()).unwrap_or(u32::MAX);
        self.piece.lines.push(PieceLine { end, format, input, number: head.number });
    }

    /// Puts the next line of a file among the heads, in the room of the line before it.
    fn refill(&mut self, mut head: Head) -> Result<(), Error> {
        let Some(source) = self.sources.get_mut(head.source) else { return Ok(()) };
        loop {
            match source.next(&mut head)? {
                Step::Line => break,
                Step::Nothing => {}
                Step::Over => return Ok(()),
                Step::Bad(why) => self.piece.bad.tell(head.source, head.number, why),
            }
        }
        if head.order() < source.last.as_slice() {
            let found = String::from_utf8_lossy(head.order()).into_owned();
            return Err(Error::UnsortedFile { name: source.name.clone(), line: head.number, found });
        }
        source.last.clear();
        source.last.extend_from_slice(head.order());
        self.heads.push(head);
        Ok(())
    }
}

/// What a line is.
enum Step {
    /// One of a capture.
    Line,
    /// Empty, or a header.
    Nothing,
    /// There are no more.
    Over,
    /// It makes no sense, and why.
    Bad(String),
}

impl Source {
    /// Reads the next line into a head.
    fn next(&mut self, head: &mut Head) -> Result<Step, Error> {
        match self.lines.advance() {
            Ok(true) => {}
            Ok(false) => return Ok(Step::Over),
            Err(error) => {
                head.number = self.lines.number();
                return match error {
                    cdx::Error::AtLine { fault, .. } => Ok(Step::Bad(fault.to_string())),
                    source => Err(Error::File { name: self.name.clone(), source }),
                };
            }
        }
        head.number = self.lines.number();
        let line = self.lines.line();
        if line.is_empty() || line.starts_with(b"!") {
            return Ok(Step::Nothing);
        }
        let is_header = cdx::is_header(line);
        if is_header || !self.is_settled {
            let format = match Format::detect(line) {
                Ok(format) => format,
                Err(error) => return Ok(Step::Bad(error.to_string())),
            };
            let fault = match &format {
                Some(format) if !is_header => format.parse(line, &self.limits).err(),
                _ => None,
            };
            if let Some(fault) = fault {
                return Ok(Step::Bad(fault.to_string()));
            }
            self.is_settled = format.is_some();
            self.is_plain = format.as_ref().is_some_and(is_plain);
            self.format = format;
        }
        if is_header {
            return Ok(Step::Nothing);
        }
        if self.is_plain
            && let Some(order) = plain_order(line)
        {
            head.line.clear();
            head.line.extend_from_slice(line);
            (head.order, head.is_anew) = (order, false);
            return Ok(Step::Line);
        }
        let Some(format) = &self.format else { return Ok(Step::Nothing) };
        Ok(match anew(format, line, &self.limits, &mut head.line) {
            Ok(order) => {
                (head.order, head.is_anew) = (order, true);
                Step::Line
            }
            Err(why) => Step::Bad(why),
        })
    }
}

/// Whether key and time are the first two columns, with a space behind each.
fn is_plain(format: &Format) -> bool {
    match format {
        Format::Cdxj => true,
        Format::Json => false,
        Format::Cdx(layout) => {
            let mut fields = layout.columns().iter().map(|column| &column.field);
            layout.delimiter() == b' '
                && fields.next() == Some(&Field::Key)
                && fields.next() == Some(&Field::Timestamp)
        }
    }
}

/// How long key and time are, where they are as we write them.
fn plain_order(line: &[u8]) -> Option<usize> {
    let order = order_of(line)?;
    let (key, time) = order.split_at_checked(order.len().checked_sub(14)?)?;
    let is_sound = !key.iter().any(|byte| byte.is_ascii_control()) && time.iter().all(u8::is_ascii_digit);
    (is_sound && key != b"- ").then_some(order.len())
}

/// Writes a line anew as CDXJ, so that key and time stand first; how long those are.
fn anew(format: &Format, line: &[u8], limits: &cdx::Limits, out: &mut Vec<u8>) -> Result<usize, String> {
    let mut capture = format.parse(line, limits).map_err(|error| error.to_string())?;
    if capture.key.is_none() {
        let key = capture.url.as_deref().map(urlkey::key).ok_or("it has neither key nor URL")?;
        capture.key = Some(key.into());
    }
    if capture.timestamp.is_none() {
        return Err("it has no time".to_owned());
    }
    if capture.key.as_deref().is_some_and(|key| key.chars().any(char::is_control)) {
        return Err("a control character in the key".to_owned());
    }
    out.clear();
    write(&capture, out)
}

fn write(capture: &Capture<'_>, out: &mut Vec<u8>) -> Result<usize, String> {
    capture.write_cdxj(out);
    order_of(out).map(<[u8]>::len).ok_or_else(|| "it has no key".to_owned())
}
