//! `varve vault status`: how it stands with every file in every replica.

use api::vault::AuditRow;
use catalogue::{Audit, Kind, State, Tally};
use serde::Serialize;
use supervisor::Kept;
use vault::Place;

use super::repair;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, bytes, counted, escape, grouped};

/// Copies that failed, told with why.
const SHOWN: u32 = 5;

/// Show how the files stand in each replica, and the last audits
///
/// Nothing is read but the catalogue, so this is quick however large the archive is. The exit code is 1 if a copy is missing, has
/// changed, or could not be made, or the folder of a replica is not there.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    files: u64,
    bytes: u64,
    accepted: u64,
    replicas: Vec<ReplicaRow<'a>>,
    given_up: &'a [String],
}

#[derive(Serialize)]
struct ReplicaRow<'a> {
    name: &'a str,
    kind: &'static str,
    verified: u64,
    on_the_way: u64,
    failed: u64,
    missing: u64,
    changed: u64,
    /// Whether its folder is there; a bucket's server is not asked.
    away: bool,
    audits: Vec<AuditRow>,
}

pub(crate) fn run(_: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let status = kept.vault.status()?;
    let replicas: Vec<ReplicaRow<'_>> = kept
        .vault
        .places()
        .iter()
        .map(|place| {
            let own = |state| count(&status.tallies, &place.name, state);
            ReplicaRow {
                name: &place.name,
                kind: place.kind.name(),
                verified: own(State::Verified),
                on_the_way: own(State::Wanted) + own(State::Uploading) + own(State::Uploaded),
                failed: own(State::Failed),
                missing: own(State::Missing),
                changed: own(State::Changed),
                away: is_away(place),
                audits: audits(&status.audits, &place.name),
            }
        })
        .collect();
    let is_good = replicas.iter().all(|row| row.failed + row.missing + row.changed == 0 && !row.away);
    let exit = if is_good { Exit::Done } else { Exit::Failed };
    let sums = status.sums;
    let row = Row {
        files: sums.files,
        bytes: sums.bytes,
        accepted: sums.accepted,
        replicas,
        given_up: &status.given_up,
    };
    if session.globals.json {
        session.out.json(&row)?;
        return Ok(exit);
    }
    print(&row, session)?;
    tell_failed(&kept, session)?;
    advise(&row, &kept, session);
    Ok(exit)
}

/// Whether the folder of a replica is gone, which the catalogue does not know before the next audit.
fn is_away(place: &Place) -> bool {
    let first = || place.replica.each_name(&mut |_| Err(store::Error::Stopped));
    place.kind != Kind::Bucket && !matches!(first(), Ok(()) | Err(store::Error::Stopped))
}

fn count(tallies: &[Tally], replica: &str, state: State) -> u64 {
    let own = tallies.iter().find(|tally| tally.replica == replica && tally.state == state);
    own.map_or(0, |tally| tally.files)
}

fn audits(audits: &[Audit], replica: &str) -> Vec<AuditRow> {
    audits.iter().filter(|audit| audit.replica == replica).map(AuditRow::of).collect()
}

/// What an audit has found wrong, in a few words; nothing if that is nothing.
fn found(audit: &AuditRow) -> String {
    let wrong: Vec<String> =
        audit.wrong().map(|(count, word)| format!("{} {word}", grouped(count))).collect();
    wrong.join(", ")
}

