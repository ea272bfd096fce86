//! `varve watch ls`: one line per watch.

use api::watches::{Listed, WatchRow};

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, escape};
use crate::watching::{Asking, Ready};

/// Watches that are read at once.
const PAGE: u32 = 500;

/// List the watches: number, last check, what it found, version, pause, URL
///
/// The pause is that until the next check, or `paused`; `-` stands where nothing was checked yet. Below a watch stands who could not be
/// told, and why.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Those of this person
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    /// Those with this text in URL, title or tags
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&Asking::default(), session)?;
    let mut wanted = Listed { owner: args.person, find: args.find, behind: 0, most: PAGE };
    let is_all = wanted.owner.is_none() && wanted.find.is_none();
    let (rows, after) = ready.ask(session, async |desk| {
        let mut rows: Vec<WatchRow> = Vec::new();
        loop {
            let page = desk.list(&wanted).await?;
            let Some(last) = page.last() else { return Ok(rows) };
            wanted.behind = last.id;
            rows.extend(page);
        }
    })?;
    if rows.is_empty() && is_all {
        session.talk.hint("nothing is watched yet: `varve watch add URL` begins to");
    }
    let columns = Columns::new([
        (Align::Right, 4),
        (Align::Left, 19),
        (Align::Left, 11),
        (Align::Right, 5),
        (Align::Right, 7),
    ]);
    for row in &rows {
        if session.globals.json {
            session.out.json(row)?;
            continue;
        }
        let dash = || "-".to_owned();
        let last = row.last.as_ref();
        let cells = [
            row.id.to_string(),
            last.map_or_else(dash, |check| time(&check.time)),
            last.map_or_else(dash, |check| {
                if row.is_noise() { "only noise" } else { check.outcome }.to_owned()
            }),
            if row.version > 0 { format!("v{}", row.version) } else { dash() },
            if row.wish.paused { "paused".to_owned() } else { row.pause.clone() },
            row.wish.url.clone(),
            row.wish.title.clone(),
        ];
        session.out.line(columns.row(cells.iter().map(String::as_str)))?;
        for untold in &row.untold {
            session.out.line(format!("      message to {}", escape(untold)))?;
        }
    }
    session.out.finish()?;
    after.finish(session);
    Ok(Exit::Done)
}

/// A time as tables have it.
pub(super) fn time(text: &str) -> String {
    text.get(..19).unwrap_or(text).replace('T', " ")
}
