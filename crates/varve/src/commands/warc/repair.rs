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

/// Faults that are listed; further ones are counted.
const FAULTS_KEPT: usize = 10_000;
/// The field that marks a record whose bytes nothing vouches for.
const SALVAGED: (&str, &str) = ("X-Varve-Salvaged", "checksum of the compressed member was wrong");

/// Write what is readable of a damaged file to a new one, and say what was lost
///
/// Whole records are kept as they are, header and block. Of a record that breaks off, what is there is kept, with its
/// true length and `WARC-Truncated: unspecified`, and without the digests that no longer fit. A record whose compressed
/// member has a wrong checksum is kept with its digests and marked `X-Varve-Salvaged`. --whole leaves both out. ARC
/// becomes WARC. The damaged file is not touched.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The damaged WARC or ARC file; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    target: Target,

    /// Leave out records that break off or whose checksum is wrong
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
    /// Of these, whole records in a member whose checksum is wrong.
    damaged: u64,
    /// Records that were left out: their header breaks off or lacks what every record needs, or --whole was given.
    dropped: u64,
    /// Bytes of the damaged file that belong to no record.
    lost_bytes: u64,
    out_bytes: u64,
    /// How many there are; more than are listed if there are very many.
    fault_count: u64,
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
    let mut conversion = Conversion::of(&name, &args.target.out);
    while let Some(record) = reader.next_record().with_context(failed)? {
        salvage(record, &mut conversion, out.writer(), args.whole, &mut summary)?;
    }
    summary.tell(reader.take_faults());
    summary.out_bytes = out.finish()?;
    progress.finish();
    print(&summary, session)?;
    // A file without a record is not what anybody calls repaired.
    Ok(if summary.records > 0 { Exit::Done } else { Exit::Failed })
}

fn salvage<R: Read>(
    mut record: Record<'_, R>,
    conversion: &mut Conversion,
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
    // Faults of what lies before the record come with it too.
    let has = |kind: FaultKind| faults.iter().any(|fault| fault.kind == kind && fault.offset == offset);
    let partial = length < said || has(FaultKind::WrongLength);
    let damaged = !partial && has(FaultKind::BadMember);
    let headless = has(FaultKind::TruncatedHead);
    summary.tell(faults);
    let (draft, unwritable) = Draft::like(&head).sanitized();
    let needed = [Name::RecordType, Name::RecordId, Name::Date];
    let is_arc = head.version().is_arc();
    let nameless = !is_arc && needed.into_iter().any(|name| draft.get(name).is_none());
    let place = conversion.place(&head, offset);
    if headless || nameless || whole_only && (partial || damaged) {
        summary.dropped += 1;
        return Ok(());
    }
    summary.records += 1;
    summary.partial += u64::from(partial);
    summary.damaged += u64::from(damaged);
    if is_arc {
        let mark = |draft: Draft| {
            let (draft, unwritable) = draft.sanitized();
            summary.tell_unwritable(offset, &unwritable);
            marked(draft, partial, damaged)
        };
        return conversion.write(&head, place, mark, length, &mut block, writer);
    }
    summary.tell_unwritable(offset, &unwritable);
    let mut draft = marked(draft, partial, damaged);
    if partial {
        draft.remove(Name::BlockDigest);
        draft.remove(Name::PayloadDigest);
    }
    convert::write(writer, &draft, length, &mut block)
}

/// The header with what must be known about its block.
fn marked(mut draft: Draft, partial: bool, damaged: bool) -> Draft {
    if partial {
        draft = draft.with(Name::Truncated, "unspecified");
    }
    if damaged {
        draft = draft.with_named(SALVAGED.0, SALVAGED.1);
    }
    draft
}

impl Summary {
    fn tell(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            self.lost_bytes += fault.lost_bytes;
            if fault.kind.severity() != Severity::Advice {
                let (kind, message) = (fault.kind.name(), fault.message);
                self.push(FaultRow { offset: fault.offset, kind, message });
            }
        }
    }

    fn tell_unwritable(&mut self, offset: u64, names: &[String]) {
        for name in names {
            let message = format!("the field `{name}` cannot be written and is left out");
            self.push(FaultRow { offset, kind: FaultKind::InvalidField.name(), message });
        }
    }

    fn push(&mut self, fault: FaultRow) {
        self.fault_count += 1;
        if self.faults.len() < FAULTS_KEPT {
            self.faults.push(fault);
        }
    }
}

fn print(summary: &Summary, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(summary);
    }
    for fault in &summary.faults {
        session.out.line(format!("at byte {}: {}", fault.offset, escape(&fault.message)))?;
    }
    let hidden = summary.fault_count.saturating_sub(summary.faults.len() as u64);
    if hidden > 0 {
        session.out.line(format!("… and {} more", counted(hidden, "fault")))?;
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
    if summary.damaged > 0 {
        let damaged = grouped(summary.damaged);
        line.push_str(&format!("; of these, {damaged} in a member whose checksum is wrong"));
    }
    if summary.dropped > 0 {
        line.push_str(&format!("; {} left out as damaged", counted(summary.dropped, "record")));
    }
    if summary.lost_bytes > 0 {
        line.push_str(&format!("; {} lost", counted(summary.lost_bytes, "byte")));
    }
    session.out.line(line)
}
