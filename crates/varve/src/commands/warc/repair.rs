//! `varve warc repair`: salvages what is readable, and says what was lost.

use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::PathBuf;

use anyhow::Context as _;
use serde::Serialize;
use tempfile::SpooledTempFile;
use warc::{Draft, Fault, FaultKind, Limits, Name, Options, Reader, Record, Severity, Writer};

use super::convert::{self, Conversion};
use super::output_file::Target;
use crate::exit::Exit;
use crate::input::Input;
use crate::new_file::NewFile;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape, grouped};

/// A block up to this size is held in memory until its length is known; a longer one goes to a temporary file.
const SPOOL_BYTES: usize = 4 << 20;

/// Write what is readable of a damaged file to a new one, and say what was lost
///
/// Whole records are kept as they are, header and block. Of a record that breaks off, what is there is kept, with its
/// true length and `WARC-Truncated: unspecified`, and without the digests that no longer fit; --whole leaves such
/// records out. ARC records become WARC records.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The damaged WARC or ARC file; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    target: Target,

    /// Leave out records that break off
    #[arg(long)]
    whole: bool,
}

/// What became of the file, as `--json` prints it.
#[derive(Default, Serialize)]
struct Summary {
    file: String,
    out: String,
    /// Records written.
    records: u64,
    /// Of these, records whose block breaks off.
    partial: u64,
    /// Records that were left out because their block breaks off.
    dropped: u64,
    /// Bytes of the damaged file that belong to no record.
    lost_bytes: u64,
    out_bytes: u64,
    faults: Vec<FaultRow>,
}

#[derive(Serialize)]
struct FaultRow {
    offset: u64,
    kind: &'static str,
    message: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let input = Input::open(&args.input)?;
    let name = input.name.clone();
    let progress = Progress::bytes(&session.talk, "repairing", input.size_bytes);
    let options = Options { lenient: true, verify: true, limits: Limits::default() };
    let failed = || format!("cannot read `{name}`");
    let mut out = args.target.create(&args.input)?;
    let mut reader = Reader::new(progress.clone().around(input), options).with_context(failed)?;
    let mut summary = Summary {
        file: name.clone(),
        out: args.target.out.to_string_lossy().into_owned(),
        ..Summary::default()
    };
    let conversion = Conversion::of(&name);
    while let Some(record) = reader.next_record().with_context(failed)? {
        salvage(record, &conversion, out.writer(), args.whole, &mut summary)?;
    }
    summary.tell(reader.take_faults());
    summary.out_bytes = out.finish()?;
    progress.finish();
    print(&summary, session)?;
    Ok(Exit::Done)
}

fn salvage<R: Read>(
    mut record: Record<'_, R>,
    conversion: &Conversion,
    writer: &mut Writer<NewFile>,
    whole_only: bool,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let head = record.head().clone();
    let offset = record.offset();
    let said = record.left();
    let mut block = SpooledTempFile::new(SPOOL_BYTES);
    let length = io::copy(&mut record, &mut block).context("cannot set a block aside")?;
    block.seek(SeekFrom::Start(0))?;
    let (_, faults) = record.finish_with_faults()?;
    let partial = length < said || faults.iter().any(|fault| fault.kind == FaultKind::WrongLength);
    summary.tell(faults);
    if partial && whole_only {
        summary.dropped += 1;
        return Ok(());
    }
    summary.records += 1;
    summary.partial += u64::from(partial);
    if head.version().is_arc() {
        return conversion.write(&head, offset, length, &mut block, writer);
    }
    let mut draft = Draft::like(&head);
    if partial {
        draft = draft.with(Name::Truncated, "unspecified");
        draft.remove(Name::BlockDigest);
        draft.remove(Name::PayloadDigest);
    }
    convert::write(writer, &draft, length, &mut block)
}

impl Summary {
    fn tell(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            if fault.kind == FaultKind::Garbage {
                self.lost_bytes += lost(&fault.message);
            }
            if fault.kind.severity() != Severity::Advice {
                let (kind, message) = (fault.kind.name(), fault.message);
                self.faults.push(FaultRow { offset: fault.offset, kind, message });
            }
        }
    }
}

/// The number that a fault about lost bytes begins with.
fn lost(message: &str) -> u64 {
    message.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn print(summary: &Summary, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(summary);
    }
    for fault in &summary.faults {
        session.out.line(format!("at byte {}: {}", fault.offset, escape(&fault.message)))?;
    }
    let mut line = format!(
        "{}, {} written to {}",
        counted(summary.records, "record"),
        bytes(summary.out_bytes),
        escape(&summary.out)
    );
    if summary.partial > 0 {
        line.push_str(&format!("; of these, {} with a block that breaks off", grouped(summary.partial)));
    }
    if summary.dropped > 0 {
        line.push_str(&format!(
            "; {} left out because the block breaks off",
            counted(summary.dropped, "record")
        ));
    }
    if summary.lost_bytes > 0 {
        line.push_str(&format!("; {} lost", counted(summary.lost_bytes, "byte")));
    }
    session.out.line(line)
}
