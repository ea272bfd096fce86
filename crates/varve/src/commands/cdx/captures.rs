//! `varve cdx URL`: captures of the archive, a line each.

use std::io;

use cdx::Capture;
use serde::Serialize;

use super::question::Question;
use crate::collection::Which;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::escape;

/// A capture, in the order of its columns.
#[derive(Serialize)]
struct Row<'a> {
    url: Option<&'a str>,
    timestamp: Option<String>,
    status: Option<u16>,
    mime: Option<&'a str>,
    digest: Option<&'a str>,
    length: Option<u64>,
    file: Option<&'a str>,
    offset: Option<u64>,
}

pub(super) fn run(question: &Question, which: &Which, session: &mut Session) -> anyhow::Result<Exit> {
    let (range, query) = (question.range()?, question.query()?);
    let snapshot = which.open(session)?.snapshot()?;
    let captures = snapshot.range(&range);
    let captures = captures.map(|capture| capture.map_err(|error| cdx::Error::Read(io::Error::other(error))));
    let mut is_empty = true;
    for capture in query.run(captures) {
        let capture = capture?;
        is_empty = false;
        let row = row(&capture);
        if session.globals.json {
            session.out.json(&row)?;
        } else {
            session.out.line(line(&row))?;
        }
    }
    if is_empty { Err(question.nothing(&which.place())) } else { Ok(Exit::Done) }
}

/// Columns with a blank between them, as in every CDX; what is missing is `-`.
fn line(row: &Row<'_>) -> String {
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let text = |text: Option<&str>| text.map(str::to_owned);
    let cells = [
        text(row.url),
        row.timestamp.clone(),
        number(row.status.map(u64::from)),
        text(row.mime),
        text(row.digest),
        number(row.length),
        text(row.file),
        number(row.offset),
    ];
    let cell = |cell: Option<String>| {
        let cell = cell.filter(|cell| !cell.is_empty()).unwrap_or_else(|| "-".to_owned());
        escape(&cell).replace(' ', "%20")
    };
    cells.map(cell).join(" ")
}

fn row<'a>(capture: &'a Capture<'_>) -> Row<'a> {
    Row {
        url: capture.url.as_deref(),
        timestamp: capture.timestamp.map(|time| String::from_utf8_lossy(&time.digits()).into_owned()),
        status: capture.status,
        mime: capture.mime.as_deref(),
        digest: capture.digest.as_deref(),
        length: capture.length,
        file: capture.filename.as_deref(),
        offset: capture.offset,
    }
}
