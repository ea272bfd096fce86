//! `varve watch pause`: lets watches rest, and go on.

use super::{naming, show};
use crate::exit::Exit;
use crate::session::Session;
use crate::watching::{Asking, Ready};

/// Let watches rest, or go on
///
/// One that rests is not checked, and keeps all that is known of it. One that goes on is due as if it had never rested.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which: their numbers or URLs
    #[arg(value_name = "ID|URL", required = true)]
    watches: Vec<String>,

    /// Go on with them
    #[arg(long)]
    resume: bool,

    /// Whose watch is meant, if several people watch a URL
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let (rows, after) = ready.ask(session, async |desk| {
        let mut rows = Vec::new();
        for named in &args.watches {
            let watch = naming::find(desk, named, args.person.as_deref()).await?;
            let mut wish = desk.wish(&watch);
            wish.paused = !args.resume;
            rows.push(desk.change(watch.id, &wish).await?.discreet());
        }
        Ok(rows)
    })?;
    for row in &rows {
        if session.globals.json {
            session.out.json(row)?;
        } else {
            session.out.line(show::line(row))?;
        }
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}
