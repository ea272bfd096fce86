//! Copies files to the replicas, with a bar on the screen: after each commit, and when `varve vault bring` or another verb asks.

use archive::Archive;
use fetch::Clock;
use supervisor::{Kept, hinted, is_busy};
use vault::Brought;

use crate::clock::now;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{counted, escape};

/// What a harvest or an import does when its job is committed: its files are recorded and read back and, where there are replicas, copied
/// to them. An error here is a warning: the job is committed. The next commit, the next `varve vault` command or `varve up` does the rest.
pub(crate) fn after_commit(archive: &Archive, job: &str, interrupts: &Interrupts, session: &Session) {
    let done = session
        .read_settings()
        .and_then(|file| Ok(Kept::of(archive.clone(), &file, Clock::new(now))?))
        .and_then(|kept| {
            kept.note(job)?;
            if interrupts.is_wanted() {
                return Ok(None);
            }
            if kept.has_others() {
                return bring(&kept, interrupts, session).map(Some);
            }
            // Only what is new: an archive may have terabytes that nobody has verified yet, and those are for an audit.
            let brought =
                with_bar("verifying", interrupts, session, |pace| kept.vault.verify_job(job, pace))?;
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
        Err(error) if is_busy(error.as_ref()) => {
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

/// Brings what is due, with a bar.
pub(crate) fn bring(kept: &Kept, interrupts: &Interrupts, session: &Session) -> anyhow::Result<Brought> {
    with_bar("bringing", interrupts, session, |pace| kept.vault.bring(pace))
}

/// Does the same by any function, with a bar.
pub(crate) fn with_bar(
    what: &str,
    interrupts: &Interrupts,
    session: &Session,
    bring: impl FnOnce(store::Pace<'_>) -> Result<Brought, vault::Error>,
) -> anyhow::Result<Brought> {
    let mut pace = Pace::new(interrupts, Progress::bytes(&session.talk, what, None), None);
    let brought = bring(&mut |bytes| pace.read(bytes));
    pace.finish();
    Ok(brought.map_err(hinted)?)
}

/// The outcome as a sentence.
pub(crate) fn text(brought: &Brought) -> String {
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

/// A number of copies, in words.
pub(crate) fn copies(count: u64) -> String {
    if count == 1 { "1 copy".to_owned() } else { format!("{} copies", crate::terminal::grouped(count)) }
}

/// Says which command shows more about failures.
pub(crate) fn remark(brought: &Brought, session: &Session) {
    if brought.failed > 0 {
        session.talk.hint("`varve vault status` tells why, and when it is tried again");
    }
    if brought.refused > 0 {
        session.talk.hint("`varve vault repair --dry-run` tells what can be done about it");
    }
}
