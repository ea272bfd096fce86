//! `varve warc ls`: one line per record.

use std::path::PathBuf;

use warc::Fault;
use warc::parallel::{Emit, Section};

use super::row::Row;
use crate::exit::Exit;
use crate::reading::{self, ArchiveFile, Counted, Reading};
use crate::session::Session;
use crate::terminal::{Align, Columns, escape_json};

/// Bytes of lines that a worker collects before it hands them on.
const BATCH_BYTES: usize = 64 << 10;
/// Faults that a worker collects before it hands them on.
const BATCH_FAULTS: usize = 1000;

/// List the records of files, one a line: offset, length, type, date, status, media type, URI
///
/// Offsets and lengths are those that `varve warc cat --offset` and CDX files use. With --json also digest, record id
/// and the length of the block.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC or ARC files, compressed or not; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

/// Some lines, and what was wrong with the records in them.
#[derive(Default)]
struct Batch {
    lines: String,
    faults: Vec<Fault>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let show = Show::new(session, args.files.len() > 1);
    let mut damaged = false;
    let outcome = reading::read(
        session,
        &args.files,
        args.reading.options(),
        args.reading.jobs,
        |file, section, emit| list(file, section, emit, &show),
        |session, file, batch: Batch| {
            session.out.text(&batch.lines)?;
            damaged |= reading::warn(session, file, &batch.faults);
            Ok(())
        },
    )?;
    Ok(if outcome.is_sound() && !damaged { Exit::Done } else { Exit::Failed })
}

fn list(
    file: &ArchiveFile,
    section: &mut Section<Counted>,
    emit: &mut Emit<'_, Batch>,
    show: &Show,
) -> Result<(), warc::Error> {
    let mut batch = Batch::default();
    let result = loop {
        let row = match section.next_record() {
            Ok(Some(mut record)) => Row::of(&file.name, &mut record)
                .and_then(|row| record.finish_with_faults().map(|(extent, faults)| (row.at(extent), faults))),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        match row {
            Ok((row, faults)) => {
                show.push(&row, &mut batch.lines);
                batch.faults.extend(faults);
            }
            Err(error) => break Err(error),
        }
        if batch.lines.len() >= BATCH_BYTES || batch.faults.len() >= BATCH_FAULTS {
            emit.send(std::mem::take(&mut batch))?;
        }
    };
    batch.faults.extend(section.reader().take_faults());
    emit.send(batch)?;
    result
}

/// How a row becomes a line.
struct Show {
    json: bool,
    is_terminal: bool,
    columns: Columns,
    with_file: bool,
}

impl Show {
    fn new(session: &Session, with_file: bool) -> Show {
        let columns = Columns::new([
            (Align::Right, 10),
            (Align::Right, 8),
            (Align::Left, 8),
            (Align::Left, 20),
            (Align::Right, 3),
            (Align::Left, 16),
        ]);
        let (json, is_terminal) = (session.globals.json, session.out.is_terminal());
        Show { json, is_terminal, columns, with_file }
    }

    fn push(&self, row: &Row<'_>, lines: &mut String) {
        if self.json {
            // A row holds strings and numbers only, which always fit into JSON.
            let text = serde_json::to_string(row).unwrap_or_default();
            lines.push_str(&if self.is_terminal { escape_json(&text) } else { text.into() });
        } else {
            let dash = || "-".to_owned();
            let cells = [
                row.offset.to_string(),
                row.length.to_string(),
                row.kind.clone().unwrap_or_else(dash),
                row.date.clone().unwrap_or_else(dash),
                row.status.map_or_else(dash, |status| status.to_string()),
                row.mime.clone().unwrap_or_else(dash),
                row.uri.clone().unwrap_or_else(dash),
            ];
            if self.with_file {
                lines.push_str(&crate::terminal::escape(row.file));
                lines.push_str("  ");
            }
            lines.push_str(&self.columns.row(cells.iter().map(String::as_str)));
        }
        lines.push('\n');
    }
}
