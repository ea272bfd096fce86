//! What people are told of audits, repairs and copies that could not be made.

use std::time::Duration;

use catalogue::Audit;
use jiff::Timestamp;
use notify::{Notice, Notifier, Severity};
use vault::{Brought, Outcome, Remedy};

/// How long a verb waits at its end until people are told; what is not told by then is told by whoever comes next.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Files that are named in one notice.
const NAMED: usize = 20;

/// An audit is over. Nobody is told that all is well.
pub(crate) fn audited(audit: &Audit, notifier: &Notifier, now: Timestamp) {
    if audit.is_sound() {
        return;
    }
    // A file that nobody knows is odd; one that is not what it was is what all this is about.
    let is_bad = audit.missing + audit.changed + audit.resized > 0;
    let severity = if is_bad { Severity::Alarm } else { Severity::Warning };
    let subject = format!("the audit of replica {} found something", audit.replica);
    let notice = Notice::new(now, "audit", severity, subject)
        .line(format!("{} files were looked at, {} bytes read", audit.files, audit.bytes))
        .line(format!(
            "{} missing, {} changed, {} of another length, {} unknown",
            audit.missing, audit.changed, audit.resized, audit.unknown
        ))
        .line("`varve vault repair --dry-run` tells what can be repaired")
        .about("replica", &audit.replica)
        .about("kind", audit.kind.name())
        .about("missing", audit.missing.to_string())
        .about("changed", audit.changed.to_string())
        .about("wrong_size", audit.resized.to_string())
        .about("unknown", audit.unknown.to_string());
    notifier.notify(&notice);
}

/// A replica could not be looked through.
pub(crate) fn not_audited(replica: &str, why: &str, notifier: &Notifier, now: Timestamp) {
    let subject = format!("replica {replica} could not be audited");
    let notice = Notice::new(now, "audit", Severity::Warning, subject).line(why).about("replica", replica);
    notifier.notify(&notice);
}

/// A repair is over.
pub(crate) fn repaired(remedies: &[Remedy], notifier: &Notifier, now: Timestamp) {
    let is_left = |remedy: &&Remedy| matches!(remedy.outcome, Outcome::Undecided(_) | Outcome::Failed(_));
    let left = remedies.iter().filter(is_left).count();
    let done = remedies.len() - left;
    if remedies.is_empty() {
        return;
    }
    let (severity, subject) = match left {
        0 => (Severity::Warning, format!("{done} copies were repaired")),
        _ => (Severity::Alarm, format!("{left} copies could not be repaired, {done} were")),
    };
    let mut notice = Notice::new(now, "repair", severity, subject)
        .about("repaired", done.to_string())
        .about("left", left.to_string());
    // What somebody has to see to comes first.
    let rest = remedies.iter().filter(|remedy| !is_left(remedy));
    for remedy in remedies.iter().filter(is_left).chain(rest).take(NAMED) {
        let outcome = match &remedy.outcome {
            Outcome::Repaired | Outcome::Possible => "repaired".to_owned(),
            Outcome::Sound => "sound after all".to_owned(),
            Outcome::Undecided(why) => format!("somebody has to decide: {why}"),
            Outcome::Failed(why) => format!("failed: {why}"),
        };
        notice = notice.line(format!("{} in {}: {outcome}", remedy.file, remedy.replica));
    }
    if remedies.len() > NAMED {
        notice = notice.line(format!("and {} more", remedies.len() - NAMED));
    }
    notifier.notify(&notice);
}

/// Files were brought to the replicas.
pub(crate) fn brought(brought: &Brought, notifier: &Notifier, now: Timestamp) {
    if brought.failed > 0 {
        let subject = format!("{} copies could not be made; they are tried again", brought.failed);
        let notice = Notice::new(now, "replica", Severity::Warning, subject)
            .line("`varve vault status` tells why")
            .about("failed", brought.failed.to_string());
        notifier.notify(&notice);
    }
    if brought.refused > 0 {
        let subject =
            format!("{} copies were refused: another file lies there under that name", brought.refused);
        let notice = Notice::new(now, "replica", Severity::Alarm, subject)
            .line("`varve vault repair --dry-run` tells what can be done about it")
            .about("refused", brought.refused.to_string());
        notifier.notify(&notice);
    }
}
