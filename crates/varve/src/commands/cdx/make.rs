//! `varve cdx make`: from archive files to an index.

use std::path::PathBuf;

use anyhow::anyhow;
use warc::FaultKind;
use warc::parallel::{Emit, Section};

use super::sink::Target;
use super::what::What;
use super::worker::{Batch, Job};
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::reading::{self, ArchiveFile, Counted, Outcome, Reading};
use crate::session::Session;
use crate::usage::wrong;

/// Index WARC and ARC files: one line per capture, as pywb, OutbackCDX and other replay tools read it
///
/// Lines come in the order of the records unless --sort is given; replay tools want them sorted. They are the same as
/// cdxj-indexer's, or with --pywb as those of pywb's cdx-indexer. With --json each line is one JSON object.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC or ARC files, compressed or not; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Sort the lines, in temporary files where they do not fit in memory
    #[arg(short, long)]
    sort: bool,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    what: What,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let json = session.globals.json;
    args.what.check(&args.files, json).map_err(wrong)?;
    if let Some(path) = args.files.iter().find(|path| args.target.is(path)) {
        return Err(anyhow!("`{}` is a file to be read", path.display()))
            .hint("name another file to write to");
    }
    let reading = args.reading.options();
    let format = args.what.line_format(json);
    let options = args.what.options(json);
    let mut sink = args.target.open(args.sort.then(cdx::sort::Settings::default))?;
    if let Some(header) = format.header() {
        sink.lines(session, format!("{header}\n").as_bytes())?;
    }
    let is_divided = !options.needs_pairs();
    let job = Job { what: args.what, options, format, is_lenient: reading.lenient };
    let work = |file: &ArchiveFile, section: &mut Section<Counted>, emit: &mut Emit<'_, Batch>| {
        job.index(file, section, emit)
    };
    let mut damaged = false;
    let emit = |session: &mut Session, file: &ArchiveFile, batch: Batch| {
        sink.lines(session, &batch.lines)?;
        damaged |= reading::warn(session, file, &batch.faults) || batch.has_lost;
        if batch.faults.iter().any(|fault| fault.kind == FaultKind::SharedMember) {
            // Their lines all point at one place: an index that leads nowhere is no success.
            damaged = true;
            let name = &file.name;
            session
                .talk
                .hint(&format!("`varve warc convert {name} NEW` gives each record a place of its own"));
        }
        Ok(())
    };
    let jobs = args.reading.jobs;
    let outcome = if is_divided {
        reading::read(session, &args.files, reading, jobs, work, emit)?
    } else {
        reading::read_undivided(session, &args.files, reading, jobs, work, emit)?
    };
    let Outcome { failed } = outcome;
    if failed && sink.is_file() {
        let path = args.target.output.unwrap_or_default();
        return Err(anyhow!(
            "`{}` is not written, because an index of only a part would look whole",
            path.display()
        ))
        .hint("leave out the files that cannot be read, or index what can be read with `--lenient`");
    }
    sink.finish(session)?;
    Ok(if failed || damaged { Exit::Failed } else { Exit::Done })
}
