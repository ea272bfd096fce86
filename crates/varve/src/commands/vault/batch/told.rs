//! What is said of files that failed, and at the end.

use std::io::Write as _;

use ::batch::{Failed, Report};
use anyhow::Context as _;
use serde::Serialize;

use super::target::Target;
use crate::exit::Exit;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::talk::Talk;
use crate::terminal::{bytes, counted, escape, grouped};

/// Files that failed and are told one by one.
const SHOWN: u64 = 20;

/// Takes down what failed.
pub(super) struct Failures {
    list: Option<NewFile>,
    talk: Talk,
    count: u64,
}

/// A file that failed, as the list has it.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    kind: &'static str,
    why: String,
    /// Where in the merged result that of this file stands; null where it has none.
    result: Option<Place>,
}

#[derive(Serialize)]
struct Place {
    offset: u64,
    bytes: u64,
}

impl Failures {
    pub(super) fn new(target: &Target, talk: &Talk) -> anyhow::Result<Failures> {
        let list = target.failed.as_deref().map(|path| NewFile::create(path, target.force)).transpose()?;
        Ok(Failures { list, talk: talk.clone(), count: 0 })
    }

    pub(super) fn add(&mut self, failed: &Failed) -> anyhow::Result<()> {
        self.count += 1;
        if self.count <= SHOWN {
            self.talk.warning(&format!("{}: {}", failed.file, failed.why));
        } else if self.count == SHOWN + 1 && self.list.is_none() {
            self.talk.hint("more files have failed; `--failed FILE` writes a list of all");
        }
        let Some(list) = &mut self.list else { return Ok(()) };
        let place =
            |range: &std::ops::Range<u64>| Place { offset: range.start, bytes: range.end - range.start };
        let row = Row {
            file: &failed.file,
            kind: failed.why.name(),
            why: failed.why.to_string(),
            result: failed.result.as_ref().map(place),
        };
        let line = serde_json::to_string(&row).context("cannot put a file that failed into JSON")?;
        writeln!(list, "{line}").context("cannot write the list of files that failed")
    }

    /// The list is complete.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.list.map_or(Ok(()), NewFile::finish)
    }
}

/// What came of it, as `--json` prints it where the result goes to a file.
#[derive(Serialize)]
struct Done<'a> {
    files: u64,
    failed: u64,
    /// Files that are no WARC or ARC files, where these are wanted.
    others: u64,
    bytes: u64,
    result_bytes: u64,
    /// The first file that the result lacks, where the run was stopped.
    stopped_before: Option<&'a str>,
}

/// Says what came of it: a result that went to standard output is not mixed with it.
pub(super) fn tell(report: &Report, target: &Target, session: &mut Session) -> anyhow::Result<Exit> {
    let mut text = format!("{}, {} read", counted(report.files, "file"), bytes(report.bytes));
    if report.failed > 0 {
        text.push_str(&format!(", {} failed", grouped(report.failed)));
    }
    match report.others {
        0 => {}
        1 => text.push_str("; 1 file is no WARC file"),
        others => text.push_str(&format!("; {} files are no WARC files", grouped(others))),
    }
    match target.file() {
        Some(_) if session.globals.json => session.out.json(&Done {
            files: report.files,
            failed: report.failed,
            others: report.others,
            bytes: report.bytes,
            result_bytes: report.result_bytes,
            stopped_before: report.stopped_before.as_deref(),
        })?,
        Some(path) => {
            let written = bytes(report.result_bytes);
            session.out.line(format!("{text}; {written} written to {}", escape(&path.to_string_lossy())))?;
        }
        None if report.failed > 0 => session.talk.reason(&text),
        None => session.talk.note(&text),
    }
    session.out.finish()?;
    if let Some(file) = &report.stopped_before {
        session.talk.reason(&format!("stopped before {file}: the result has all files up to there"));
    }
    Ok(if report.failed > 0 || report.stopped_before.is_some() { Exit::Failed } else { Exit::Done })
}
