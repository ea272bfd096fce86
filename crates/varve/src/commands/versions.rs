//! `varve versions`: every capture of a URL, and what became of it from one to the next.

use anyhow::anyhow;
use cdx::Capture;
use serde::Serialize;

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::terminal::{Align, Columns, bytes};

/// List the captures of a URL: time, status, type, bytes stored, digest, what it is, URL
///
/// The oldest comes first. `new` has a document that the archive did not have, `cut` only the beginning of one, `same` the one that it
/// had already, and `gone` is the first answer that says that there is nothing any more. The bytes are those that its record takes in
/// the archive, packed and with the head of the answer, not the length of the document: that is known only when it is read
/// (`varve get`). The exit code is 1 if there is none.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Whose captures
    #[arg(value_name = "URL")]
    url: String,
}

/// A capture for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: Option<&'a str>,
    time: Option<&'a str>,
    timestamp: Option<String>,
    status: Option<u16>,
    mime: Option<&'a str>,
    stored_bytes: Option<u64>,
    digest: Option<&'a str>,
    state: &'a str,
    truncated: Option<&'a str>,
    job: Option<&'a str>,
    file: Option<&'a str>,
    offset: Option<u64>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let snapshot = session.archive()?.snapshot()?;
    let columns = Columns::new([
        (Align::Left, 19),
        (Align::Right, 3),
        (Align::Left, 24),
        (Align::Right, 15),
        (Align::Left, 19),
        (Align::Left, 4),
    ]);
    let mut count = 0_u64;
    for capture in snapshot.versions(&urlkey::key(&args.url)) {
        let capture = capture?;
        count += 1;
        let row = row(&capture);
        if session.globals.json {
            session.out.json(&row)?;
            continue;
        }
        let dash = || "-".to_owned();
        let cells = [
            row.time.and_then(|time| time.get(..19)).unwrap_or("-").replace('T', " "),
            row.status.map_or_else(dash, |status| status.to_string()),
            row.mime.unwrap_or("-").to_owned(),
            row.stored_bytes.map_or_else(dash, |stored| format!("{} stored", bytes(stored))),
            // Enough to tell one from another; `--json` has all of it.
            row.digest.map_or_else(dash, |digest| digest.chars().take(19).collect()),
            row.state.to_owned(),
            row.url.unwrap_or("-").to_owned(),
        ];
        session.out.line(columns.row(cells.iter().map(String::as_str)))?;
    }
    if count == 0 {
        let error = anyhow!("the archive has no capture of `{}`", args.url);
        return Err(with_hint(
            error,
            format!("`varve cdx {} --match host` lists what it has of the host", args.url),
        ));
    }
    Ok(Exit::Done)
}

fn row<'a>(capture: &'a Capture<'_>) -> Row<'a> {
    let extra = |name: &str| capture.extra(name).map(|value| value.as_str());
    let state = match () {
        () if extra("gone").is_some() => "gone",
        () if capture.is_revisit() => "same",
        () if extra("truncated").is_some() => "cut",
        () => "new",
    };
    let found = extra("mime-detected").filter(|_| capture.is_revisit());
    Row {
        url: capture.url.as_deref(),
        time: extra("date"),
        timestamp: capture.timestamp.map(|time| String::from_utf8_lossy(&time.digits()).into_owned()),
        status: capture.status,
        mime: found.or(capture.mime.as_deref()),
        stored_bytes: capture.length,
        digest: capture.digest.as_deref(),
        state,
        truncated: extra("truncated"),
        job: extra("commit"),
        file: capture.filename.as_deref(),
        offset: capture.offset,
    }
}
