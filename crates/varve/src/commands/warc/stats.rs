//! `varve warc stats`: what is in these files?

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Serialize;
use warc::parallel::{Emit, Section};
use warc::{Extent, Fault};

use super::row::Row;
use crate::exit::Exit;
use crate::reading::{self, ArchiveFile, Counted, Reading};
use crate::session::Session;
use crate::terminal::{Chart, bytes, counted, grouped};

/// Different hosts or media types that are counted by name; what comes after counts as `(other)`.
const NAMES_MAX: usize = 200_000;
/// Records that a worker counts before it hands them on.
const BATCH_RECORDS: u64 = 5000;
/// Faults that a worker collects before it hands them on.
const BATCH_FAULTS: usize = 1000;
/// Characters of a name that are kept; a header may have a media type of a megabyte.
const NAME_CHARS: usize = 200;

/// Count records and bytes by type, media type, status and host
///
/// Media types, statuses and hosts are those of responses, resources, revisits and conversions; bytes are those of
/// the records' blocks.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC or ARC files, compressed or not; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Show this many media types, statuses and hosts
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    #[command(flatten)]
    reading: Reading,
}

/// How many, and how much.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Amount {
    records: u64,
    bytes: u64,
}

type Counts = HashMap<String, Amount>;

#[derive(Default)]
struct Stats {
    total: Amount,
    stored_bytes: u64,
    types: Counts,
    mimes: Counts,
    statuses: Counts,
    hosts: Counts,
    faults: Vec<Fault>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut all = Stats::default();
    let mut damaged = false;
    let outcome = reading::read(
        session,
        &args.files,
        args.reading.options(),
        args.reading.jobs,
        count,
        |session, file, batch: Stats| {
            damaged |= reading::warn(session, file, &batch.faults);
            all.merge(batch);
            Ok(())
        },
    )?;
    print(&all, args.files.len(), args.top, session)?;
    Ok(if outcome.is_sound() && !damaged { Exit::Done } else { Exit::Failed })
}

fn count(
    file: &ArchiveFile,
    section: &mut Section<Counted>,
    emit: &mut Emit<'_, Stats>,
) -> Result<(), warc::Error> {
    let mut batch = Stats::default();
    let result = count_all(file, section, emit, &mut batch);
    // What was counted before an error still counts.
    batch.faults.extend(section.reader().take_faults());
    emit.send(batch)?;
    result
}

fn count_all(
    file: &ArchiveFile,
    section: &mut Section<Counted>,
    emit: &mut Emit<'_, Stats>,
    batch: &mut Stats,
) -> Result<(), warc::Error> {
    let mut last = Extent { offset: u64::MAX, length: 0 };
    while let Some(mut record) = section.next_record()? {
        let row = Row::of(&file.name, &mut record)?;
        let (extent, faults) = record.finish_with_faults()?;
        batch.faults.extend(faults);
        // Records that share a member have one place between them, whose length may be known only at the last of them.
        let told = if extent.offset == last.offset { last.length } else { 0 };
        batch.add(&row, extent.length.saturating_sub(told));
        last = Extent { offset: extent.offset, length: extent.length.max(told) };
        if batch.total.records >= BATCH_RECORDS || batch.faults.len() >= BATCH_FAULTS {
            emit.send(std::mem::take(batch))?;
        }
    }
    Ok(())
}

impl Stats {
    fn add(&mut self, row: &Row<'_>, stored: u64) {
        let amount = Amount { records: 1, bytes: row.content_length.unwrap_or(0) };
        self.stored_bytes += stored;
        self.total.add(amount);
        let kind = row.kind.as_deref().unwrap_or("(none)");
        add(&mut self.types, kind, amount);
        if !matches!(kind, "response" | "resource" | "revisit" | "conversion") {
            return;
        }
        add(&mut self.mimes, row.mime.as_deref().unwrap_or("(none)"), amount);
        if let Some(status) = row.status {
            add(&mut self.statuses, &status.to_string(), amount);
        }
        if let Some(host) = row.uri.as_deref().map(urlkey::openwayback::host).filter(|host| !host.is_empty())
        {
            add(&mut self.hosts, &host, amount);
        }
    }

    fn merge(&mut self, other: Stats) {
        self.total.add(other.total);
        self.stored_bytes += other.stored_bytes;
        let pairs = [
            (&mut self.types, other.types),
            (&mut self.mimes, other.mimes),
            (&mut self.statuses, other.statuses),
            (&mut self.hosts, other.hosts),
        ];
        for (into, from) in pairs {
            for (name, amount) in from {
                add(into, &name, amount);
            }
        }
    }
}

impl Amount {
    fn add(&mut self, other: Amount) {
        self.records += other.records;
        self.bytes += other.bytes;
    }
}

fn add(counts: &mut Counts, name: &str, amount: Amount) {
    let end = name.char_indices().nth(NAME_CHARS).map_or(name.len(), |(end, _)| end);
    let name = name.get(..end).unwrap_or(name);
    if let Some(known) = counts.get_mut(name) {
        known.add(amount);
    } else {
        let name = if counts.len() < NAMES_MAX { name } else { "(other)" };
        counts.entry(name.to_owned()).or_default().add(amount);
    }
}

/// The largest first.
fn ranked(counts: &Counts) -> Vec<(&String, &Amount)> {
    let mut ranked: Vec<_> = counts.iter().collect();
    ranked.sort_by(|(a_name, a), (b_name, b)| b.bytes.cmp(&a.bytes).then_with(|| a_name.cmp(b_name)));
    ranked
}

fn print(all: &Stats, files: usize, top: usize, session: &mut Session) -> anyhow::Result<()> {
    let parts = [
        ("types", &all.types),
        ("media types", &all.mimes),
        ("statuses", &all.statuses),
        ("hosts", &all.hosts),
    ];
    if session.globals.json {
        let mut object = serde_json::json!({
            "files": files,
            "records": all.total.records,
            "bytes": all.total.bytes,
            "stored_bytes": all.stored_bytes,
        });
        for (name, counts) in parts {
            let ranked =
                ranked(counts).into_iter().map(|(name, amount)| (name.clone(), serde_json::json!(amount)));
            if let Some(object) = object.as_object_mut() {
                object.insert(name.replace(' ', "_"), serde_json::Value::Object(ranked.collect()));
            }
        }
        return session.out.json(&object);
    }
    let line = format!(
        "{} in {}: {}, stored in {}",
        counted(all.total.records, "record"),
        counted(files as u64, "file"),
        bytes(all.total.bytes),
        bytes(all.stored_bytes)
    );
    session.out.line(line)?;
    for (name, counts) in parts.into_iter().filter(|(_, counts)| !counts.is_empty()) {
        let ranked = ranked(counts);
        let hidden = ranked.len().saturating_sub(top);
        let heading = if hidden > 0 { format!("{name} ({hidden} more)") } else { name.to_owned() };
        session.out.line("")?;
        session.out.line(session.paint.strong(heading))?;
        let mut chart = Chart::default();
        for (name, amount) in ranked.into_iter().take(top) {
            chart.bar(name, amount.bytes, format!("{}  {}", bytes(amount.bytes), grouped(amount.records)));
        }
        for line in chart.lines() {
            session.out.line(line)?;
        }
    }
    Ok(())
}
