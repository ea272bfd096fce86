//! Which records hold this? Payloads that are text are searched line by line, in whatever charset they are.

use std::io::{Read, Write};

use extract::charset::Decoder;
use extract::identify::{Claims, identify};
use regex::{Regex, RegexBuilder};
use serde::Serialize;
use warc::Record;

use super::{Form, json_line, plain};
use crate::error::Error;
use crate::reading::Reading;
use crate::records::{each, payload};
use crate::task::{Done, Failure, Task};

/// Bytes at the start by which it is found out whether a payload is text, and of which charset.
const START_BYTES: u64 = 32 << 10;
/// Longest piece of a line that is matched; lines of minified scripts go on for megabytes.
const LINE_BYTES_MAX: usize = 64 << 10;
/// Characters shown on each side of a match.
const AROUND: usize = 100;

/// Searches the text of payloads.
#[derive(Debug, Clone)]
pub struct Grep {
    pattern: Regex,
    /// How it is written.
    pub form: Form,
    /// Lines of each record at most.
    pub lines_max: usize,
}

/// A line that matches.
#[derive(Serialize)]
struct Match<'a> {
    file: &'a str,
    offset: u64,
    time: &'a str,
    url: &'a str,
    /// Counted from 1.
    line: u64,
    text: &'a str,
}

impl Grep {
    /// Looks for this regular expression, as the crate `regex` has them.
    ///
    /// # Errors
    /// When it is none, or one too large.
    pub fn new(pattern: &str, ignore_case: bool, form: Form) -> Result<Grep, Error> {
        let built = RegexBuilder::new(pattern).case_insensitive(ignore_case).size_limit(10 << 20).build();
        match built {
            Ok(regex) => Ok(Grep { pattern: regex, form, lines_max: 10 }),
            Err(source) => Err(Error::Pattern { pattern: pattern.to_owned(), source: Box::new(source) }),
        }
    }

    fn record(
        &self,
        record: &mut Record<'_, &mut Reading>,
        name: &str,
        result: &mut dyn Write,
    ) -> Result<(), Failure> {
        let head = record.head();
        let url = head.target_uri().unwrap_or_default().into_owned();
        let time = head.date_text().unwrap_or_default().into_owned();
        let offset = record.offset();
        // Where there is an HTTP head, it says what the payload is.
        let declared = match record.http()? {
            Some(http) => http.text("content-type").map(std::borrow::Cow::into_owned),
            None => record.head().content_type().map(std::borrow::Cow::into_owned),
        };
        let Some(mut payload) = payload(record) else { return Ok(()) };
        let mut start = Vec::new();
        // What cannot be unfolded to its end is searched as far as it goes.
        let _cut = payload.by_ref().take(START_BYTES).read_to_end(&mut start);
        let claims: Vec<&str> = declared.as_deref().into_iter().collect();
        let identity = identify(&start, &Claims { content_types: &claims, url: &url, ..Claims::default() });
        let Some(charset) = identity.charset else { return Ok(()) };
        let mut lines = Lines { held: String::new(), number: 0, found: 0, search: self };
        let mut tell = |line: u64, text: &str| -> Result<(), Failure> {
            let found = Match { file: name, offset, time: &time, url: &url, line, text };
            Ok(self.write(&found, result)?)
        };
        let mut decoder = Decoder::new(charset.encoding);
        lines.take(&decoder.decode(&start, false), &mut tell)?;
        let mut buffer = vec![0; 64 << 10];
        while lines.found < self.lines_max {
            match payload.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(count) => {
                    lines.take(&decoder.decode(buffer.get(..count).unwrap_or_default(), false), &mut tell)?;
                }
            }
        }
        lines.take(&decoder.decode(&[], true), &mut tell)?;
        lines.end(&mut tell)
    }

    fn write(&self, found: &Match<'_>, out: &mut dyn Write) -> std::io::Result<()> {
        if self.form == Form::Json {
            return json_line(found, out);
        }
        let Match { file, offset, time, url, line, text } = found;
        writeln!(out, "{file}\t{offset}\t{}\t{}\t{line}\t{}", plain(time), plain(url), plain(text))
    }

    /// The match in a line with a little around it.
    fn shown<'a>(&self, line: &'a str) -> Option<&'a str> {
        let found = self.pattern.find(line)?;
        let before = line.get(..found.start())?.char_indices().rev().take(AROUND).last();
        let behind = line.get(found.end()..)?.char_indices().nth(AROUND);
        let start = before.map_or(found.start(), |(at, _)| at);
        let end = behind.map_or(line.len(), |(at, _)| found.end() + at);
        line.get(start..end).map(str::trim)
    }
}

impl Task for Grep {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        let name = file.file().name.clone();
        each(file, |mut record| self.record(&mut record, &name, result))
    }
}

type Tell<'a> = dyn FnMut(u64, &str) -> Result<(), Failure> + 'a;

/// Cuts text into lines as it arrives.
struct Lines<'a> {
    /// The line that has not ended.
    held: String,
    number: u64,
    found: usize,
    search: &'a Grep,
}

impl Lines<'_> {
    fn take(&mut self, text: &str, tell: &mut Tell<'_>) -> Result<(), Failure> {
        for part in text.split_inclusive('\n') {
            self.held.push_str(part);
            if part.ends_with('\n') || self.held.len() >= LINE_BYTES_MAX {
                self.end(tell)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, tell: &mut Tell<'_>) -> Result<(), Failure> {
        let line = std::mem::take(&mut self.held);
        if line.is_empty() {
            return Ok(());
        }
        self.number += 1;
        if self.found < self.search.lines_max
            && let Some(text) = self.search.shown(line.trim_end_matches(['\n', '\r']))
        {
            self.found += 1;
            tell(self.number, text)?;
        }
        self.held = line;
        self.held.clear();
        Ok(())
    }
}
