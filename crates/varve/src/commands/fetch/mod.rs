//! `varve fetch`: asks servers for URLs, shows what came of it, and archives it.

mod archive_file;
mod options;
mod row;
mod urls;
mod work;

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::builder::{PathBufValueParser, TypedValueParser};
use fetch::AddressKind as Kind;
use fetch::{Cut, Exchange, Failure, Outcome};

use self::archive_file::ArchiveFile;
use self::options::Options;
use self::urls::NoUrl;
use self::work::{Found, Results};
use crate::exit::Exit;
use crate::jobs::Jobs;
use crate::output::was_closed;
use crate::report;
use crate::session::Session;

/// Reading more of a document than this for --body is given up: it is a bomb.
const DOCUMENT_BYTES_MAX: u64 = 1 << 34;

/// Ask servers for URLs, and archive what they answer
///
/// Prints a line for each exchange: status or what went wrong, bytes of the body, time, type, URL. With -o the requests, the
/// responses and the lookups of names are written to a WARC file, byte for byte. A host is asked for one thing at a time, with
/// a pause in between. What robots.txt says is not asked for: whoever names a URL means it.
///
/// The exit code is 0 if every URL was answered, whatever the status was, and 1 if one was not, or its answer broke off.
/// Ctrl-C ends it early: the file then has what was fetched until then. If nobody answered, no file is written.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to fetch; - reads URLs from standard input, one a line
    #[arg(value_name = "URL", required_unless_present = "list")]
    urls: Vec<String>,

    /// Read URLs from a file, one a line; empty lines and lines that begin with # are passed over
    #[arg(short = 'i', long, value_name = "FILE")]
    list: Vec<PathBuf>,

    /// Write a WARC file; .gz or .zst at the end of its name compresses it
    #[arg(short, long = "output", value_name = "FILE", value_parser = file_name())]
    out: Option<PathBuf>,

    /// Replace the file if it is there, once somebody has answered
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
    let file = match &args.out {
        Some(path) => Some(ArchiveFile::create(path, args.force, &plan.clock)?),
        None => None,
    };
    // A list that is not there is told before anybody is asked for anything.
    let urls = urls::read(args.urls, args.list);
    let results = work::start(plan, urls, args.jobs.count())?;
    let mut taking = Taking { file, body: args.body, exit: Exit::Done, is_closed: false, refused: None };
    let worked = taking.take(results, session);
    if let Some(kind) = taking.refused {
        session.talk.hint(way_to(kind));
    }
    // However it ended, what was fetched until then is kept.
    let finished = match (taking.file, &args.out) {
        (Some(file), Some(path)) => finish(file, path, session),
        _ => Ok(()),
    };
    worked?;
    finished?;
    if taking.is_closed && taking.exit != Exit::Done {
        // An error, because a closed output alone would be success; and the lines that tell it may have gone nowhere.
        return Err(anyhow!("not every URL was answered in full; standard output was closed before its end"));
    }
    Ok(taking.exit)
}

/// The way out for addresses of one kind. Where clouds keep their secrets is asked only if it is named.
fn way_to(kind: Kind) -> &'static str {
    if kind == Kind::Metadata {
        "`--allow 169.254.169.254` and the like asks an address where a cloud keeps its secrets"
    } else {
        "`--allow-private` asks addresses of private networks and of this machine, too; `--allow NETWORK` those of one \
         network, such as 192.168.0.0/16"
    }
}

fn finish(file: ArchiveFile, path: &Path, session: &Session) -> anyhow::Result<()> {
    let shown = path.display();
    match file.finish()? {
        Some(records) => tracing::info!(records, "written to {shown}"),
        None if path.exists() => {
            session.talk.warning(&format!("there was no answer to keep: `{shown}` stays as it was"));
        }
        None => session.talk.warning(&format!("there was no answer to keep: `{shown}` is not written")),
    }
    Ok(())
}

/// Names need not be UTF-8.
fn file_name() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" {
            return Err("an archive is not written to standard output; `./-` is a file of that name");
        }
        Ok(path)
    })
}

/// What is done with the results.
struct Taking {
    file: Option<ArchiveFile>,
    /// Whether documents are printed.
    body: bool,
    exit: Exit,
    /// Whether nobody reads standard output any more.
    is_closed: bool,
    /// What an address was that was not asked; of several kinds one that `--allow-private` helps with.
    refused: Option<Kind>,
}

impl Taking {
    /// Takes the results as they come, each into the file and onto the screen. One that is bad does not stop the others.
    fn take(&mut self, mut results: Results, session: &mut Session) -> anyhow::Result<()> {
        while let Some(found) = results.blocking_recv() {
            let is_good = match found {
                Found::Exchange(exchange) => self.exchange(&exchange, session)?,
                Found::NotFollowed { url, end } => {
                    let problem = row::trail_problem(end).unwrap_or_default();
                    session.talk.warning(&format!("{}: {problem}", row::shown(&url)));
                    false
                }
                Found::NoUrl(no_url) => {
                    self.no_url(&no_url, session)?;
                    false
                }
                Found::Waiting { host, time } => {
                    if session.talk.is_terminal() || session.globals.verbose > 0 {
                        session.talk.note(&format!("waiting {} s for {host}", time.as_secs_f64().ceil()));
                    }
                    true
                }
                Found::Unreadable(error) => {
                    report::failure(&session.talk, &error);
                    false
                }
                Found::Interrupted => {
                    session.talk.error("interrupted; what was still being fetched is left out");
                    self.exit = Exit::Failed;
                    return Ok(());
                }
            };
            if !is_good {
                self.exit = Exit::Failed;
            }
        }
        Ok(())
    }

    /// Says whether all is as it should be.
    fn exchange(&mut self, exchange: &Exchange, session: &mut Session) -> anyhow::Result<bool> {
        if let Some(file) = &mut self.file {
            file.write(exchange)?;
        }
        if let Outcome::Failed(Failure::AddressRefused(kind)) = exchange.outcome {
            self.refused = Some(self.refused.filter(|known| *known != Kind::Metadata).unwrap_or(kind));
        }
        let is_shown = if self.is_closed {
            // With --body the lines go to standard error, which is open.
            if self.body {
                session.talk.note(&row::line(exchange));
            }
            true
        } else {
            let shown = show(exchange, self.body, session);
            self.unless_closed(shown, true)?
        };
        Ok(is_shown && is_good(&exchange.outcome))
    }

    fn no_url(&mut self, no_url: &NoUrl, session: &mut Session) -> anyhow::Result<()> {
        let NoUrl { text, reason, place } = no_url;
        let place = place.as_ref().map(|(list, line)| format!("{list}, line {line}: ")).unwrap_or_default();
        session.talk.error(&format!("{place}`{text}`: {reason}"));
        if session.globals.json && !self.is_closed {
            let printed = session.out.json(&row::BadRow::new(text, reason));
            let printed = printed.and_then(|()| session.out.finish());
            self.unless_closed(printed, ())?;
        }
        Ok(())
    }

    /// Where a file is written, that is the result: that nobody reads the lines any more does not end the work.
    fn unless_closed<T>(&mut self, printed: anyhow::Result<T>, otherwise: T) -> anyhow::Result<T> {
        match printed {
            Err(error) if self.file.is_some() && was_closed(&error) => {
                self.is_closed = true;
                Ok(otherwise)
            }
            printed => printed,
        }
    }
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
