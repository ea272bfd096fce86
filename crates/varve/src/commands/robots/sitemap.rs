//! `varve robots sitemap`: what a sitemap or feed lists.

use std::io::BufReader;
use std::path::PathBuf;

use robots::Limits;
use robots::sitemap::{self, Entry, Format};
use serde::Serialize;
use settings::Input;
use urlkey::time::{Precision, to_warc_date};

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::escape;

/// List what a sitemap or feed names, one a line: what it is, when it last changed, its URL
///
/// Sitemaps and their indexes in XML or text, RSS and Atom, packed or not. A broken file gives what came before the fault,
/// and a warning. The exit code is 1 if the file is none of these.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Sitemaps; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// An entry as JSON.
#[derive(Serialize)]
struct Row<'a> {
    kind: &'static str,
    url: &'a str,
    lastmod: Option<String>,
    changefreq: Option<&'static str>,
    priority: Option<f32>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for file in &args.files {
        let input = match Input::open(file) {
            Ok(input) => input,
            // The others may be there.
            Err(error) if args.files.len() > 1 => {
                session.talk.error(&error.to_string());
                exit = Exit::Failed;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let name = input.name.clone();
        let mut printed = Ok(());
        let summary = sitemap::read(BufReader::new(input), &Limits::default(), |entry| {
            if printed.is_ok() {
                printed = print(session, &entry);
            }
        });
        printed?;
        for note in &summary.notes {
            session.talk.warning(&format!("{name}: {note}"));
        }
        if summary.format == Format::Unknown {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

fn print(session: &mut Session, entry: &Entry) -> anyhow::Result<()> {
    let lastmod = entry.lastmod.map(|date| {
        let text = to_warc_date(date.timestamp);
        // No more of it than the site has said.
        let length = match date.precision {
            Precision::Year => 4,
            Precision::Month => 7,
            Precision::Day => 10,
            _ => text.len(),
        };
        text.get(..length).unwrap_or(&text).to_owned()
    });
    if session.globals.json {
        return session.out.json(&Row {
            kind: entry.kind.name(),
            url: &entry.url,
            lastmod,
            changefreq: entry.changefreq.map(|frequency| frequency.name()),
            priority: entry.priority,
        });
    }
    let date = lastmod.as_deref().unwrap_or("-");
    session.out.line(format_args!("{}\t{date}\t{}", entry.kind.name(), escape(&entry.url)))
}
