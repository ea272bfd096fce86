//! The overview: whether all is well, replicas and states, audits, what goes on, and what can be done.

use api::vault::{AuditRow, Event, LastRow, ReplicaRow, Status};
use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::verdict::{Verdict, judge};
use super::{pace, words};
use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many of the newest events.
const EVENTS: u32 = 8;

#[derive(Template)]
#[template(path = "vault/overview.html")]
struct Overview {
    frame: Frame,
    verdict: Verdict,
    status: Status,
    rows: Vec<Row>,
    work: Vec<Work>,
    waiting: Vec<String>,
    last: Option<LastRow>,
    audits: Vec<Audited>,
    /// Whether an audit found files that nobody knows.
    has_unknown: bool,
    events: Vec<Event>,
    /// Whether what is wrong is repaired without anybody asking.
    repairs: bool,
    repairable: u64,
    token: String,
}

/// A replica, with the states that are not as they should be.
struct Row {
    replica: ReplicaRow,
    bad: [(&'static str, u64); 3],
}

/// Something that goes on.
struct Work {
    words: String,
    bytes: u64,
    of_bytes: Option<u64>,
    seconds: f64,
}

/// When a replica was last looked through.
struct Audited {
    name: String,
    /// By kind: its word, what the button says, and what was found.
    looks: [(&'static str, &'static str, Option<Told>); 2],
}

struct Told {
    found: String,
    /// How it looks.
    mood: &'static str,
    at: String,
    files: u64,
}

/// `GET /preservation`
pub(crate) async fn show(State(pages): State<Pages>) -> Result<Response, Fault> {
    let (status, events, habits) = pages
        .ask(|api| {
            let keeping = api.keeping()?;
            Ok((keeping.status()?, keeping.events(None, EVENTS)?.events, keeping.habits()))
        })
        .await?;
    let mut frame = Frame::new(&pages, "Preservation", "vault");
    frame.poll_s = pace(status.is_busy());
    let work = status.doing.iter().map(|doing| Work {
        words: words::doing(&doing.task),
        bytes: doing.bytes,
        of_bytes: doing.of_bytes.filter(|total| *total > 0),
        seconds: doing.seconds,
    });
    page(&Overview {
        frame,
        verdict: judge(&status, pages.api().now()),
        work: work.collect(),
        rows: status.replicas.iter().map(row).collect(),
        waiting: status.waiting.iter().map(words::doing).collect(),
        last: status.last.clone(),
        has_unknown: status
            .replicas
            .iter()
            .flat_map(|replica| &replica.audits)
            .any(|audit| audit.unknown > 0),
        audits: status.replicas.iter().map(audited).collect(),
        events,
        repairs: habits.repairs,
        repairable: status.replicas.iter().map(|replica| replica.missing + replica.changed).sum(),
        token: pages.token().to_owned(),
        status,
    })
}

fn row(replica: &ReplicaRow) -> Row {
    let ReplicaRow { failed, missing, changed, .. } = *replica;
    Row { replica: replica.clone(), bad: [("failed", failed), ("missing", missing), ("changed", changed)] }
}

fn audited(replica: &ReplicaRow) -> Audited {
    let of = |kind| replica.audits.iter().find(|audit| audit.kind == kind).map(|audit| told(audit, replica));
    let looks =
        [("presence", "Check presence", of("presence")), ("checksum", "Check checksums", of("checksum"))];
    Audited { name: replica.name.clone(), looks }
}

fn told(audit: &AuditRow, replica: &ReplicaRow) -> Told {
    // A repair that has failed leaves a copy that is to be made anew.
    let is_mended = audit.unknown == 0 && replica.wrong() + replica.on_the_way == 0;
    let wrong = words::wrong(audit);
    let (found, mood) = match (audit.state, wrong.is_empty()) {
        ("failed", _) => ("could not be finished".to_owned(), "bad"),
        // Nobody is to be alarmed by what was repaired since.
        (_, false) if is_mended => (format!("{wrong}; mended since"), "fair"),
        // Copies that are still to be made are no damage.
        (_, false) if !audit.has_damage() => (wrong, "fair"),
        (_, false) => (wrong, "bad"),
        ("running", _) => ("under way".to_owned(), "fair"),
        ("paused", _) => ("paused".to_owned(), "fair"),
        _ => (words::sound(audit, replica.recorded()), if audit.sound { "good" } else { "fair" }),
    };
    let at = audit.ended.clone().unwrap_or_else(|| audit.began.clone());
    Told { found, mood, at, files: audit.files }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audit(state: &'static str, files: u64) -> AuditRow {
        AuditRow {
            replica: "store".to_owned(),
            kind: "checksum",
            state,
            began: "2026-11-18T00:00:00Z".to_owned(),
            ended: None,
            files,
            bytes: files,
            missing: 0,
            changed: 0,
            wrong_size: 0,
            unknown: 0,
            not_copied: 0,
            sound: state == "done" && files > 0,
        }
    }

    #[track_caller]
    fn check(audit: &AuditRow, replica: &ReplicaRow, found: &str, mood: &str) {
        let told = told(audit, replica);
        assert_eq!((told.found.as_str(), told.mood), (found, mood));
    }

    /// D13
    #[test]
    fn d13_no_page_calls_sound_what_was_not_read() {
        let all = ReplicaRow { verified: 6, ..ReplicaRow::default() };
        let none = ReplicaRow { on_the_way: 6, ..ReplicaRow::default() };
        check(&audit("done", 6), &all, "all sound", "good");
        check(&audit("done", 2), &all, "2 of 6 files sound", "good");
        // As audits before issue 20 left it.
        check(&audit("done", 0), &none, "no file was read", "fair");
        check(&audit("done", 0), &ReplicaRow::default(), "no files", "fair");
        for (state, found, mood) in [
            ("running", "under way", "fair"),
            ("paused", "paused", "fair"),
            ("failed", "could not be finished", "bad"),
        ] {
            check(&audit(state, 2), &all, found, mood);
        }
        let part = AuditRow { not_copied: 4, sound: false, ..audit("done", 2) };
        check(&part, &none, "4 not copied yet", "fair");
        check(&AuditRow { missing: 4, ..part }, &none, "4 missing, 4 not copied yet", "bad");
    }
}
