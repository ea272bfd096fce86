//! `varve vault bring`: every file to every replica that lacks it.

use archive::Archive;
use catalogue::State;
use jiff::Timestamp;
use serde::Serialize;
use vault::{Brought, notices};

use super::pace::Pace;
use crate::clock::now;
use crate::commands::harvest::Interrupts;
use crate::exit::Exit;
use crate::notifying;
use crate::progress::Progress;
use crate::replicas::{Kept, hinted, is_busy};
use crate::session::Session;
use crate::settings;
use crate::terminal::{counted, escape};

/// Bring every file to every replica that lacks it
///
/// Each copy is read back before it counts. What fails is tried again later, after a longer pause each time; `--now` does not wait
/// for that. Ctrl-C stops it, and the same command goes on. The exit code is 1 if anything failed or waits for its next try.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also try again what has failed before and would be tried later
    #[arg(long)]
    now: bool,
}

/// For programs.
#[derive(Serialize)]
struct Row {
    verified: u64,
    failed: u64,
    refused: u64,
    accepted: u64,
    /// Copies that are tried again later.
    waiting: u64,
    /// When the first of them is.
    next_at: Option<String>,
    stopped: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = Kept::open(session)?;
    let interrupts = Interrupts::listen()?;
    let brought = if args.now {
        with_bar("bringing", &interrupts, session, |pace| kept.vault.bring_now(pace))?
    } else {
        bring(&kept, &interrupts, session)?
    };
    let notifier = kept.notifier(session);
    if let Some(notice) = notices::brought(&brought, now()) {
        notifier.notify(&notice);
    }
    notifier.flush(notifying::PATIENCE);
    tell(brought, &kept, session)
}

/// Brings what is due, with a bar.
pub(super) fn bring(kept: &Kept, interrupts: &Interrupts, session: &Session) -> anyhow::Result<Brought> {
    with_bar("bringing", interrupts, session, |pace| kept.vault.bring(pace))
}

