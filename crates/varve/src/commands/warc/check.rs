//! `varve warc check`: is every bit of these files as the standards and their own digests have it?

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use serde::Serialize;
use warc::parallel::{Emit, Section};
use warc::{Fault, FaultKind, Limits, Options, Severity, rules};

use crate::exit::Exit;
use crate::jobs::Jobs;
use crate::reading::{self, Found};
use crate::session::Session;
use crate::terminal::{counted, escape, grouped};

/// Faults of one file that are kept to be shown; further ones are counted.
const FAULTS_KEPT: usize = 10_000;
/// Faults of one file that people are shown without -v.
const FAULTS_SHOWN: usize = 10;
/// Records that a worker looks at before it hands on what it found.
const BATCH_RECORDS: u64 = 1000;

/// Validate structure, headers and digests; exit 1 if any file is bad
///
/// Every record is read to its last byte: compression and its checksums, headers by the standard, lengths, block and
/// payload digests. Advice (what the standard only recommends) is shown and does not make a file bad.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC or ARC files, compressed or not; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    jobs: Jobs,
}

/// The verdict on a file, as `--json` prints it.
#[derive(Default, Serialize)]
pub(super) struct Verdict {
    file: String,
    #[serde(skip)]
    number: usize,
    pub(super) ok: bool,
    records: u64,
    /// How many there are; more than are listed if there are very many.
    fault_count: u64,
    faults: Vec<FaultRow>,
    /// Those that are more than advice.
    #[serde(skip)]
    pub(super) bad: u64,
}

#[derive(Serialize)]
struct FaultRow {
    offset: u64,
    kind: &'static str,
    severity: &'static str,
    message: String,
}

#[derive(Default)]
struct Batch {
    records: u64,
    faults: Vec<Fault>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut all_ok = true;
    let is_read = judge(session, &args.files, args.jobs, |session, verdict| {
        all_ok &= verdict.ok;
        print(session, verdict)
    })?;
    Ok(if all_ok && is_read { Exit::Done } else { Exit::Failed })
}

/// Hands on the verdict on each file; whether all of them could be read.
pub(super) fn judge(
    session: &mut Session,
    files: &[PathBuf],
    jobs: Jobs,
    mut sink: impl FnMut(&mut Session, Verdict) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let options = Options { lenient: true, verify: true, limits: Limits::default() };
    // Files come one after another, so only the one that is being read is held.
    let mut current: Option<Verdict> = None;
    let outcome = reading::read_all(
        session,
        files,
        options,
        jobs,
        |_, section, emit| check(section, emit),
        |session, file, found: Found<'_, Batch>| {
            if let Some(done) = current.take_if(|verdict| verdict.number != file.number) {
                sink(session, done.finished())?;
            }
            let verdict = current.get_or_insert_with(|| Verdict {
                file: file.name.clone(),
                number: file.number,
                ..Verdict::default()
            });
            match found {
                Found::Value(batch) => verdict.add(batch),
                Found::Failure(error) => verdict.fail(error),
            }
            Ok(())
        },
    )?;
    if let Some(done) = current {
        sink(session, done.finished())?;
    }
    Ok(outcome.is_sound())
}

