//! `varve vault repair`: what is missing or has changed is brought back from a sound copy.

use serde::Serialize;
use supervisor::{hinted, notifying};
use vault::{Outcome, Remedies, Remedy, notices};

use crate::clock::now;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{counted, escape};

/// Remedies that people are told of.
const REMEMBERED: usize = 1000;

/// What programs are told of what would be done.
const POSSIBLE: &str = "possible";

/// Bring back what is missing or has changed
///
/// What audits have found is copied anew from a sound replica; a copy that has changed is kept aside, never deleted. That is done only
/// where the recorded checksum and most of the replicas agree; else nothing is touched, and it is said why. The exit code is 1 if
/// anything is left that is not as it should be.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only say what would be done
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    replica: &'a str,
    was: &'static str,
    outcome: &'static str,
    why: Option<&'a str>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "repairing", None), None);
    let (mut told, mut remedies) = (Ok(()), Remedies::new(REMEMBERED));
    let repaired = kept.by_hand().repair(
        args.dry_run,
        &mut |remedy| {
            if told.is_ok() {
                told = tell(&remedy, session);
            }
            remedies.add(remedy);
        },
        &mut |bytes| pace.read(bytes),
    );
    pace.finish();
    if !args.dry_run {
        let notifier = kept.notifier(&session.talk.voice());
        if let Some(notice) = notices::repair(&remedies, now()) {
            notifier.notify(&notice);
        }
        notifier.flush(notifying::PATIENCE);
    }
    told?;
    repaired.map_err(hinted)?;
    if !session.globals.json {
        session.out.line(summary(&remedies, args.dry_run))?;
    }
    session.out.finish()?;
    let left = remedies.left();
    if left > 0 {
        session.talk.hint(
            "`varve vault log ls --file FILE` tells its story; `varve vault forget FILE --replica NAME --sha256 SUM` takes a bad copy out, \
             `varve vault correct` puts the record right",
        );
    }
    Ok(if left == 0 { Exit::Done } else { Exit::Failed })
}

fn summary(remedies: &Remedies, is_dry: bool) -> String {
    let (count, left) = (remedies.done, remedies.left());
    let done = counted(count, "copy").replace("copys", "copies");
    match (count + left, is_dry) {
        (0, _) => "there is nothing to repair that an audit would have found".to_owned(),
        (_, true) => format!("{done} would be repaired, {left} would be left"),
        (_, false) => format!("{done} repaired, {left} left"),
    }
}

fn tell(remedy: &Remedy, session: &mut Session) -> anyhow::Result<()> {
    let (outcome, why) = match &remedy.outcome {
        Outcome::Possible => (POSSIBLE, None),
        Outcome::Repaired => ("repaired", None),
        Outcome::Sound => ("sound", None),
        Outcome::Undecided(why) => ("undecided", Some(why.as_str())),
        Outcome::Failed(why) => ("failed", Some(why.as_str())),
    };
    let Remedy { file, replica, was, .. } = remedy;
    if session.globals.json {
        return session.out.json(&Row { file, replica, was: was.name(), outcome, why });
    }
    let outcome = if outcome == POSSIBLE { "would be repaired" } else { outcome };
    let word = match why {
        None => session.paint.good(outcome).to_string(),
        Some(_) => session.paint.bad(outcome).to_string(),
    };
    let why = why.map(|why| format!("  {}", escape(why))).unwrap_or_default();
    session.out.line(format!("{word}  {} in {} ({was}){why}", escape(file), escape(replica)))
}

/// The way on where an audit has found something.
pub(super) fn advise(session: &Session) {
    session
        .talk
        .hint("`varve vault repair --dry-run` tells what can be repaired, `varve vault repair` does it");
}
