//! `varve warc repair`: salvages what is readable, and says what was lost.

use std::path::{Path, PathBuf};

use serde::Serialize;
use settings::Input;
use transfer::import::{Salvaged, Salvaging, salvage};

use super::check;
use super::output_file::Target;
use crate::exit::Exit;
use crate::jobs::Jobs;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape, grouped};

/// Write what is readable of a damaged file to a new one, and say what was lost
///
/// Whole records are kept as they are, header and block. Of a record that breaks off, what is there is kept, with its
/// true length and `WARC-Truncated: unspecified`, and without the digests that no longer fit. A record whose compressed
/// member has a wrong checksum is kept with its digests and marked `X-Varve-Salvaged`. --whole leaves both out. ARC
/// becomes WARC. The damaged file is not touched. The new file is checked as `varve warc check` does; the exit code is 1 if it does
/// not pass.
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
#[derive(Serialize)]
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
    /// Whether the new file passes `varve warc check`.
    ok: bool,
    /// Problems of the new file that `varve warc check` finds.
    out_problems: u64,
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
    let mut out = args.target.create(&args.input)?;
    let how = Salvaging { whole_only: args.whole, drop_digests: false };
    let source = progress.clone().around(input);
    let salvaged =
        salvage(source, (&name, &args.target.out), out.writer(), how).map_err(|error| match error {
            // What was read is not to blame for a full disk.
            error @ warc::Error::Write(_) => anyhow::Error::new(error).context("cannot copy a record"),
            error => anyhow::Error::new(error).context(format!("cannot read `{name}`")),
        })?;
    let out_bytes = out.finish()?;
    let shown = args.target.out.to_string_lossy().into_owned();
    let mut summary = Summary::of(name, shown, salvaged, out_bytes);
    progress.finish();
    let problems = check_result(&args.target.out, &mut summary, session)?;
    print(&summary, session)?;
    if !summary.ok {
        session.out.finish()?;
        session.talk.error(&format!("{} does not pass `varve warc check`: {problems}", summary.out));
        session
            .talk
            .way_out(&format!("`varve warc check {}` shows each problem with its place", summary.out));
    }
    Ok(if summary.ok { Exit::Done } else { Exit::Failed })
}

/// Reads the new file as `varve warc check` does; what is wrong with it, by kind. A file without a record does not pass either.
fn check_result(out: &Path, summary: &mut Summary, session: &mut Session) -> anyhow::Result<String> {
    let (mut ok, mut problems) = (true, String::new());
    let is_read = check::judge(session, &[out.to_owned()], Jobs::default(), |_, verdict| {
        ok &= verdict.ok;
        summary.out_problems += verdict.bad;
        problems = verdict.problems();
        Ok(())
    })?;
    summary.ok = ok && is_read;
    Ok(problems)
}

impl Summary {
    fn of(file: String, out: String, salvaged: Salvaged, out_bytes: u64) -> Summary {
        let row = |fault: warc::Fault| FaultRow {
            offset: fault.offset,
            kind: fault.kind.name(),
            message: fault.message,
        };
        Summary {
            file,
            out,
            records: salvaged.records,
            partial: salvaged.partial,
            damaged: salvaged.damaged,
            dropped: salvaged.dropped,
            lost_bytes: salvaged.lost_bytes,
            out_bytes,
            ok: false,
            out_problems: 0,
            fault_count: salvaged.fault_count,
            faults: salvaged.faults.into_iter().map(row).collect(),
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
