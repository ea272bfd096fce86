//! `varve jobs ls`: one line per job.

use crawl::Job;
use serde::Serialize;

use super::report::Report;
use super::state;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, amount};

/// List the jobs: when begun, state, documents, bytes, name
///
/// Those at work come first, then those that are committed, the newest of each first. Of a job that was killed it is not known how
/// much it has before it is resumed; `-` stands there.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// One job.
#[derive(Serialize)]
struct Row {
    job: String,
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
    for job in Job::list(&archive)? {
        let state = state(&job);
        let folder = crawl::work(&archive).join(&job.name);
        let progress = crawl::socket::ask(&folder, &crawl::socket::Command::Status).ok();
        // One that was stopped has written down how far it came; one that was killed has not.
        let is_reported = progress.is_none() && state != "killed";
        let report = is_reported.then(|| Report::read(&archive, &job.name)).flatten().unwrap_or_default();
        rows.push(Row {
            state: progress.as_ref().map_or(state, |progress| &progress.state).to_owned(),
            started: job.started.to_string(),
            documents: progress.as_ref().map(|progress| progress.documents).or(report.documents),
            bytes: progress.as_ref().map(|progress| progress.bytes).or(report.bytes),
            why: progress.and_then(|progress| progress.why).or(job.why),
            job: job.name,
        });
    }
    for commit in archive.snapshot()?.commits().iter().rev() {
        let fact = |name: &str| {
            commit.facts.iter().find(|(given, _)| given == name).and_then(|(_, value)| value.parse().ok())
        };
        rows.push(Row {
            job: commit.name.clone(),
            state: "committed".to_owned(),
            started: commit.at.to_string(),
            documents: fact("documents"),
            bytes: fact("bytes"),
            why: None,
        });
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
    }
    session.out.finish()?;
    Ok(Exit::Done)
}
