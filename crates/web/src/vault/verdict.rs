//! Whether all is well, in a sentence.

use api::vault::{ReplicaRow, Status};
use jiff::Timestamp;

use super::words;
use crate::filters;

/// Whether all is well.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// How it looks: `good`, `fair` or `bad`.
    pub(super) mood: &'static str,
    pub(super) sentence: String,
    /// What else there is to say.
    pub(super) more: Vec<String>,
}

/// Judges how things stand.
pub(super) fn judge(status: &Status, now: Timestamp) -> Verdict {
    let sum = |of: fn(&ReplicaRow) -> u64| status.replicas.iter().map(of).sum::<u64>();
    let gone: Vec<&str> = status
        .replicas
        .iter()
        .filter(|replica| replica.reachable == Some(false))
        .map(|replica| replica.name.as_str())
        .collect();
    let is_wrong = status.wrong() > 0;
    let on_the_way = sum(|replica| replica.on_the_way);
    let mut sentences = Vec::new();
    if is_wrong {
        let wrong = [
            (sum(|replica| replica.missing), "is missing", "are missing"),
            (sum(|replica| replica.changed), "has changed", "have changed"),
            (sum(|replica| replica.failed), "could not be made", "could not be made"),
        ];
        sentences.push(copies(&wrong));
    }
    match gone.as_slice() {
        [] => {}
        [one] => sentences.push(format!("Replica {one} cannot be reached.")),
        more => sentences.push(format!("Replicas {} cannot be reached.", more.join(", "))),
    }
    let (mood, sentence) = match (sentences.is_empty(), status.files, on_the_way) {
        (false, ..) => ("bad", sentences.join(" ")),
        (true, 0, _) => ("fair", "No files are kept yet.".to_owned()),
        (true, _, 0) => whole(status),
        _ => ("fair", copies(&[(on_the_way, "is still on its way", "are still on their way")])),
    };
    Verdict { mood, sentence, more: more(status, now, is_wrong || on_the_way > 0) }
}

fn whole(status: &Status) -> (&'static str, String) {
    let files = match status.files {
        1 => "The one file is".to_owned(),
        2 => "Both files are".to_owned(),
        files => format!("All {} files are", filters::number(files)),
    };
    match status.replicas.len() {
        0 | 1 => ("fair", format!("{files} here, and nowhere else.")),
        2 => ("good", format!("{files} in both replicas.")),
        count => ("good", format!("{files} in all {count} replicas.")),
    }
}

fn more(status: &Status, now: Timestamp, is_part: bool) -> Vec<String> {
    let mut more = Vec::new();
    if status.files == 0 {
        more.push(
            "What is harvested or imported is noted here, brought to every replica, and looked after."
                .to_owned(),
        );
        return more;
    }
    let repairable: u64 = status.replicas.iter().map(|replica| replica.missing + replica.changed).sum();
    if repairable > 0 {
        more.push(
            "A repair brings back what another replica still has. See first what it would do.".to_owned(),
        );
    }
    if status.replicas.iter().any(|replica| replica.failed > 0) {
        more.push("What could not be made is tried again by itself, and at once by “Bring now”.".to_owned());
    }
    let times: Vec<&String> =
        status.replicas.iter().filter_map(|replica| replica.checked_since.as_ref()).collect();
    if let Some(oldest) = times.iter().min() {
        let which = if is_part { "Every verified copy" } else { "Every copy" };
        more.push(format!("{which} was read and compared {}.", words::since(oldest, now)));
    }
    more
}

/// Numbers of copies with what is the matter with them, as a sentence.
fn copies(parts: &[(u64, &str, &str)]) -> String {
    let mut text = String::new();
    for (count, one, many) in parts.iter().filter(|(count, ..)| *count > 0) {
        let verb = if *count == 1 { one } else { many };
        let thing = match (text.is_empty(), *count) {
            (true, 1) => " copy",
            (true, _) => " copies",
            (false, _) => "",
        };
        let comma = if text.is_empty() { "" } else { ", " };
        text.push_str(&format!("{comma}{}{thing} {verb}", filters::number(*count)));
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(files: u64, rows: &[ReplicaRow]) -> Status {
        Status { files, replicas: rows.to_vec(), ..Status::default() }
    }

    fn row(verified: u64) -> ReplicaRow {
        let checked_since = Some("2026-11-17T00:00:00Z".to_owned());
        ReplicaRow { name: "cellar".to_owned(), verified, checked_since, ..ReplicaRow::default() }
    }

    #[track_caller]
    fn check(status: &Status, mood: &str, sentence: &str) {
        let verdict = judge(status, "2026-11-18T01:00:00Z".parse().unwrap());
        assert_eq!((verdict.mood, verdict.sentence.as_str()), (mood, sentence));
    }

    #[test]
    fn all_is_well_if_every_replica_has_every_file() {
        check(&status(0, &[row(0)]), "fair", "No files are kept yet.");
        check(&status(1, &[row(1), row(1)]), "good", "The one file is in both replicas.");
        check(
            &status(1234, &[row(1234), row(1234), row(1234)]),
            "good",
            "All 1,234 files are in all 3 replicas.",
        );
        check(&status(3, &[row(3)]), "fair", "All 3 files are here, and nowhere else.");
    }

    #[test]
    fn what_is_wrong_is_counted_in_a_sentence() {
        let bad = ReplicaRow { missing: 2, changed: 1, ..row(1) };
        check(&status(4, &[row(4), bad.clone()]), "bad", "2 copies are missing, 1 has changed.");
        let failed = ReplicaRow { failed: 1, ..row(3) };
        check(&status(4, &[row(4), failed]), "bad", "1 copy could not be made.");
        let gone = ReplicaRow { reachable: Some(false), ..row(4) };
        check(&status(4, &[row(4), gone.clone()]), "bad", "Replica cellar cannot be reached.");
        check(
            &status(4, &[bad, gone.clone(), gone]),
            "bad",
            "2 copies are missing, 1 has changed. Replicas cellar, cellar cannot be reached.",
        );
        let on_the_way = ReplicaRow { on_the_way: 1000, ..row(3) };
        check(&status(1003, &[row(1003), on_the_way]), "fair", "1,000 copies are still on their way.");
    }

    #[test]
    fn when_it_was_read_is_said_of_what_was_read() {
        let now = "2026-11-18T01:00:00Z".parse().unwrap();
        let verdict = judge(&status(3, &[row(3), row(3)]), now);
        assert_eq!(verdict.more, ["Every copy was read and compared since yesterday."]);
        for part in [
            ReplicaRow { on_the_way: 1, ..row(2) },
            ReplicaRow { failed: 1, ..row(2) },
            ReplicaRow { missing: 1, on_the_way: 1, ..row(1) },
        ] {
            let verdict = judge(&status(3, &[row(3), part]), now);
            let said = verdict.more.last().map(String::as_str);
            assert_eq!(said, Some("Every verified copy was read and compared since yesterday."));
        }
    }
}
