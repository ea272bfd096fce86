//! `varve index export`: the index as lines that other tools read.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use cdx::zipnum::{Locations, Settings, Writer};
use cdx::{Format, Layout};
use clap::ValueEnum;
use index::Captures;
use serde::Serialize;

use super::Which;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::{escape_bytes, grouped};
use crate::usage::wrong;

/// Bytes of lines that are written at once.
const BATCH_BYTES: usize = 64 << 10;

/// Write the index out, sorted, as pywb, OutbackCDX and other tools read it
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kind of lines
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Kind,

    #[command(flatten)]
    which: Which,

    /// Write to this file instead of standard output, whole or not at all; for zipnum what the names of its three files begin with
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace files that are there
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Key, time and a JSON object
    #[default]
    Cdxj,
    /// Eleven columns
    Cdx11,
    /// Nine columns, without robots flags and length
    Cdx9,
    /// CDXJ packed into blocks that can be searched, with their index
    Zipnum,
}

/// What was written.
#[derive(Serialize)]
struct Written {
    collection: String,
    rows: u64,
    file: PathBuf,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let snapshot = args.which.open(session)?.snapshot()?;
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let captures = snapshot.range(&everything);
    let (rows, file) = match (args.format, &args.output) {
        (Kind::Zipnum, Some(prefix)) => (zipnum(captures, prefix, args.force)?, prefix.clone()),
        (Kind::Zipnum, None) => {
            return Err(wrong(anyhow!("a ZipNum index is three files")))
                .hint("`--output PREFIX` says what their names begin with");
        }
        (kind, Some(path)) => (to_file(captures, &format(kind), path, args.force)?, path.clone()),
        (kind, None) => {
            to_stdout(captures, &format(kind), session)?;
            return Ok(Exit::Done);
        }
    };
    if session.globals.json {
        session.out.json(&Written { collection: args.which.collection, rows, file })?;
    } else {
        session.talk.note(&format!("{} captures: {}", grouped(rows), file.display()));
    }
    Ok(Exit::Done)
}

fn format(kind: Kind) -> Format {
    match kind {
        Kind::Cdxj | Kind::Zipnum => Format::Cdxj,
        Kind::Cdx11 => Format::Cdx(Layout::cdx11()),
        Kind::Cdx9 => Format::Cdx(Layout::cdx9()),
    }
}

/// Hands on the lines some at a time, each with its end, the header before them; how many captures there are.
fn lines(
    captures: Captures,
    format: &Format,
    mut write: impl FnMut(&[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut batch = Vec::with_capacity(BATCH_BYTES * 2);
    if let Some(header) = format.header() {
        batch.extend_from_slice(header.as_bytes());
        batch.push(b'\n');
    }
    let mut rows = 0;
    for capture in captures {
        format.write(&capture?, &mut batch);
        batch.push(b'\n');
        rows += 1;
        if batch.len() >= BATCH_BYTES {
            write(&batch)?;
            batch.clear();
        }
    }
    write(&batch)?;
    Ok(rows)
}

fn to_file(captures: Captures, format: &Format, path: &Path, force: bool) -> anyhow::Result<u64> {
    let mut file = NewFile::create(path, force)?;
    let rows = lines(captures, format, |batch| {
        file.write_all(batch).with_context(|| format!("cannot write `{}`", path.display()))
    })?;
    file.finish()?;
    Ok(rows)
}

/// Lines go as they are into files and pipes; on a terminal control characters are shown and not obeyed.
fn to_stdout(captures: Captures, format: &Format, session: &mut Session) -> anyhow::Result<()> {
    let is_terminal = session.out.is_terminal();
    lines(captures, format, |batch| {
        if !is_terminal {
            return session.out.write_all(batch).context("cannot write to standard output");
        }
        let lines = batch.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(escape_bytes).try_for_each(|line| session.out.line(line))
    })
    .map(|_| ())
}

fn zipnum(captures: Captures, prefix: &Path, force: bool) -> anyhow::Result<u64> {
    let beside = |ending: &str| {
        let mut path = prefix.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let data_path = beside(".cdx.gz");
    let part = data_path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let data = NewFile::create(&data_path, force)?;
    let index = NewFile::create(&beside(".idx"), force)?;
    let mut location = NewFile::create(&beside(".loc"), force)?;
    let mut writer = Writer::new(data, index, &part, Settings::default());
    let mut rows = 0;
    let mut line = Vec::new();
    for capture in captures {
        line.clear();
        Format::Cdxj.write(&capture?, &mut line);
        writer.push(&line).context("cannot pack the lines")?;
        rows += 1;
    }
    let (data, index) = writer.finish().context("cannot pack the lines")?;
    let mut locations = Locations::default();
    locations.parts.insert(part.clone(), vec![part]);
    locations.write_to(&mut location).context("cannot write the location file")?;
    data.finish()?;
    location.finish()?;
    index.finish()?;
    Ok(rows)
}
