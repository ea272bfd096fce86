//! `varve fetch`: asks servers for URLs, shows what came of it, and archives it.

mod archive_file;
mod options;
mod record_id;
mod row;
mod urls;
mod work;

use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use fetch::{Cut, Exchange, Outcome};

use self::archive_file::ArchiveFile;
use self::options::Options;
use self::work::{Found, Results};
use crate::exit::Exit;
use crate::jobs::Jobs;
use crate::report;
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
/// Ctrl-C ends it early: the file then has what was fetched until then.
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

    // Boxed, because there are many: the other verbs need not carry room for them.
    #[command(flatten)]
    options: Box<Options>,

    #[command(flatten)]
    jobs: Jobs,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let plan = args.options.plan()?;
    let mut file = match &args.out {
        Some(path) => Some(ArchiveFile::create(path, args.force, &plan.clock)?),
        None => None,
    };
    // A list that is not there is told before anybody is asked for anything.
    let urls = urls::read(args.urls, args.list);
    let results = work::start(plan, urls, args.jobs.count())?;
    let worked = take(results, &mut file, args.body, session);
    // However it ended, what was fetched until then is kept.
    let finished = match (file, &args.out) {
        (Some(file), Some(path)) => file.finish().map(|records| {
            tracing::info!(records, "written to {}", path.display());
        }),
        _ => Ok(()),
    };
    let exit = worked?;
    finished.map(|()| exit)
}

/// Takes the results as they come, each into the file and onto the screen. One that is bad does not stop the others.
fn take(
    mut results: Results,
    file: &mut Option<ArchiveFile>,
    body: bool,
    session: &mut Session,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    while let Some(found) = results.blocking_recv() {
        let is_good = match found {
            Found::Exchange(exchange) => {
                if let Some(file) = file {
                    file.write(&exchange)?;
                }
                show(&exchange, body, session)? && is_good(&exchange.outcome)
            }
            Found::NotFollowed { url, end } => {
                let problem = row::trail_problem(end).unwrap_or_default();
                session.talk.warning(&format!("{}: {problem}", row::shown(&url)));
                false
            }
            Found::NoUrl { text, reason } => {
                session.talk.error(&format!("`{text}`: {reason}"));
                false
            }
            Found::Unreadable(error) => {
                report::failure(&session.talk, &error);
                false
            }
            Found::Interrupted => {
                session.talk.error("interrupted; what was still being fetched is left out");
                return Ok(Exit::Failed);
            }
        };
        if !is_good {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

/// What was cut off because the user said so is as it should be.
fn is_good(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Complete | Outcome::Truncated(Cut::Length))
}

/// Shows an exchange. Says whether all of what was asked for could be shown.
fn show(exchange: &Exchange, body: bool, session: &mut Session) -> anyhow::Result<bool> {
    if session.globals.json {
        session.out.json(&row::Row::of(exchange))?;
        // Whoever reads along wants each when it is there.
        return session.out.finish().map(|()| true);
    }
    let line = row::line(exchange);
    if !body {
        session.out.line(line)?;
        return session.out.finish().map(|()| true);
    }
    session.talk.note(&line);
    if exchange.redirect.is_some() {
        return Ok(true);
    }
    let unpacked = print_document(exchange, session)?;
    if let Err(error) = &unpacked {
        let url = row::shown(&exchange.url);
        session.talk.error(&format!("{url}: cannot unpack the document: {error}"));
    }
    Ok(unpacked.is_ok())
}

/// Prints as much of a document as can be unpacked. That it cannot be printed is another matter than that it is damaged.
fn print_document(exchange: &Exchange, session: &mut Session) -> anyhow::Result<io::Result<()>> {
    let mut document = match exchange.document(DOCUMENT_BYTES_MAX) {
        Ok(document) => document,
        Err(error) => return Ok(Err(error)),
    };
    let mut piece = vec![0; 64 << 10];
    let ended = loop {
        match document.read(&mut piece) {
            Ok(0) => break Ok(()),
            Ok(count) => {
                let piece = piece.get(..count).unwrap_or_default();
                session.out.write_all(piece).context("cannot print the document")?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    session.out.finish()?;
    Ok(ended)
}
