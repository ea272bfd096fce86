//! `varve watch add`: begins to watch a page.

use api::watches::WatchWish;

use super::options::Wanted;
use super::show;
use crate::exit::Exit;
use crate::session::Session;
use crate::watching::{Asking, Ready};

/// Begin to watch a page
///
/// It is checked for the first time when the rounds are made next: by `varve watch run`, or by `varve up`. `varve watch test URL` shows
/// beforehand what rules keep of the page.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page; http:// may be left out
    #[arg(value_name = "URL")]
    url: String,

    /// Whose watch it is [default: me, or as `[watch]` says]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    #[command(flatten)]
    wanted: Wanted,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let mut wish =
        WatchWish { url: args.url, owner: args.person.unwrap_or_default(), ..WatchWish::default() };
    args.wanted.lay(&mut wish)?;
    let (row, after) = ready.ask(session, async |desk| Ok(desk.add(&wish).await?.discreet()))?;
    if session.globals.json {
        session.out.json(&row)?;
    } else {
        session.out.line(show::line(&row))?;
    }
    session.out.finish()?;
    session.talk.hint("`varve watch run` makes the rounds, and so does `varve up`");
    after.finish(session);
    Ok(Exit::Done)
}
