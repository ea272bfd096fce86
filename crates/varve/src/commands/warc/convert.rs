//! `varve warc convert`: ARC to WARC, and from any compression to any other.

use std::io;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use serde::Serialize;
use settings::Input;
use transfer::import::Conversion;
use warc::{Draft, Fault, Limits, Options, Reader};

use super::output_file::Target;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape};

/// The way out of damage.
const REPAIR: &str = "`varve warc repair` writes what is readable to a new file";

/// Write a file anew: ARC as WARC, each record in a member of its own, compressed as wanted
///
/// WARC records keep their headers and blocks. An ARC record becomes a response with the fields its line has and with
/// digests; its record id follows from the file's name and its place in it, so that a second run gives the same file.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A WARC or ARC file, compressed or not; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    target: Target,
}

/// What was done, as `--json` prints it.
#[derive(Serialize)]
struct Summary {
    file: String,
    out: String,
    records: u64,
    out_bytes: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let input = Input::open(&args.input)?;
    let name = input.name.clone();
    let progress = Progress::bytes(&session.talk, "converting", input.size_bytes);
    let options = Options { lenient: false, verify: false, limits: Limits::default() };
    let failed = |error: warc::Error| -> anyhow::Error { with_hint(anyhow!("{name}: {error}"), REPAIR) };
    let mut out = args.target.create(&args.input)?;
    let mut reader = Reader::new(progress.clone().around(input), options).map_err(failed)?;
    let mut conversion = Conversion::of(&name, &args.target.out);
    let mut records = 0;
    while let Some(mut record) = reader.next_record().map_err(failed)? {
        records += 1;
        let head = record.head().clone();
        let (offset, length) = (record.offset(), record.left());
        let copied = if head.version().is_arc() {
            let place = conversion.place(&head, offset);
            conversion.write(&head, place, |draft| draft, length, &mut record, out.writer())
        } else {
            out.writer().write_from(&Draft::like(&head), length, &mut record)
        };
        copied.context("cannot copy a record").map_err(|error| explain(error, &name, offset))?;
        warn(session, &name, reader.take_faults());
    }
    warn(session, &name, reader.take_faults());
    let out_bytes = out.finish()?;
    progress.finish();
    let summary =
        Summary { file: name, out: args.target.out.to_string_lossy().into_owned(), records, out_bytes };
    if session.globals.json {
        session.out.json(&summary)?;
    } else {
        let written = bytes(summary.out_bytes);
        let records = counted(records, "record");
        session.out.line(format!("{records}, {written} written to {}", escape(&summary.out)))?;
    }
    Ok(Exit::Done)
}

/// What is odd in the old file does not stop its conversion, and should be known.
fn warn(session: &Session, name: &str, faults: Vec<Fault>) {
    for fault in faults {
        session.talk.warning(&format!("{name}: {fault}"));
    }
}

/// Which record could not be copied; and the way out, if it is the record that is to blame and not the disk.
fn explain(error: anyhow::Error, name: &str, offset: u64) -> anyhow::Error {
    let is_unsound =
        |error: &warc::Error| error.fault().is_some() || matches!(error, warc::Error::FieldValue { .. });
    let blamed = error.chain().any(|cause| {
        let inner = cause.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        let inner = inner.and_then(|inner| inner.downcast_ref::<warc::Error>());
        inner.or_else(|| cause.downcast_ref::<warc::Error>()).is_some_and(is_unsound)
    });
    let error = error.context(format!("{name}: at byte {offset}: this record cannot be copied"));
    if blamed { with_hint(error, REPAIR) } else { error }
}
