//! `varve warc grep`: which records hold this?

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use anyhow::Context as _;
use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;
use warc::parallel::{Emit, Section};
use warc::{Fault, Record};

use super::cat::payload;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::reading::{self, ArchiveFile, Counted, Reading};
use crate::session::Session;
use crate::terminal::{counted, escape, escape_bytes};
use crate::usage::wrong;

/// Longest piece of a line that is matched and shown; lines of minified scripts go on for megabytes.
const LINE_BYTES: u64 = 64 << 10;
/// Bytes shown on each side of a match.
const AROUND: usize = 60;

/// Search payloads for a regular expression; exit 1 if nothing matches
///
/// Payloads are searched line by line, without HTTP heads, transfer chunks and content encodings.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A regular expression, as the Rust crate `regex` has them
    #[arg(value_name = "PATTERN")]
    pattern: String,

    /// WARC or ARC files, compressed or not; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Upper and lower case are the same
    #[arg(short, long)]
    ignore_case: bool,

    /// Search the records' URIs and headers instead of their payloads
    #[arg(long)]
    headers: bool,

    /// At most this many matches of each record
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    max_count: usize,

    #[command(flatten)]
    reading: Reading,
}

/// A match, as `--json` prints it.
#[derive(Serialize)]
struct Match {
    file: String,
    offset: u64,
    uri: Option<String>,
    /// Counted from 1; 0 in headers.
    line: u64,
    text: String,
}

#[derive(Default)]
struct Batch {
    matches: Vec<Match>,
    faults: Vec<Fault>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let pattern = RegexBuilder::new(&args.pattern)
        .case_insensitive(args.ignore_case)
        .size_limit(10 << 20)
        .build()
        .map_err(wrong)
        .with_context(|| format!("`{}` is no regular expression", args.pattern))
        .hint("`\\` before a character takes its special meaning away, as in `example\\.org`")?;
    let search = Search { pattern, headers: args.headers, most: args.max_count };
    let (mut found, mut full) = (0u64, 0u64);
    let mut damaged = false;
    let outcome = reading::read(
        session,
        &args.files,
        args.reading.options(),
        args.reading.jobs,
        |file, section, emit| search.section(file, section, emit),
        |session, file, batch: Batch| {
            found += batch.matches.len() as u64;
            // Each batch holds the matches of one record.
            full += u64::from(batch.matches.len() >= args.max_count);
            for found in &batch.matches {
                print(session, found)?;
            }
            damaged |= reading::warn(session, file, &batch.faults);
            Ok(())
        },
    )?;
    if full > 0 && args.max_count > 0 {
        session.out.finish()?;
        let records = counted(full, "record");
        let most = args.max_count;
        let note = format!("at most {most} lines are shown of each; {records} may have more (--max-count)");
        session.talk.note(&note);
    }
    Ok(if found > 0 && outcome.is_sound() && !damaged { Exit::Done } else { Exit::Failed })
}

fn print(session: &mut Session, found: &Match) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(found);
    }
    let place = format!("{}:{}", escape(&found.file), found.offset);
    let uri = escape(found.uri.as_deref().unwrap_or("-")).into_owned();
    let line = format!("{}  {uri}  {}", session.paint.faint(place), escape(&found.text));
    session.out.line(line)
}

struct Search {
    pattern: Regex,
    headers: bool,
    most: usize,
}

impl Search {
    fn section(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
    ) -> Result<(), warc::Error> {
        let result = self.records(file, section, emit);
        emit.send(Batch { matches: Vec::new(), faults: section.reader().take_faults() })?;
        result
    }

    fn records(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
    ) -> Result<(), warc::Error> {
        while let Some(mut record) = section.next_record()? {
            let matches = self.record(file, &mut record)?;
            // A record that breaks off has been searched as far as it goes.
            let (faults, result) = match record.finish_with_faults() {
                Ok((_, faults)) => (faults, Ok(())),
                Err(error) => (Vec::new(), Err(error)),
            };
            if !matches.is_empty() || !faults.is_empty() {
                emit.send(Batch { matches, faults })?;
            }
            result?;
        }
        Ok(())
    }

    fn record<R: Read + Send>(
        &self,
        file: &ArchiveFile,
        record: &mut Record<'_, R>,
    ) -> Result<Vec<Match>, warc::Error> {
        let uri = record.head().target_uri().map(std::borrow::Cow::into_owned);
        let offset = record.offset();
        let row =
            |line: u64, text: String| Match { file: file.name.clone(), offset, uri: uri.clone(), line, text };
        if self.headers {
            let mut head = record.head().raw().to_vec();
            head.extend_from_slice(record.http()?.map(warc::HttpHead::raw).unwrap_or_default());
            let lines = head.split(|&byte| byte == b'\n').filter_map(|line| self.shown(line));
            return Ok(lines.take(self.most).map(|text| row(0, text)).collect());
        }
        let limit = warc::Limits::default().payload_bytes;
        let mut matches = Vec::new();
        // A payload that cannot be unfolded, or only in part, is searched as far as it goes.
        let Ok(payload) = payload(record, limit) else { return Ok(matches) };
        let mut payload = BufReader::with_capacity(64 << 10, payload);
        let mut line = Vec::new();
        let mut number = 0;
        while matches.len() < self.most {
            line.clear();
            match payload.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => number += 1,
            }
            matches.extend(self.shown(&line).map(|text| row(number, text)));
        }
        Ok(matches)
    }

    /// The match in a line with a little around it.
    fn shown(&self, line: &[u8]) -> Option<String> {
        let found = self.pattern.find(line)?;
        let start = found.start().saturating_sub(AROUND);
        let end = (found.end() + AROUND).min(line.len());
        Some(escape_bytes(line.get(start..end)?.trim_ascii()).into_owned())
    }
}