fn check<R: Read>(section: &mut Section<R>, emit: &mut Emit<'_, Batch>) -> Result<(), warc::Error> {
    let mut batch = Batch::default();
    let result = loop {
        match section.next_record() {
            Ok(Some(record)) => {
                batch.records += 1;
                batch.faults.extend(rules::faults(record.head(), record.offset()));
                match record.finish_with_faults() {
                    Ok((_, faults)) => batch.faults.extend(faults),
                    Err(error) => break Err(error),
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
        if batch.records >= BATCH_RECORDS || batch.faults.len() >= BATCH_RECORDS as usize {
            emit.send(std::mem::take(&mut batch))?;
        }
    };
    // What was found before an error is told all the same.
    batch.faults.extend(section.reader().take_faults());
    emit.send(batch)?;
    result
}

impl Verdict {
    fn add(&mut self, batch: Batch) {
        self.records += batch.records;
        for fault in batch.faults {
            let severity = fault.kind.severity();
            self.fault_count += 1;
            self.bad += u64::from(severity != Severity::Advice);
            if self.faults.len() < FAULTS_KEPT {
                self.faults.push(FaultRow {
                    offset: fault.offset,
                    kind: fault.kind.name(),
                    severity: match severity {
                        Severity::Advice => "advice",
                        Severity::Violation => "violation",
                        Severity::Damage => "damage",
                    },
                    message: fault.message,
                });
            }
        }
    }
}

impl Verdict {
    /// The file could not be opened, or not be read to its end.
    fn fail(&mut self, error: &anyhow::Error) {
        self.fault_count += 1;
        self.bad += 1;
        let message = format!("{error:#}");
        self.faults.push(FaultRow { offset: 0, kind: "unreadable", severity: "damage", message });
    }

    /// Nothing more comes.
    fn finished(mut self) -> Verdict {
        if self.records == 0 && self.fault_count == 0 {
            // A crawler that died at once leaves such files; nobody should take them for archives.
            let message = "the file is empty; an archive file holds at least one record";
            self.add(Batch { records: 0, faults: vec![Fault::new(0, FaultKind::UnknownFormat, message)] });
        }
        self.ok = self.bad == 0;
        self.faults.sort_by_key(|fault| fault.offset);
        self
    }

    /// The problems that make the file bad, by kind: `2 block-digest, 1 missing-field`.
    pub(super) fn problems(&self) -> String {
        by_kind(self.faults.iter().filter(|fault| fault.severity != "advice"))
    }
}

fn print(session: &mut Session, verdict: Verdict) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(&verdict);
    }
    let word =
        if verdict.ok { session.paint.good("ok").to_string() } else { session.paint.bad("bad").to_string() };
    let mut line = format!("{word}  {}  {}", escape(&verdict.file), counted(verdict.records, "record"));
    if verdict.fault_count > 0 {
        let faults = counted(verdict.fault_count, "fault");
        line.push_str(&format!(", {faults} ({})", by_kind(&verdict.faults)));
    }
    session.out.line(line)?;
    let shown = if session.globals.verbose > 0 { usize::MAX } else { FAULTS_SHOWN };
    for fault in verdict.faults.iter().take(shown) {
        session.out.line(format!("     at byte {}: {}", fault.offset, escape(&fault.message)))?;
    }
    let hidden = verdict.fault_count.saturating_sub(shown.min(verdict.faults.len()) as u64);
    if hidden > 0 {
        session
            .out
            .line(format!("     … and {} more; -v shows them, --json gives them all", grouped(hidden)))?;
    }
    if let Some(hint) = way_out(&verdict.faults) {
        session.out.finish()?;
        session.talk.hint(&hint.replace("FILE", &verdict.file));
    }
    Ok(())
}

fn by_kind<'a>(faults: impl IntoIterator<Item = &'a FaultRow>) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for fault in faults {
        *counts.entry(fault.kind).or_default() += 1;
    }
    let words: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    words.join(", ")
}

/// What can be done about it.
fn way_out(faults: &[FaultRow]) -> Option<&'static str> {
    let has = |kind: FaultKind| faults.iter().any(|fault| fault.kind == kind.name());
    let only_shared =
        faults.iter().all(|fault| fault.severity == "advice" || fault.kind == FaultKind::SharedMember.name());
    if has(FaultKind::SharedMember) && only_shared {
        return Some(
            "the records are sound; `varve warc convert FILE fixed.warc.gz` gives each its own member",
        );
    }
    let structural = [
        FaultKind::BadMember,
        FaultKind::TruncatedMember,
        FaultKind::TruncatedBlock,
        FaultKind::TruncatedHead,
        FaultKind::WrongLength,
        FaultKind::Garbage,
    ];
    structural
        .into_iter()
        .any(has)
        .then_some("`varve warc repair FILE OUT` writes what is readable to a new file")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// A disk that gives 200 records and then an error.
    struct FailingDisk;

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is broken"))
        }
    }

    impl warc::parallel::Source for FailingDisk {
        type Reader = io::Chain<io::Cursor<Vec<u8>>, Failing>;

        fn length(&self) -> u64 {
            0
        }

        fn open_at(&self, _: u64) -> io::Result<Self::Reader> {
            let record = format!("WARC/1.1\r\nContent-Length: 10000\r\n\r\n{}\r\n\r\n", "x".repeat(10_000));
            let records = io::Cursor::new(record.repeat(200).into_bytes());
            Ok(records.chain(Failing))
        }
    }

    #[test]
    fn what_was_found_before_an_error_is_told() {
        let (mut records, mut faults, mut failures) = (0, 0, 0);
        let options = Options { lenient: true, ..Options::default() };
        let work = |_, section: &mut Section<_>, emit: &mut Emit<'_, Batch>| check(section, emit);
        warc::parallel::read_files(&[FailingDisk], options, 1, work, |_, value| {
            match value {
                Ok(batch) => (records, faults) = (records + batch.records, faults + batch.faults.len()),
                Err(_) => failures += 1,
            }
            true
        });
        assert_eq!(failures, 1);
        // A reader looks ahead, so the error comes a little before the last record.
        assert!(records >= 100, "{records}");
        assert!(faults >= 100, "each record lacks fields: {faults}");
    }
}
