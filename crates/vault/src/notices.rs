//! What people are told of audits and repairs.

use catalogue::{Audit, AuditState};
use jiff::Timestamp;
use notify::{Notice, Severity};

use crate::bring::Brought;
use crate::error::Error;
use crate::repair::{Outcome, Remedies, Remedy};

/// The kind of notices on audits.
const AUDIT: &str = "audit";
/// The kind of notices on repairs.
const REPAIR: &str = "repair";
/// The kind of notices on copies that could not be made.
const BRING: &str = "replica";

/// What people are told of an audit that has ended or paused. That all is sound is good to know, and no more.
#[must_use]
pub fn audit(audit: &Audit, at: Timestamp) -> Notice {
    let Audit { replica, missing, changed, resized, unknown, .. } = audit;
    let bad = missing + changed + resized;
    let found = found(audit);
    let (severity, subject) = match (audit.state, bad, unknown) {
        (AuditState::Failed, ..) => {
            (Severity::Alarm, format!("the audit of replica `{replica}` broke off: {found}"))
        }
        (_, 0, 0) => (Severity::Info, format!("audit of replica `{replica}`: {found}")),
        (_, 0, _) => (Severity::Warning, format!("audit of replica `{replica}`: {found}")),
        _ => (Severity::Alarm, format!("audit of replica `{replica}`: {found}")),
    };
    Notice::new(at, AUDIT, severity, subject)
        .line(format!(
            "{} files and {} bytes were looked at ({})",
            audit.files,
            audit.bytes,
            audit.kind.name()
        ))
        .about("replica", replica.as_str())
        .about("audit", audit.kind.name())
        .about("state", audit.state.name())
        .about("missing", missing.to_string())
        .about("changed", changed.to_string())
        .about("resized", resized.to_string())
        .about("unknown", unknown.to_string())
        .about("not_copied", audit.not_copied.to_string())
}

/// What an audit has found, in a few words.
#[must_use]
pub fn found(audit: &Audit) -> String {
    let Audit { missing, changed, resized, unknown, not_copied, .. } = audit;
    let all = [
        (missing, "missing"),
        (changed, "changed"),
        (resized, "of another length"),
        (unknown, "unknown"),
        (not_copied, "not copied yet"),
    ];
    let found = all.into_iter().filter(|(count, _)| **count > 0);
    let found: Vec<String> = found.map(|(count, what)| format!("{count} {what}")).collect();
    match (found.is_empty(), audit.state) {
        (true, AuditState::Done) if audit.files == 0 => "there were no files to read".to_owned(),
        (true, AuditState::Done) if audit.files == 1 => "1 file is sound".to_owned(),
        (true, AuditState::Done) => format!("{} files are sound", audit.files),
        // Of what it has not come to, nobody knows.
        (true, _) => "nothing wrong so far".to_owned(),
        (false, _) => found.join(", "),
    }
}

/// That an audit could not be made at all.
#[must_use]
pub fn no_audit(replica: &str, error: &Error, at: Timestamp) -> Notice {
    Notice::new(at, AUDIT, Severity::Alarm, format!("replica `{replica}` could not be audited"))
        .line(crate::error::told(error))
        .about("replica", replica)
}

