//! `varve cdx make`: from archive files to an index.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::anyhow;
use cdx::make::{Indexer, Options};
use cdx::{Capture, Extra, Format, Value};
use warc::parallel::{Emit, Section, Source as _};
use warc::{Algorithm, Fault, FaultKind, Hasher};

use super::sink::Target;
use super::what::What;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::reading::{self, ArchiveFile, Counted, Outcome, Reading};
use crate::report;
use crate::session::Session;

/// Bytes of lines that a worker collects before it hands them on.
const BATCH_BYTES: usize = 64 << 10;

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

/// Some lines, and what was wrong with the records in them.
#[derive(Default)]
struct Batch {
    lines: Vec<u8>,
    faults: Vec<Fault>,
    /// A record could not be indexed.
    has_lost: bool,
}

/// All that a worker needs to know.
struct Job {
    what: What,
    options: Options,
    format: Format,
    is_lenient: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let json = session.globals.json;
    if let Err(error) = args.what.check(&args.files, json) {
        report::failure(&session.talk, &error);
        return Ok(Exit::Usage);
    }
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
        Ok(())
    };
    let jobs = args.reading.jobs;
    let outcome = if is_divided {
        reading::read(session, &args.files, reading, jobs, work, emit)?
    } else {
        reading::read_undivided(session, &args.files, reading, jobs, work, emit)?
    };
    let Outcome { failed, damaged: met_damage } = outcome;
    if failed && sink.is_file() {
        let path = args.target.output.unwrap_or_default();
        return Err(anyhow!(
            "`{}` is not written, because an index of only a part would look whole",
            path.display()
        ))
        .hint("leave out the files that cannot be read, or index what can be read with `--lenient`");
    }
    sink.finish(session)?;
    Ok(if failed || damaged || met_damage { Exit::Failed } else { Exit::Done })
}

impl Job {
    /// Turns the records of a section into lines.
    fn index(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
    ) -> Result<(), warc::Error> {
        let mut batch = Batch::default();
        let result = self.index_until_error(file, section, emit, &mut batch);
        batch.faults.extend(section.reader().take_faults());
        emit.send(batch)?;
        result
    }

    fn index_until_error(
        &self,
        file: &ArchiveFile,
        section: &mut Section<Counted>,
        emit: &mut Emit<'_, Batch>,
        batch: &mut Batch,
    ) -> Result<(), warc::Error> {
        let other = |error: &dyn std::fmt::Display| warc::Error::Read {
            offset: 0,
            source: std::io::Error::other(error.to_string()),
        };
        let filename = self.what.filename(&file.name).map_err(|error| other(&error))?;
        let mut indexer = Indexer::new(&filename, self.options.clone()).map_err(|error| other(&error))?;
        let mut captures: Vec<Capture<'static>> = Vec::new();
        while let Some(record) = section.next_record()? {
            let offset = record.offset();
            let pushed = indexer.push(record, &mut |capture| captures.push(capture));
            match pushed.map_err(|error| cause(error, offset)) {
                Ok(()) => {}
                Err(warc::Error::Fault(fault)) if self.is_lenient => {
                    batch.faults.push(fault);
                    batch.has_lost = true;
                }
                Err(error) => return Err(error),
            }
            let faults = section.reader().take_faults();
            let is_cut = faults.iter().any(|fault| fault.kind == FaultKind::TruncatedHead);
            batch.faults.extend(faults);
            // Of a record whose header broke off nobody can say what it is; a line for it would be noise.
            captures.retain(|capture| !(is_cut && capture.key.is_none()));
            self.write(file, &mut captures, &mut batch.lines)?;
            if batch.lines.len() >= BATCH_BYTES {
                emit.send(std::mem::take(batch))?;
            }
        }
        indexer.finish(&mut |capture| captures.push(capture));
        self.write(file, &mut captures, &mut batch.lines)
    }

    fn write(
        &self,
        file: &ArchiveFile,
        captures: &mut Vec<Capture<'static>>,
        lines: &mut Vec<u8>,
    ) -> Result<(), warc::Error> {
        for mut capture in captures.drain(..) {
            if self.what.digest_records {
                let digest = digest_record(file, &capture)?;
                capture.extra.push(Extra::new("recordDigest", Value::Text(digest.into())));
            }
            self.format.write(&capture, lines);
            lines.push(b'\n');
        }
        Ok(())
    }
}

/// What stopped the indexer, as the file's fault where it is one.
fn cause(error: cdx::Error, offset: u64) -> warc::Error {
    match error {
        cdx::Error::Record(error) => error,
        // A body is read through `std::io`, which wraps the cause.
        cdx::Error::Read(error) => match error.downcast::<warc::Error>() {
            Ok(error) => error,
            Err(source) => warc::Error::Read { offset, source },
        },
        cdx::Error::NotHttp { line, .. } => {
            Fault::new(offset, FaultKind::UnknownValue, format!("no HTTP/1 message, but `{line}`")).into()
        }
        other => warc::Error::Read { offset, source: std::io::Error::other(other) },
    }
}

/// SHA-256 of a record as it lies in its file.
fn digest_record(file: &ArchiveFile, capture: &Capture<'_>) -> Result<String, warc::Error> {
    let offset = capture.offset.unwrap_or_default();
    let failed = |source| warc::Error::Read { offset, source };
    let mut record = file.open_at(offset).map_err(failed)?.take(capture.length.unwrap_or_default());
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut buffer = vec![0; 16 << 10];
    loop {
        match record.read(&mut buffer).map_err(failed)? {
            0 => return Ok(format!("sha256:{}", hasher.finish().hex())),
            count => hasher.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}
