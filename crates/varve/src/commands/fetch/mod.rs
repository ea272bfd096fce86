//! `varve fetch`: asks servers for URLs, shows what came of it, and archives it.

mod archive_file;
mod options;
mod record_id;
mod row;
mod urls;
mod work;

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use fetch::{Cut, Exchange, Outcome};

use self::archive_file::ArchiveFile;
use self::options::Options;
use self::work::Found;
use crate::exit::Exit;
use crate::jobs::Jobs;
use crate::session::Session;

/// Reading more of a document than this for --body is given up: it is a bomb.
const DOCUMENT_BYTES_MAX: u64 = 1 << 34;

/// Ask servers for URLs, and archive what they answer
///
/// Prints a line for each exchange: status or what went wrong, bytes of the body, time, type, URL. With -o the requests, the
/// responses and the lookups of names are written to a WARC file, byte for byte. A host is asked for one thing at a time, with
/// a pause in between.
///
/// The exit code is 0 if every URL was answered, whatever the status was, and 1 if one was not, or its answer broke off.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to fetch; - reads URLs from standard input, one a line
    #[arg(value_name = "URL", required_unless_present = "list")]
    urls: Vec<String>,

    /// Read URLs from a file, one a line; empty lines and lines that begin with # are passed over
    #[arg(short = 'i', long, value_name = "FILE")]
    list: Vec<PathBuf>,

    /// Write a WARC file; .gz or .zst at the end of its name compresses it
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,

    /// Print the documents themselves, unpacked; the lines go to standard error
    #[arg(long, conflicts_with = "json")]
    body: bool,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    jobs: Jobs,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let plan = args.options.plan()?;
    let mut file = match &args.out {
        Some(path) => Some(ArchiveFile::create(path, args.force, &plan.clock)?),
        None => None,
    };
    let urls = urls::read(args.urls, args.list);
    let mut found = work::start(plan, urls, args.jobs.count())?;
    let mut exit = Exit::Done;
    while let Some(found) = found.blocking_recv() {
        let trail = match found {
            Found::Trail(trail) => trail,
            Found::NoUrl { text, reason } => {
                session.talk.error(&format!("`{text}`: {reason}"));
                exit = Exit::Failed;
                continue;
            }
            Found::Unreadable(error) => return Err(error),
        };
        for exchange in &trail.exchanges {
            if let Some(file) = &mut file {
                file.write(exchange)?;
            }
            show(exchange, args.body, session)?;
            if !is_good(&exchange.outcome) {
                exit = Exit::Failed;
            }
        }
        if let Some(problem) = row::trail_problem(trail.end) {
            let url = trail.last().map(|exchange| exchange.url.to_string()).unwrap_or_default();
            session.talk.warning(&format!("{url}: {problem}"));
            exit = Exit::Failed;
        }
    }
    if let (Some(file), Some(path)) = (file, &args.out) {
        let records = file.finish()?;
        tracing::info!(records, "written to {}", path.display());
    }
    Ok(exit)
}

/// What was cut off because the user said so is as it should be.
fn is_good(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Complete | Outcome::Truncated(Cut::Length))
}

fn show(exchange: &Exchange, body: bool, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        session.out.json(&row::Row::of(exchange))?;
        // Whoever reads along wants each when it is there.
        return session.out.finish();
    }
    let line = row::line(exchange);
    if !body {
        session.out.line(line)?;
        return session.out.finish();
    }
    session.talk.note(&line);
    if exchange.redirect.is_none() {
        let mut document = exchange.document(DOCUMENT_BYTES_MAX).context("cannot unpack the document")?;
        io::copy(&mut document, &mut session.out).context("cannot print the document")?;
        session.out.flush().context("cannot write to standard output")?;
    }
    Ok(())
}