/// What people are told of a repair; nothing, if there was nothing to do or it was only asked what would be done.
#[must_use]
pub fn repair(remedies: &Remedies, at: Timestamp) -> Option<Notice> {
    let Remedies { done, undecided, failed, listed, .. } = remedies;
    let is_dry = listed.iter().any(|remedy| remedy.outcome == Outcome::Possible);
    if done + undecided + failed == 0 || is_dry {
        return None;
    }
    let parts: Vec<String> =
        [(undecided, "wait for your decision"), (failed, "could not be repaired"), (done, "repaired")]
            .into_iter()
            .filter(|(count, _)| **count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
    let is_bad = undecided + failed > 0;
    let severity = if is_bad { Severity::Alarm } else { Severity::Warning };
    let mut notice = Notice::new(at, REPAIR, severity, format!("repair of copies: {}", parts.join(", ")));
    // Those first that somebody has to look at.
    let mut told: Vec<&Remedy> = listed.iter().collect();
    told.sort_by_key(|remedy| matches!(remedy.outcome, Outcome::Repaired | Outcome::Sound));
    notice.lines = told.into_iter().filter_map(line).collect();
    let counts = [("repaired", done), ("undecided", undecided), ("failed", failed)];
    Some(counts.into_iter().fold(notice, |notice, (key, count)| notice.about(key, count.to_string())))
}

/// What people are told of files that could not be brought to a replica; nothing, if all could be.
#[must_use]
pub fn brought(brought: &Brought, at: Timestamp) -> Option<Notice> {
    let Brought { failed, refused, .. } = brought;
    let (severity, subject) = match (failed, refused) {
        (0, 0) => return None,
        (_, 0) => (Severity::Warning, format!("{failed} copies could not be made, and are tried again")),
        _ => (
            Severity::Alarm,
            format!("{refused} copies were refused: another file lies there under that name"),
        ),
    };
    let notice = Notice::new(at, BRING, severity, subject);
    Some(notice.about("failed", failed.to_string()).about("refused", refused.to_string()))
}

fn line(remedy: &Remedy) -> Option<String> {
    let how = match &remedy.outcome {
        Outcome::Possible => return None,
        Outcome::Repaired => "repaired".to_owned(),
        Outcome::Sound => "as it should be after all".to_owned(),
        Outcome::Undecided(why) => format!("undecided: {why}"),
        Outcome::Failed(why) => format!("failed: {why}"),
    };
    Some(format!("{} in `{}`, {}: {how}", remedy.file, remedy.replica, remedy.was.name()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use catalogue::{AuditKind, Catalogue, Kind, State};
    use store::Store;
    use store::replica::Folders;

    use super::*;
    use crate::{Extent, Look, Place, Vault};

    fn told(notice: &Notice) -> String {
        format!("{}: {}", notice.severity, notice.subject)
    }

    #[test]
    fn what_audits_find_and_repairs_do_is_told_as_it_matters() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let place = |name: &str| {
            let replica = Arc::new(Folders::open([at(name)], 0).unwrap());
            Place { name: name.to_owned(), kind: Kind::Folder, replica }
        };
        // Each look at it is a second later: an audit passes over what was looked at since it began.
        let seconds = AtomicI64::new(0);
        let clock = move || Timestamp::from_second(seconds.fetch_add(1, Ordering::SeqCst)).unwrap();
        let places = vec![place("house"), place("cellar"), place("attic")];
        let vault =
            Vault::open(Catalogue::open(&at("catalogue.db")).unwrap(), places, Arc::new(clock)).unwrap();
        let mut go_on = |_| ControlFlow::Continue(());
        for name in ["a.warc.gz", "b.warc.gz"] {
            fs::write(at(name), name).unwrap();
            let sealed = Store::open(&at("house")).unwrap().seal("job", &at(name)).unwrap();
            vault.take_note(&[sealed]).unwrap();
        }
        vault.bring(&mut go_on).unwrap();
        let remedies = |is_dry| {
            let mut remedies = Remedies::new(100);
            vault
                .repair(is_dry, &mut |remedy| remedies.add(remedy), &mut |_| ControlFlow::Continue(()))
                .unwrap();
            remedies
        };
        let look = Look { kind: AuditKind::Checksum, extent: Extent::Complete };
        let now = Timestamp::UNIX_EPOCH;
        let sound = audit(&vault.audit("cellar", look, &mut go_on).unwrap(), now);
        assert_eq!(told(&sound), "info: audit of replica `cellar`: 2 files are sound");
        assert_eq!(repair(&remedies(false), now), None);

        fs::remove_file(at("cellar/job/a.warc.gz")).unwrap();
        fs::write(at("cellar/job/stray.warc.gz"), "who am I?").unwrap();
        let found = audit(&vault.audit("cellar", look, &mut go_on).unwrap(), now);
        assert_eq!(told(&found), "alarm: audit of replica `cellar`: 1 missing, 1 unknown");
        assert!(found.about.contains(&("missing".to_owned(), "1".to_owned())));
        // To ask what would be done is nothing that happened.
        assert_eq!(repair(&remedies(true), now), None);
        let done = repair(&remedies(false), now).unwrap();
        assert_eq!(told(&done), "warning: repair of copies: 1 repaired");
        assert_eq!(done.lines, ["job/a.warc.gz in `cellar`, missing: repaired"]);
        let again = audit(&vault.audit("cellar", look, &mut go_on).unwrap(), now);
        assert_eq!(told(&again), "warning: audit of replica `cellar`: 1 unknown");

        let error = vault.audit("garage", look, &mut go_on).unwrap_err();
        let none = no_audit("garage", &error, now);
        assert_eq!(
            (told(&none).as_str(), none.lines.as_slice()),
            (
                "alarm: replica `garage` could not be audited",
                ["there is no replica `garage`".to_owned()].as_slice()
            )
        );
    }

    #[test]
    fn copies_that_could_not_be_made_are_told() {
        let told = |failed, refused| {
            let brought = Brought { failed, refused, ..Brought::default() };
            super::brought(&brought, Timestamp::UNIX_EPOCH).map(|notice| told(&notice))
        };
        assert_eq!(told(0, 0), None);
        assert_eq!(told(3, 0).unwrap(), "warning: 3 copies could not be made, and are tried again");
        assert!(told(3, 1).unwrap().starts_with("alarm: 1 copies were refused"));
    }

    #[test]
    fn who_has_to_decide_reads_that_first() {
        let remedy = |file: &str, outcome| Remedy {
            file: file.to_owned(),
            replica: "cellar".to_owned(),
            was: State::Changed,
            outcome,
        };
        let remedies = [
            remedy("a", Outcome::Repaired),
            remedy("b", Outcome::Undecided("no majority".to_owned())),
            remedy("c", Outcome::Failed("the disk is full".to_owned())),
        ];
        let mut all = Remedies::new(2);
        remedies.into_iter().for_each(|remedy| all.add(remedy));
        let notice = repair(&all, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(
            told(&notice),
            "alarm: repair of copies: 1 wait for your decision, 1 could not be repaired, 1 repaired"
        );
        // Where only some are listed, it is those.
        let mut lines = notice.lines.clone();
        lines.sort();
        let expected = [
            "b in `cellar`, changed: undecided: no majority",
            "c in `cellar`, changed: failed: the disk is full",
        ];
        assert_eq!(lines, expected);
    }
}
