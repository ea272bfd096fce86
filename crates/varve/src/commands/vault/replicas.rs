//! `varve vault replicas`: the places that keep files, whether they can be reached, and how much room they have.

use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, bytes, escape};

/// List the replicas: whether each can be reached, and its room
///
/// The first is the archive's own store. The exit code is 1 if one cannot be reached.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Begin those folders of a replica that are new: a disk that was added, or one in the place of one that is lost
    ///
    /// A replica that is known is not begun anew by itself, because its disk may only not be mounted: see that it is.
    #[arg(long, value_name = "NAME", conflicts_with = "give_up")]
    begin: Option<String>,

    /// Forget a replica that is not in varve.toml any more; what lies there stays
    #[arg(long, value_name = "NAME", requires = "reason")]
    give_up: Option<String>,

    /// Why; it stays in the log
    #[arg(long, value_name = "TEXT", requires = "give_up")]
    reason: Option<String>,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    kind: &'static str,
    reachable: bool,
    why: Option<String>,
    room_bytes: Option<u64>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if let Some(name) = &args.begin {
        let loaded = session.load_settings()?;
        let begun = supervisor::begin(name, loaded.archive()?, &loaded.file)?;
        for folder in &begun {
            session.talk.note(&format!("begun: `{}`", escape(&folder.display().to_string())));
        }
        if begun.is_empty() {
            session.talk.note(&format!("replica `{}` has no folder that is new", escape(name)));
        }
    }
    let kept = session.kept()?;
    if let (Some(name), Some(reason)) = (&args.give_up, &args.reason) {
        kept.give_up(name, reason)?;
        session.talk.note(&format!("replica `{}` is forgotten", escape(name)));
        return Ok(Exit::Done);
    }
    let columns = Columns::new([(Align::Left, 12), (Align::Left, 9)]);
    let mut is_good = true;
    for place in kept.vault.places() {
        // The first name is as good as all of them to find out whether anybody answers.
        let listed = place.replica.each_name(&mut |_| Err(store::Error::Stopped));
        let room = place.replica.room();
        let why = match (listed, &room) {
            (Err(store::Error::Stopped) | Ok(()), Ok(_)) => None,
            (Err(error), _) if !matches!(error, store::Error::Stopped) => Some(anyhow::Error::from(error)),
            (_, Err(error)) => Some(anyhow::anyhow!("{error}")),
            (Err(_), Ok(_)) => None,
        };
        let why = why.map(|error| format!("{error:#}"));
        is_good &= why.is_none();
        let room = room.ok().flatten();
        if session.globals.json {
            let (kind, reachable) = (place.kind.name(), why.is_none());
            session.out.json(&Row { name: &place.name, kind, reachable, why, room_bytes: room })?;
            continue;
        }
        let state = match (why, room) {
            (Some(why), _) => why,
            (None, Some(room)) => format!("{} free", bytes(room)),
            (None, None) => "reached".to_owned(),
        };
        session.out.line(columns.row([place.name.as_str(), place.kind.name(), &state]))?;
    }
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}
