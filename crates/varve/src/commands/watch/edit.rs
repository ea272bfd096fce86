//! `varve watch edit`: changes what is wanted of a watch.

use super::options::Wanted;
use super::{naming, show};
use crate::exit::Exit;
use crate::session::Session;
use crate::watching::{Asking, Ready};

/// Change what is wanted of a watch
///
/// Only what is given changes. A list that is given takes the place of the one before, and `none` takes it away: `--only none`,
/// `--notify none`, `--quiet-hours none`. `--no-head`, `--no-force`, `--no-margins` and `--no-noise` take those back.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which: its number or its URL
    #[arg(value_name = "ID|URL")]
    watch: String,

    /// Whose watch is meant, if several people watch the URL
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    #[command(flatten)]
    wanted: Wanted,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let (row, after) = ready.ask(session, async |desk| {
        let watch = naming::find(desk, &args.watch, args.person.as_deref()).await?;
        let mut wish = desk.wish(&watch);
        args.wanted.lay(&mut wish)?;
        Ok(desk.change(watch.id, &wish).await?.discreet())
    })?;
    if session.globals.json {
        session.out.json(&row)?;
    } else {
        session.out.line(show::line(&row))?;
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}