fn with_bar(
    what: &str,
    interrupts: &Interrupts,
    session: &Session,
    bring: impl FnOnce(store::Pace<'_>) -> Result<Brought, vault::Error>,
) -> anyhow::Result<Brought> {
    let mut pace = Pace::new(interrupts, Progress::bytes(&session.talk, what, None), None);
    let brought = bring(&mut |bytes| pace.read(bytes));
    pace.finish();
    brought.map_err(hinted)
}

/// Says what came of it.
pub(super) fn tell(brought: Brought, kept: &Kept, session: &mut Session) -> anyhow::Result<Exit> {
    let Brought { verified, failed, refused, accepted, is_stopped } = brought;
    let (waiting, next_at) = if is_stopped { (0, None) } else { waiting(kept)? };
    if session.globals.json {
        let next_at = next_at.map(|at| at.to_string());
        let row = Row { verified, failed, refused, accepted, waiting, next_at, stopped: is_stopped };
        session.out.json(&row)?;
    } else if verified + failed + refused > 0 || waiting == 0 {
        session.out.line(text(&brought))?;
    }
    session.out.finish()?;
    if let Some(at) = next_at {
        let (wait, until) = if waiting == 1 { ("waits", "until") } else { ("wait", "the first until") };
        let at = at.strftime("%Y-%m-%d %H:%M:%S UTC");
        session.talk.reason(&format!(
            "{} {wait} for the next try, {until} {at}; `--now` tries at once",
            copies(waiting)
        ));
    }
    remark(&brought, session);
    Ok(if failed + refused + waiting == 0 && !is_stopped { Exit::Done } else { Exit::Failed })
}

/// Copies that are still to be made, and when the first of them is tried.
fn waiting(kept: &Kept) -> anyhow::Result<(u64, Option<Timestamp>)> {
    let catalogue = kept.vault.catalogue();
    let (mut count, mut first) = (0, None);
    for place in kept.vault.places() {
        let is_open =
            |state| matches!(state, State::Wanted | State::Uploading | State::Uploaded | State::Failed);
        let own = kept.vault.catalogue().tallies()?;
        let own = own.iter().filter(|tally| tally.replica == place.name && is_open(tally.state));
        count += own.map(|tally| tally.files).sum::<u64>();
        for file in catalogue.due(&place.name, Timestamp::MAX, 1)? {
            let copy = catalogue.copies(&file)?.into_iter().find(|copy| copy.replica == place.name);
            first = first.into_iter().chain(copy.map(|copy| copy.due_at)).min();
        }
    }
    Ok((count, first))
}

fn text(brought: &Brought) -> String {
    let Brought { verified, failed, refused, accepted, is_stopped } = *brought;
    if verified + failed + refused == 0 && !is_stopped {
        return "there was nothing to bring".to_owned();
    }
    let mut text =
        format!("{} brought and read back, {} accepted", copies(verified), counted(accepted, "file"));
    if failed > 0 {
        text.push_str(&format!("; {} failed, to be tried again", copies(failed)));
    }
    if refused > 0 {
        text.push_str(&format!("; {} refused: another file lies there under that name", copies(refused)));
    }
    if is_stopped {
        text.push_str("; stopped, the same command goes on");
    }
    text
}

fn copies(count: u64) -> String {
    if count == 1 { "1 copy".to_owned() } else { format!("{} copies", crate::terminal::grouped(count)) }
}

fn remark(brought: &Brought, session: &Session) {
    if brought.failed > 0 {
        session.talk.hint("`varve vault status` tells why, and when it is tried again");
    }
    if brought.refused > 0 {
        session.talk.hint("`varve vault repair --dry-run` tells what can be done about it");
    }
}

/// What a harvest or an import does when its job is committed: its files are recorded and read back and, where there are replicas, copied
/// to them. An error here is a warning: the job is committed. The next commit, the next `varve vault` command or `varve up` does the rest.
pub(crate) fn after_commit(archive: &Archive, job: &str, interrupts: &Interrupts, session: &Session) {
    let done = settings::said(session).and_then(|file| Kept::of(archive.clone(), &file)).and_then(|kept| {
        kept.note(job)?;
        if interrupts.is_wanted() {
            return Ok(None);
        }
        if kept.has_others() {
            return bring(&kept, interrupts, session).map(Some);
        }
        // Only what is new: an archive may have terabytes that nobody has verified yet, and those are for an audit.
        let brought = with_bar("verifying", interrupts, session, |pace| kept.vault.verify_job(job, pace))?;
        if brought.refused > 0 {
            let files = counted(brought.refused, "file");
            session.talk.warning(&format!("{files} of {} read back with another checksum", escape(job)));
            session.talk.hint("`varve vault log ls --kind changed` lists them; check the disk");
        }
        if brought.failed > 0 {
            let files = counted(brought.failed, "file");
            session.talk.warning(&format!("{files} of {} could not be read back", escape(job)));
            session.talk.hint("`varve vault audit` reads them again; check the disk");
        }
        Ok(None)
    });
    match done {
        Ok(Some(brought)) if brought.failed + brought.refused > 0 || brought.is_stopped => {
            session.talk.warning(&format!("not every replica has it yet: {}", text(&brought)));
            remark(&brought, session);
        }
        Ok(Some(brought)) if brought.verified > 0 => session.talk.note(&text(&brought)),
        Ok(_) => {}
        Err(error) if is_busy(&error) => {
            session
                .talk
                .note("another process is copying or repairing files, so the replicas get these files later");
            session.talk.hint("the next commit, `varve vault bring` or `varve up` copies them");
        }
        Err(error) => {
            session.talk.warning(&format!("the replicas do not have it yet: {error:#}"));
            session.talk.hint("`varve vault bring` brings it to them; `varve up` does it by itself");
        }
    }
}
