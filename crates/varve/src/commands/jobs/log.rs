//! `varve jobs log`: the log or a report of a job, be it at work or long in the archive (B8, D9).

use std::io::{self, Read};

use anyhow::Context as _;
use api::jobs::IMPORT_FILE;
use archive::Archive;

use super::{hinted_of, import};
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::terminal::Lines;

/// Print the log or a report of a job
///
/// `crawl.log` has a line for each URL that was dealt with, as Heritrix writes it. What a job leaves is kept in the archive: its
/// settings, logs and reports can be printed years later.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of a job, or `last`
    #[arg(value_name = "JOB", default_value = "last")]
    job: String,

    /// Which file: crawl.log, filtered.log, job.toml, seeds.txt, crawl-report.txt, … [default: crawl.log; of an import, import.jsonl]
    #[arg(value_name = "FILE")]
    file: Option<String>,

    /// List the files that there are instead
    #[arg(long, conflicts_with = "file")]
    list: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = newest(&archive, &args.job)?;
    if args.list {
        for file in api::jobs::files(&archive, &name).map_err(hinted_of)? {
            session.out.line(file)?;
        }
        session.out.finish()?;
        return Ok(Exit::Done);
    }
    let file = match args.file {
        Some(file) => file,
        None => usual(&archive, &name)?.to_owned(),
    };
    let mut found = api::jobs::open(&archive, &name, &file).map_err(hinted_of)?;
    if session.out.is_terminal() {
        // URLs and the like are others' words.
        let mut lines = Lines::new(&mut session.out);
        print(&mut found, &mut lines)?;
        lines.finish().context(CANNOT_PRINT)?;
    } else {
        print(&mut found, &mut session.out)?;
    }
    session.out.finish()?;
    Ok(Exit::Done)
}

const CANNOT_PRINT: &str = "cannot write to standard output";

fn print(found: &mut dyn Read, to: &mut impl io::Write) -> anyhow::Result<()> {
    let mut piece = vec![0; 64 << 10];
    loop {
        match found.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => to.write_all(piece.get(..count).unwrap_or_default()).context(CANNOT_PRINT)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error).context("cannot read it to its end"),
        }
    }
}

/// The file that tells most of a job.
fn usual(archive: &Archive, name: &str) -> anyhow::Result<&'static str> {
    Ok(if import(archive, name)?.is_some() { IMPORT_FILE } else { "crawl.log" })
}

/// `last` is the newest of all jobs, at work or committed.
pub(super) fn newest(archive: &Archive, name: &str) -> anyhow::Result<String> {
    if name != "last" {
        return Ok(name.to_owned());
    }
    api::jobs::newest(archive).map_err(hinted_of)?.ok_or_else(|| {
        with_hint(anyhow::anyhow!("there is no job in this archive"), "`varve harvest URL` begins one")
    })
}
