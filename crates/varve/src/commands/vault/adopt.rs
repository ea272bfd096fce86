//! `varve vault adopt`: files that lie in a replica and that the catalogue does not know.

use supervisor::hinted;

use crate::adopted::tell;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::replication::bring;
use crate::session::Session;
use crate::terminal::escape;

/// Take up files that lie in a replica and that nobody knows
///
/// Each is read in every replica that has it, taken up if it is clear what it should be, and brought to the others. Audits tell of such
/// files. The exit code is 1 if one was not taken up.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which files: JOB/NAME
    #[arg(value_name = "FILE", required_unless_present = "all")]
    names: Vec<String>,

    /// All that nobody knows
    #[arg(long, conflicts_with = "names")]
    all: bool,

    /// Why; it stays in the log
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "reading", None), None);
    let mut adopted = Vec::new();
    let outcome = kept.by_hand().adopt(
        &|name| args.all || args.names.iter().any(|wanted| wanted == name),
        &args.reason,
        &mut |one| adopted.push(one.clone()),
        &mut |bytes| pace.read(bytes),
    );
    pace.finish();
    for one in &adopted {
        tell(one, session)?;
    }
    outcome.map_err(hinted)?;
    let mut is_good = adopted.iter().all(|one| one.outcome.is_ok());
    for name in args.names.iter().filter(|name| !adopted.iter().any(|one| one.file == **name)) {
        let is_known = kept.vault.catalogue().file(name)?.is_some();
        let why = if is_known { "is known already" } else { "lies in no replica" };
        session.talk.warning(&format!("`{}` {why}", escape(name)));
        is_good &= is_known;
    }
    session.out.finish()?;
    if adopted.iter().any(|one| one.outcome.is_ok()) {
        let brought = bring(&kept, &interrupts, session)?;
        is_good &= brought.failed + brought.refused == 0;
    } else if args.all && adopted.is_empty() {
        session.talk.note("there is no file that nobody knows");
    }
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}
