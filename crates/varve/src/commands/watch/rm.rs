//! `varve watch rm`: ends watches.

use serde::Serialize;

use super::naming;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::escape;
use crate::watching::{Asking, Ready};

/// End watches; what was seen so far stays
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which: their numbers or URLs
    #[arg(value_name = "ID|URL", required = true)]
    watches: Vec<String>,

    /// Whose watch is meant, if several people watch a URL
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

/// One that was ended, for programs.
#[derive(Serialize)]
struct Row {
    removed: i64,
    url: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let (rows, after) = ready.ask(session, async |desk| {
        // All are found before one is ended.
        let mut found: Vec<Row> = Vec::new();
        for named in &args.watches {
            let watch = naming::find(desk, named, args.person.as_deref()).await?;
            if found.iter().all(|row| row.removed != watch.id) {
                found.push(Row { removed: watch.id, url: watch.url });
            }
        }
        for row in &found {
            desk.remove(row.removed).await?;
        }
        Ok(found)
    })?;
    for row in &rows {
        if session.globals.json {
            session.out.json(row)?;
        } else {
            session.out.line(format!("watch {} ended: {}", row.removed, escape(&row.url)))?;
        }
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}
