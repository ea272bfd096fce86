//! `varve vault audit`: is every file still there, and still what it was?

use std::thread;

use api::vault::AuditRow;
use catalogue::{Audit, AuditKind, AuditState};
use supervisor::{hinted, notifying};
use vault::{Extent, Look, notices};

use super::repair;
use super::status::told;
use crate::clock::now;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape};

/// Find out whether every file is still there, and still what it was
///
/// Reads every file of the named replicas, or of all, and compares its checksum with the recorded one. Files that nobody has verified come
/// first, then those that were not read for the longest time. Several replicas are read side by side. Ctrl-C pauses the audit, and the same
/// command resumes it. An audit repairs nothing. The exit code is 1 if anything is wrong, or the audit did not read all that it should.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which replicas; all if none is named
    #[arg(value_name = "REPLICA")]
    replicas: Vec<String>,

    /// Only look whether each file is there and as long as it should be, and whether there are some that nobody knows
    #[arg(long)]
    presence: bool,

    /// Read about so much of each replica, and no more: 50GB
    #[arg(long, value_name = "SIZE", value_parser = settings::parse_some_bytes, conflicts_with = "presence")]
    bytes: Option<u64>,

    /// Read at most so much of each replica in a second: 20MB
    #[arg(long, value_name = "SIZE", value_parser = settings::parse_some_bytes)]
    rate: Option<u64>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let names: Vec<String> = match args.replicas.is_empty() {
        true => kept.vault.places().iter().map(|place| place.name.clone()).collect(),
        false => args.replicas.clone(),
    };
    if let Some(name) =
        names.iter().find(|name| !kept.vault.places().iter().any(|place| place.name == **name))
    {
        return Err(hinted(vault::Error::NoReplica(name.clone())).into());
    }
    let kind = if args.presence { AuditKind::Presence } else { AuditKind::Checksum };
    let look = Look { kind, extent: args.bytes.map_or(Extent::Complete, Extent::Bytes) };
    let rate = args.rate.or(kept.settings.audit_rate.map(|size| size.0));
    let tallies = kept.vault.status()?.tallies;
    let outcomes: Vec<(String, Result<Audit, vault::Error>)> = thread::scope(|scope| {
        let running: Vec<_> = names
            .iter()
            .map(|name| {
                let own = tallies.iter().filter(|tally| tally.replica == *name);
                let total = own.map(|tally| tally.bytes).sum();
                let total = args.bytes.map_or(total, |most| most.min(total));
                let bar = Progress::bytes(&session.talk, name, Some(total));
                let mut pace = Pace::new(&interrupts, bar, rate);
                let vault = &kept.vault;
                let thread = scope.spawn(move || {
                    let audit = vault.audit(name, look, &mut |bytes| pace.read(bytes));
                    pace.finish();
                    audit
                });
                (name.clone(), thread)
            })
            .collect();
        let joined = running.into_iter().map(|(name, thread)| (name, thread.join()));
        joined.filter_map(|(name, audit)| audit.ok().map(|audit| (name, audit))).collect()
    });
    let notifier = kept.notifier(&session.talk.voice());
    let mut is_good = outcomes.len() == names.len();
    let mut is_repair_wanted = false;
    for (name, outcome) in outcomes {
        match outcome {
            Ok(audit) => {
                let own = tallies.iter().filter(|tally| tally.replica == name);
                let of: u64 = own.map(|tally| tally.files).sum();
                is_good &= audit.is_sound() && (audit.files > 0 || of == 0);
                is_repair_wanted |= audit.missing + audit.changed + audit.resized > 0;
                tell(&audit, of, session)?;
                notifier.notify(&notices::audit(&audit, now()));
            }
            Err(error) => {
                is_good = false;
                session.out.finish()?;
                notifier.notify(&notices::no_audit(&name, &error, now()));
                let error = anyhow::Error::from(error);
                session.talk.error(&format!("{} could not be audited: {error:#}", escape(&name)));
            }
        }
    }
    session.out.finish()?;
    notifier.flush(notifying::PATIENCE);
    if is_repair_wanted {
        repair::advise(session);
    }
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}

/// An audit beside the number of files that the replica should have.
#[derive(serde::Serialize)]
struct AuditOfAll<'a> {
    #[serde(flatten)]
    row: &'a AuditRow,
    /// Files that the replica should have.
    files_total: u64,
    /// Whether the audit looked at all of them.
    complete: bool,
}

fn tell(audit: &Audit, of: u64, session: &mut Session) -> anyhow::Result<()> {
    let mut row = AuditRow::of(audit);
    if session.globals.json {
        // Of a part that was asked for with `--bytes`, nothing follows for the rest.
        let complete = audit.state == AuditState::Done && audit.files >= of;
        row.sound &= complete;
        return session.out.json(&AuditOfAll { row: &row, files_total: of, complete });
    }
    let read =
        if audit.kind == AuditKind::Checksum { format!(", {}", bytes(audit.bytes)) } else { String::new() };
    let line =
        format!("{}: {}{read}; {}", escape(&audit.replica), counted(audit.files, "file"), told(&row, of));
    session.out.line(line)?;
    if audit.unknown > 0 {
        session.out.finish()?;
        session
            .talk
            .hint("`varve vault log ls --kind unknown` names them, `varve vault adopt` takes them up");
    }
    if audit.not_copied > 0 {
        session.out.finish()?;
        session.talk.hint("`varve vault bring` copies files to the replicas that lack them");
    }
    if audit.state == AuditState::Paused {
        session.talk.note("paused; the same command goes on");
    }
    Ok(())
}