fn print(row: &Row<'_>, session: &mut Session) -> anyhow::Result<()> {
    let waiting = row.files.saturating_sub(row.accepted);
    let is_whole = row.replicas.iter().all(|replica| replica.verified == row.files && !replica.away);
    let waiting = match waiting {
        _ if row.files == 0 => "nothing is kept yet".to_owned(),
        0 if is_whole => "every replica has all of them".to_owned(),
        0 => "not every copy is as it should be".to_owned(),
        _ => format!("{} not in every replica yet", grouped(waiting)),
    };
    session.out.line(format!("{}, {}; {waiting}", counted(row.files, "file"), bytes(row.bytes)))?;
    session.out.line("")?;
    let width = row.replicas.iter().map(|replica| replica.name.len()).max().unwrap_or(0).max(7);
    let number = (Align::Right, 10);
    let columns =
        Columns::new([(Align::Left, width), (Align::Left, 9), number, number, number, number, number]);
    let head = ["replica", "kind", "verified", "on the way", "failed", "missing", "changed", "last audit"];
    session.out.line(session.paint.strong(columns.row(head)))?;
    for replica in &row.replicas {
        let numbers =
            [replica.verified, replica.on_the_way, replica.failed, replica.missing, replica.changed]
                .map(grouped);
        let of = replica.verified + replica.on_the_way + replica.failed + replica.missing + replica.changed;
        let away = if replica.away { "; not there now" } else { "" };
        let last = replica.audits.first().map_or_else(|| "never".to_owned(), |audit| told(audit, of)) + away;
        let cells = [replica.name, replica.kind].into_iter().chain(numbers.iter().map(String::as_str));
        let line = columns.row(cells.chain([last.as_str()]));
        let is_good = replica.failed + replica.missing + replica.changed == 0 && !replica.away;
        if is_good { session.out.line(line)? } else { session.out.line(session.paint.bad(line))? }
    }
    session.out.finish()
}

/// An audit of a replica with so many files, in a few words. Only of what has come to its end it is said that all was sound, and of
/// which part, if it was one.
pub(super) fn told(audit: &AuditRow, of: u64) -> String {
    let at = audit.ended.as_ref().unwrap_or(&audit.began);
    let day: String = at.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    let (state, is_done) = match audit.state {
        "done" => ("", true),
        // It may go on, or have been killed.
        "running" => (" begun and not ended", false),
        "paused" => (" paused", false),
        _ => (" failed", false),
    };
    let part = match audit.files < of {
        true => format!("{} of {}", grouped(audit.files), counted(of, "file")),
        false => counted(audit.files, "file"),
    };
    let found = match (found(audit), is_done) {
        (wrong, true) if wrong.is_empty() && of == 0 => "no files".to_owned(),
        (wrong, true) if wrong.is_empty() && audit.files == 0 => "no file was read".to_owned(),
        (wrong, true) if wrong.is_empty() && audit.files < of => format!("{part} sound"),
        (wrong, true) if wrong.is_empty() => "sound".to_owned(),
        (wrong, true) if audit.files < of => format!("{wrong}, of {part}"),
        (wrong, true) => wrong,
        (wrong, false) if wrong.is_empty() => format!("{part} so far"),
        (wrong, false) => format!("{wrong}, {part} so far"),
    };
    format!("{day}{state}, {}: {found}", audit.kind)
}

/// Why copies could not be made.
fn tell_failed(kept: &Kept, session: &Session) -> anyhow::Result<()> {
    let catalogue = kept.vault.catalogue();
    for place in kept.vault.places() {
        for file in catalogue.bad(&place.name, State::Failed, None, SHOWN)? {
            let copy = catalogue.copies(&file)?.into_iter().find(|copy| copy.replica == place.name);
            let Some(copy) = copy else { continue };
            let why = copy.why.unwrap_or_default();
            session.talk.reason(&format!(
                "{} could not be brought to {}: {}; it is tried again at {}",
                escape(&file.name),
                escape(&place.name),
                escape(&why),
                copy.due_at
            ));
        }
    }
    Ok(())
}

fn advise(row: &Row<'_>, kept: &Kept, session: &Session) {
    if row.replicas.iter().any(|replica| replica.away) {
        session.talk.hint("`varve vault replicas` tells what is the matter with one that is not there");
    }
    let sum = |of: fn(&ReplicaRow<'_>) -> u64| row.replicas.iter().map(of).sum::<u64>();
    if sum(|replica| replica.missing + replica.changed) > 0 {
        repair::advise(session);
    }
    if sum(|replica| replica.on_the_way + replica.failed) > 0 {
        session.talk.hint(
            "`varve vault bring` brings files to the replicas that lack them; `varve up` does it by itself",
        );
    }
    for name in row.given_up {
        let name = escape(name);
        session.talk.hint(&format!(
            "replica `{name}` is not in varve.toml any more; `varve vault replicas --give-up {name} --reason WHY` forgets it"
        ));
    }
    if !kept.has_others() && row.files > 0 {
        session.talk.hint(
            "there is one copy of everything: name further replicas in varve.toml, below `[[replicas]]`",
        );
    }
}
