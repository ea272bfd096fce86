//! How what is done, and what came of it, is said on pages.

use api::vault::{AuditRow, Task};
use jiff::Timestamp;

use crate::filters;

/// A task that is being done.
pub(super) fn doing(task: &Task) -> String {
    match task {
        Task::Bring => "Bringing files to the replicas".to_owned(),
        Task::Audit { replica, kind } if kind.name() == "presence" => {
            format!("Looking whether every file is in {replica}")
        }
        Task::Audit { replica, .. } => format!("Reading every file in {replica}"),
        Task::Repair { is_dry: true } => "Finding out what can be repaired".to_owned(),
        Task::Repair { is_dry: false } => "Repairing".to_owned(),
        Task::BackUp => "Copying the catalogue".to_owned(),
    }
}

/// What an audit found wrong; empty if that is nothing.
pub(super) fn wrong(audit: &AuditRow) -> String {
    let wrong: Vec<String> =
        audit.wrong().map(|(count, word)| format!("{} {word}", filters::number(count))).collect();
    wrong.join(", ")
}

/// What an audit of a replica with so many files found that came to its end and found nothing wrong. Only files that it read are sound.
pub(super) fn sound(audit: &AuditRow, recorded: u64) -> String {
    match audit.files {
        0 if recorded == 0 => "no files".to_owned(),
        0 => "no file was read".to_owned(),
        files if files < recorded => {
            format!("{} of {} files sound", filters::number(files), filters::number(recorded))
        }
        _ => "all sound".to_owned(),
    }
}

/// How long ago something was, as far as the day goes.
pub(super) fn since(at: &str, now: Timestamp) -> String {
    let Ok(at) = at.parse::<Timestamp>() else { return format!("since {at}") };
    let day = |time: Timestamp| time.as_second().div_euclid(24 * 3600);
    match day(now) - day(at) {
        ..=0 => "today".to_owned(),
        1 => "since yesterday".to_owned(),
        days @ 2..60 => format!("in the last {days} days"),
        _ => at.strftime("since %-d %b %Y").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_said_as_people_say_them() {
        let now = "2026-11-18T01:00:00Z".parse().unwrap();
        for (at, said) in [
            ("2026-11-18T00:00:00Z", "today"),
            ("2026-11-19T00:00:00Z", "today"),
            ("2026-11-17T23:00:00Z", "since yesterday"),
            ("2026-11-13T00:00:00Z", "in the last 5 days"),
            ("2026-01-02T00:00:00Z", "since 2 Jan 2026"),
            ("long ago", "since long ago"),
        ] {
            assert_eq!(since(at, now), said);
        }
    }
}
