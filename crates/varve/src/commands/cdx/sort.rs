//! `varve cdx sort`: one sorted index from any number of files.

use std::path::PathBuf;

use anyhow::Context as _;
use cdx::sort::Settings;
use cdx::{Limits, Lines, is_header};

use super::key_lines::{self, KeyLines};
use super::sink::{Sink, Target};
use crate::exit::Exit;
use crate::session::Session;

/// Sort CDX or CDXJ files into one, as replay tools want them: by bytes, like LC_ALL=C sort, the header first
///
/// The files need not be sorted. Lines that do not fit in memory wait in temporary files ($TMPDIR says where). The output
/// may be one of the files.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// CDX or CDXJ files, plain or gzip; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Leave out lines that are there already
    #[arg(short, long)]
    unique: bool,

    #[command(flatten)]
    target: Target,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let (files, progress) = key_lines::open_all(session, &args.files, "sorting")?;
    let mut sink = args.target.open(Some(Settings { unique: args.unique, ..Settings::default() }))?;
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let mut header = None;
    for (input, file) in files.into_iter().enumerate() {
        take(file, input, &names, &mut header, &mut sink, session)?;
    }
    progress.finish();
    sink.finish(session)?;
    Ok(Exit::Done)
}

/// Hands on the lines of a file. Its header must be that of the files before; lines of metadata describe one file and
/// do not survive.
fn take(
    file: KeyLines,
    input: usize,
    names: &[String],
    header: &mut Option<Vec<u8>>,
    sink: &mut Sink,
    session: &mut Session,
) -> anyhow::Result<()> {
    let name = file.name;
    let mut lines = Lines::new(file.lines, &Limits::default());
    let mut batch = Vec::new();
    while lines.advance().with_context(|| format!("cannot read `{name}`"))? {
        let line = lines.line();
        if is_header(line) {
            if line.starts_with(b"!") {
                continue;
            }
            let known = header.get_or_insert_with(|| line.to_vec());
            if known.as_slice() != line {
                let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
                let (expected, found) = (text(known), text(line));
                return Err(key_lines::explain(cdx::Error::HeadersDiffer { input, expected, found }, names));
            }
        }
        batch.extend_from_slice(line);
        batch.push(b'\n');
        if batch.len() >= 64 << 10 {
            sink.lines(session, &batch)?;
            batch.clear();
        }
    }
    sink.lines(session, &batch)
}
