//! `varve jobs log`: the log or a report of a job, be it at work or long in the archive (B8, D9).

use std::fs::File;
use std::io::{self, Read};

use anyhow::Context as _;
use archive::Archive;

use super::hinted;
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

    /// Which file: crawl.log, filtered.log, job.toml, seeds.txt, crawl-report.txt, …
    #[arg(value_name = "FILE", default_value = "crawl.log")]
    file: String,

    /// List the files that there are instead
    #[arg(long, conflicts_with = "file")]
    list: bool,
}

/// Where the files of a job at work lie.
const FOLDERS: [&str; 3] = ["logs", "reports", "."];

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = newest(&archive, &args.job)?;
    if args.list {
        for file in files(&archive, &name)? {
            session.out.line(file)?;
        }
        session.out.finish()?;
        return Ok(Exit::Done);
    }
    let mut found = open(&archive, &name, &args.file)?;
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

/// `last` is the newest of all jobs, at work or committed.
pub(super) fn newest(archive: &Archive, name: &str) -> anyhow::Result<String> {
    if name != "last" {
        return Ok(name.to_owned());
    }
    let at_work = crawl::Job::list(archive)?.into_iter().map(|job| (job.started, job.name));
    let snapshot = archive.snapshot()?;
    let committed = snapshot.commits().iter().map(|commit| (commit.at, commit.name.clone()));
    match at_work.chain(committed).max() {
        Some((_, name)) => Ok(name),
        None => Err(with_hint(
            anyhow::anyhow!("there is no job in this archive"),
            "`varve harvest URL` begins one",
        )),
    }
}

/// The names of a job's files.
pub(super) fn files(archive: &Archive, name: &str) -> anyhow::Result<Vec<String>> {
    let folder = crawl::work(archive).join(name);
    if !folder.is_dir() {
        let notes = archive.notes(name)?;
        let names = notes.iter().filter_map(|note| note.rsplit('/').next());
        return Ok(names.map(str::to_owned).collect());
    }
    let mut names = Vec::new();
    for inside in FOLDERS {
        let entries = folder.join(inside).read_dir().into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        names.extend(files.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    }
    names.retain(|name| name.contains('.'));
    names.sort();
    Ok(names)
}

/// One of them.
pub(super) fn open(archive: &Archive, name: &str, file: &str) -> anyhow::Result<Box<dyn Read>> {
    let folder = crawl::work(archive).join(name);
    let is_plain = !file.contains(['/', '\\']) && file != "..";
    if folder.is_dir() && is_plain {
        for inside in FOLDERS {
            if let Ok(found) = File::open(folder.join(inside).join(file)) {
                return Ok(Box::new(found));
            }
        }
    } else if let Some(found) = archive.note(name, file)? {
        return Ok(found);
    }
    let is_known = folder.is_dir() || archive.snapshot()?.commits().iter().any(|commit| commit.name == name);
    if !is_known {
        return Err(hinted(crawl::Error::NoSuchJob { name: name.to_owned() }, name));
    }
    let error = anyhow::anyhow!("job `{name}` has no file `{file}`");
    Err(with_hint(error, format!("`varve jobs log {name} --list` lists those that it has")))
}
