//! `varve watch export`: the watches as a list that this program or others read.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueEnum;

use crate::exit::Exit;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::{counted, escape};
use crate::watching::{Asking, Fault, Ready, entry_of};

/// Watches that are read at once.
const PAGE: u32 = 500;

/// Write the watches as a list
///
/// `jsonl` is our own form, which `varve watch import` reads again; others read `csv` and `opml`, which cannot say everything. What is lost
/// is told. Addresses of webhooks are written in full: keep the list as you keep them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Those of this person
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    /// Write it to this file, whole or not at all
    #[arg(short, long = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object a line; loses least
    #[default]
    Jsonl,
    /// A table
    Csv,
    /// An outline, for feed readers
    Opml,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let (wishes, after) = ready.ask(session, async |desk| {
        let (mut wishes, mut behind) = (Vec::new(), 0);
        loop {
            let page = desk.monitor.find_watches(args.person.as_deref(), None, behind, PAGE).await;
            let page = page.map_err(Fault::from)?;
            let Some(last) = page.last() else { return Ok(wishes) };
            behind = last.id;
            wishes.extend(page.iter().map(|watch| desk.wish(watch)));
        }
    })?;
    let (mut entries, mut lost) = (Vec::new(), Vec::new());
    for wish in &wishes {
        let (entry, unsaid) = entry_of(wish, ready.usual.gone_after);
        if !unsaid.is_empty() {
            lost.push(format!("{}: {}", wish.url, unsaid.join(", ")));
        }
        entries.push(entry);
    }
    let text = match args.format {
        Format::Jsonl => watchlist::jsonl::write(&entries),
        Format::Csv => {
            let written = watchlist::table::write(&entries);
            lost.extend(written.lost);
            written.text
        }
        Format::Opml => {
            let written = watchlist::opml::write("varve", &entries);
            lost.extend(written.lost);
            written.text
        }
    };
    match &args.out {
        Some(path) => {
            let mut file = NewFile::create(path, args.force)?;
            file.write_all(text.as_bytes()).context("cannot write the list")?;
            file.finish()?;
            let written = counted(entries.len() as u64, "watch").replace("watchs", "watches");
            session.talk.note(&format!("{written} written to {}", path.display()));
        }
        None => session.out.text(&text)?,
    }
    session.out.finish()?;
    for line in lost {
        session.talk.warning(&format!("not in the list: {}", escape(&line)));
    }
    after.finish(session);
    Ok(Exit::Done)
}
