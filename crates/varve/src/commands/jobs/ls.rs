//! `varve jobs ls`: one line per job.

use api::jobs::{Jobs, Kind, Summary};
use serde::Serialize;

use super::hinted_of;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, amount, escape};

/// List the jobs, harvests and imports: when begun, state, documents, bytes, name
///
/// Those at work come first, then those that are committed, the newest of each first. Of a job that was killed it is not known how
/// much it has before it is resumed; `-` stands there. The documents of an import are its captures.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// One job.
#[derive(Serialize)]
struct Row {
    job: String,
    kind: Kind,
    collection: String,
    state: String,
    started: String,
    documents: Option<u64>,
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

pub(crate) fn run(_args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let mut rows = Vec::new();
    let jobs = Jobs::new(archive, None, api::Limits::default());
    for Summary { job, kind, collection, state, started, documents, bytes, why, .. } in
        jobs.list().map_err(hinted_of)?
    {
        rows.push(Row { job, kind, collection, state, started, documents, bytes, why });
    }
    if rows.is_empty() {
        session.talk.hint("there is no job yet: `varve harvest URL` begins one");
    }
    let columns = Columns::new([(Align::Left, 20), (Align::Left, 10), (Align::Right, 9), (Align::Right, 9)]);
    for row in rows {
        if session.globals.json {
            session.out.json(&row)?;
            continue;
        }
        let started = row.started.get(..19).unwrap_or(&row.started).to_owned();
        let dash = || "-".to_owned();
        let documents = row.documents.map_or_else(dash, amount::grouped);
        let bytes = row.bytes.map_or_else(dash, amount::bytes);
        let cells = [&started, &row.state, &documents, &bytes, &row.job];
        session.out.line(columns.row(cells.map(String::as_str)))?;
        // Whoever wonders why it does not move need not ask further.
        if let Some(why) = row.why.as_ref().filter(|_| row.state == "paused") {
            session.out.line(format!("  {}", escape(why)))?;
        }
    }
    session.out.finish()?;
    Ok(Exit::Done)
}
