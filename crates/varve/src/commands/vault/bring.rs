//! `varve vault bring`: every file to every replica that lacks it.

use catalogue::State;
use jiff::Timestamp;
use serde::Serialize;
use supervisor::{Kept, notifying};
use vault::{Brought, notices};

use crate::clock::now;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::replication::{bring, copies, remark, text, with_bar};
use crate::session::Session;

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
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let brought = if args.now {
        with_bar("bringing", &interrupts, session, |pace| kept.vault.bring_now(pace))?
    } else {
        bring(&kept, &interrupts, session)?
    };
    let notifier = kept.notifier(&session.talk.voice());
    if let Some(notice) = notices::brought(&brought, now()) {
        notifier.notify(&notice);
    }
    notifier.flush(notifying::PATIENCE);
    tell(brought, &kept, session)
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
