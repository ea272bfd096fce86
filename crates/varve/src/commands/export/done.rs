//! What an export says when it is done.

use std::fs;
use std::sync::Arc;

use archive::About;
use serde::Serialize;
use transfer::export::Exported;

use super::chosen::Chosen;
use crate::clock::now;
use crate::exit::Exit;
use crate::record_id;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape, grouped};

/// Captures that cannot be read and are told one by one.
const SHOWN: usize = 10;

/// What was written, for programs.
#[derive(Serialize)]
struct Row<'a> {
    out: String,
    bytes: u64,
    captures: u64,
    records: u64,
    originals: u64,
    resolved: u64,
    unresolved: u64,
    pages: u64,
    withheld: u64,
    unreadable_count: u64,
    unreadable: Vec<Unreadable<'a>>,
}

#[derive(Serialize)]
struct Unreadable<'a> {
    url: &'a str,
    reason: &'a str,
}

/// Ids and the time for what is written.
pub(super) fn about() -> About {
    About::new(now(), Arc::new(record_id::new))
}

/// Tells it. Captures that could not be written make it a failure, though the file is there.
pub(super) fn tell(exported: &Exported, chosen: &Chosen, session: &mut Session) -> anyhow::Result<Exit> {
    let out_bytes = fs::metadata(&chosen.out).map(|facts| facts.len()).unwrap_or_default();
    let out = chosen.out.to_string_lossy().into_owned();
    if session.globals.json {
        let unreadable = exported.unreadable.iter().map(|(url, reason)| Unreadable { url, reason });
        session.out.json(&Row {
            out,
            bytes: out_bytes,
            captures: exported.captures,
            records: exported.records,
            originals: exported.originals,
            resolved: exported.resolved,
            unresolved: exported.unresolved,
            pages: exported.pages,
            withheld: exported.withheld,
            unreadable_count: exported.unreadable_count,
            unreadable: unreadable.collect(),
        })?;
    } else {
        session.out.line(text(exported, &out, out_bytes))?;
    }
    session.out.finish()?;
    tell_beside(exported, session)
}

/// What is to be said beside what was written: what could not be, and what was not to be.
pub(super) fn tell_beside(exported: &Exported, session: &Session) -> anyhow::Result<Exit> {
    tell_unreadable(exported, session);
    if exported.unresolved > 0 {
        let count = counted(exported.unresolved, "revisit");
        session.talk.warning(&format!("{count} refer to what the archive does not have"));
    }
    tell_withheld(exported, session);
    Ok(if exported.unreadable_count == 0 { Exit::Done } else { Exit::Failed })
}

/// The first of those that could not be read.
pub(super) fn tell_unreadable(exported: &Exported, session: &Session) {
    for (url, reason) in exported.unreadable.iter().take(SHOWN) {
        session.talk.warning(&format!("left out: {url}: {reason}"));
    }
    match exported.unreadable_count.saturating_sub(exported.unreadable.len().min(SHOWN) as u64) {
        0 => {}
        more => session.talk.warning(&format!("left out: {}", counted(more, "more capture"))),
    }
}

/// That not everybody may see all that was chosen.
fn tell_withheld(exported: &Exported, session: &Session) {
    if exported.withheld > 0 {
        let count = counted(exported.withheld, "capture");
        session.talk.note(&format!("{count} left out, because not everybody may see them"));
        session.talk.hint(super::chosen::ALL);
    }
}

fn text(exported: &Exported, out: &str, out_bytes: u64) -> String {
    let mut parts = vec![counted(exported.captures, "capture")];
    let further = [
        (exported.originals, "originals of revisits besides"),
        (exported.resolved, "revisits written whole"),
        (exported.unreadable_count, "left out as unreadable"),
    ];
    parts.extend(
        further
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{} {word}", grouped(*count))),
    );
    if exported.pages > 0 {
        parts.push(counted(exported.pages, "page"));
    }
    format!("{}; {} written to {}", parts.join(", "), bytes(out_bytes), escape(out))
}
