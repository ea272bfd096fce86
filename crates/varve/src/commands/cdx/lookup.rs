//! `varve cdx lookup`: the captures of a URL, a host or a domain, from an index.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use cdx::query::{KeyRange, Query};
use cdx::search::SortedFile;
use cdx::zipnum::{Entry, ZipNum};
use cdx::{Capture, Error, Format, Limits};
use settings::Input;

use super::blocks::{Blocks, is_zipnum};
use super::key_lines::first_bytes;
use super::question::Question;
use super::sink;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::report;
use crate::session::Session;

/// Find the captures of a URL in a sorted CDX or CDXJ file, or in a ZipNum index, without reading it whole
///
/// Exit code 1 says that there are none.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A sorted CDX or CDXJ file, or the .idx file of a ZipNum index
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    question: Question,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let range: KeyRange = args.question.range()?.into();
    let query = args.question.query()?;
    let input = Input::open(&args.file)?;
    let Some(file) = input.seekable() else {
        return Err(anyhow!("`{}` cannot be searched, only read from end to end", input.name))
            .hint("save it to a file first");
    };
    let reopened = || File::open(&args.file).with_context(|| format!("cannot open `{}`", input.name));
    let start = first_bytes(file, 64 << 10).with_context(|| format!("cannot read `{}`", input.name))?;
    if start.starts_with(&[0x1f, 0x8b]) {
        return Err(anyhow!("`{}` is packed as a whole, so nothing can be found in it", input.name))
            .hint("unpack it, or name the .idx file that belongs to it (`varve cdx zipnum` makes one)");
    }
    if !looks_sorted(&start) {
        return Err(anyhow!("`{}` is not sorted, so nothing can be found in it", input.name))
            .hint("`varve cdx sort` sorts it, and `varve cdx make --sort` makes it sorted");
    }
    let limits = Limits::default();
    let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let unsearchable = || format!("cannot search `{}`", input.name);
    let answer = Answer { query, json: session.globals.json, limits };
    let outcome = if is_zipnum(first) {
        let blocks = Blocks::beside(&args.file, &limits)?;
        let read = |entry: &Entry, packed: &mut Vec<u8>| blocks.read(entry, packed);
        let mut index = ZipNum::new(reopened()?, read, limits).with_context(unsearchable)?;
        let mut lines = index.find(&range).with_context(unsearchable)?;
        answer.print(session, None, &mut || lines.next_line().map(|line| line.map(<[u8]>::to_vec)))
    } else {
        let format = Format::detect(first.strip_suffix(b"\r").unwrap_or(first)).unwrap_or(None);
        let mut index = SortedFile::new(reopened()?, limits).with_context(unsearchable)?;
        let mut lines = index.find(&range).with_context(unsearchable)?;
        answer.print(session, format, &mut || lines.next_line().map(|line| line.map(<[u8]>::to_vec)))
    };
    match outcome.with_context(unsearchable)? {
        Printed { is_sound: false, .. } => Ok(Exit::Failed),
        Printed { is_empty: true, .. } => Err(args.question.nothing(&format!("`{}`", input.name))),
        Printed { .. } => Ok(Exit::Done),
    }
}

/// Whether the lines at the start of a file are in order. A file that is not sorted nearly always shows it there, and
/// would otherwise answer every question with nothing.
fn looks_sorted(start: &[u8]) -> bool {
    let lines = start.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.filter(|line| !cdx::is_header(line)).is_sorted_by(|a, b| cdx::compare(a, b).is_le())
}

/// What is asked, and how the answer is written.
struct Answer {
    query: Query,
    json: bool,
    limits: Limits,
}

/// What became of it.
struct Printed {
    is_empty: bool,
    /// Whether every line could be read; that one could not was said.
    is_sound: bool,
}

impl Answer {
    /// Prints the captures that the query leaves of some lines, in the format they came in.
    fn print(
        self,
        session: &mut Session,
        format: Option<Format>,
        next: &mut dyn FnMut() -> Result<Option<Vec<u8>>, Error>,
    ) -> anyhow::Result<Printed> {
        let mut printed = Printed { is_empty: true, is_sound: true };
        let Some(first) = next()? else { return Ok(printed) };
        let format = match format {
            Some(format) => format,
            None => Format::detect(&first)?.ok_or(Error::UnknownFormat)?,
        };
        let mut waiting = Some(first);
        let mut is_over = false;
        let captures = std::iter::from_fn(|| {
            let line = match waiting.take() {
                Some(line) => Ok(Some(line)),
                None if is_over => Ok(None),
                None => next(),
            };
            // Behind a bad block comes another; behind a disk that fails comes the same failure.
            is_over = matches!(line, Err(Error::Read(_)));
            let parse = |line: Vec<u8>| format.parse(&line, &self.limits).map(Capture::into_owned);
            line.map(|line| line.map(parse)).transpose().map(|capture| capture.and_then(|capture| capture))
        });
        let shown = if self.json { Format::Json } else { format.clone() };
        let mut line = Vec::new();
        for capture in self.query.run(captures) {
            match capture {
                Ok(capture) => {
                    printed.is_empty = false;
                    line.clear();
                    shown.write(&capture, &mut line);
                    line.push(b'\n');
                    sink::print(session, &line)?;
                }
                Err(error) => {
                    printed.is_sound = false;
                    session.out.finish()?;
                    report::failure(&session.talk, &error.into());
                }
            }
        }
        Ok(printed)
    }
}
