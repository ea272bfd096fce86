//! `varve jobs show`: all about one job.

use api::jobs::{Domain, Report, open, state};
use archive::Archive;
use job::socket::{self, Command};
use serde::Serialize;

use super::log::newest;
use super::{hinted_of, import, imported};
use crate::crawl_progress;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, amount, escape};

/// Show how a job gets on, or what became of it
///
/// Of a running job its progress; of one that has ended what came of it, and each domain with documents, bytes and why it ended; of an
/// import what became of its files, of which `varve jobs log JOB import.jsonl` has a line each. The
/// reports themselves, in the form of Heritrix, are printed by `varve jobs log JOB crawl-report.txt`; `varve jobs log JOB --list` names
/// them all.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of a job, or `last`
    #[arg(value_name = "JOB", default_value = "last")]
    job: String,
}

/// So many domains are shown; `--json` and the report have all.
const DOMAINS_SHOWN: usize = 20;

/// What a program is told of a job that no process runs.
#[derive(Serialize)]
struct Row<'a> {
    job: &'a str,
    state: &'a str,
    #[serde(flatten)]
    report: &'a Report,
    domains: Vec<Domain>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = newest(&archive, &args.job)?;
    let folder = archive.work().join(&name);
    if let Ok(progress) = socket::ask(&folder, &Command::Status) {
        if session.globals.json {
            session.out.json(&progress)?;
        } else {
            for line in crawl_progress::lines(&progress) {
                session.out.line(line)?;
            }
        }
        session.out.finish()?;
        return Ok(Exit::Done);
    }
    if let Some(job) = import(&archive, &name)? {
        return imported::show(&job, &archive, session);
    }
    // It may not be there at all.
    open(&archive, &name, "job.toml").map_err(hinted_of)?;
    let at_work = job::list(&archive.work())?.into_iter().find(|job| job.name == name);
    let state = at_work.as_ref().map_or("committed", state);
    let is_held = at_work.as_ref().is_some_and(|job| job.is_held);
    // One that was killed, or has just been resumed, may have a report of an earlier stop, which says nothing of how it stands now.
    let report = if state == "killed" || is_held { None } else { Report::read(&archive, &name) };
    if session.globals.json {
        let domains = if report.is_some() { Domain::read(&archive, &name) } else { Vec::new() };
        let report = report.unwrap_or_default();
        session.out.json(&Row { job: &name, state, report: &report, domains })?;
    } else if let Some(report) = &report {
        tell(&archive, &name, state, report, session)?;
    } else {
        let how =
            if is_held { "a process is at it and does not answer yet" } else { "no report is written yet" };
        session.out.line(format!("{}: {state}; {how}", escape(&name)))?;
    }
    session.out.finish()?;
    if at_work.is_some() && !is_held {
        session.talk.hint(&format!("`varve harvest --resume {name}` goes on with it"));
    }
    Ok(Exit::Done)
}

/// For people.
fn tell(
    archive: &Archive,
    name: &str,
    state: &str,
    report: &Report,
    session: &mut Session,
) -> anyhow::Result<()> {
    session.out.line(format!("{}: {state}; {}", escape(name), escape(report.ending())))?;
    session.out.line("")?;
    let columns = Columns::new([(Align::Left, 12), (Align::Right, 9)]);
    let known = |count: Option<u64>| count.map_or_else(|| "?".to_owned(), amount::grouped);
    for (what, count, remark) in counts(report) {
        session.out.line(columns.row([what, &known(count), &remark]))?;
    }
    let began = report.started.as_deref().and_then(|time| time.get(..19)).unwrap_or("?").replace('T', " ");
    let took = report.seconds.map_or_else(|| "?".to_owned(), crawl_progress::time);
    session.out.line("")?;
    session.out.line(format!("began {} UTC, fetched for {took}", escape(&began)))?;

    let domains = Domain::read(archive, name);
    if domains.is_empty() {
        return Ok(());
    }
    session.out.line("")?;
    let numbers = [(Align::Right, 9), (Align::Right, 9), (Align::Right, 6), (Align::Right, 6)];
    let columns = Columns::new([&numbers[..], &[(Align::Left, 21)]].concat());
    let head = columns.row(["documents", "bytes", "failed", "gone", "why it ended", "domain"]);
    session.out.line(session.paint.strong(head))?;
    for domain in domains.iter().take(DOMAINS_SHOWN) {
        let cells = [
            &amount::grouped(domain.documents),
            &amount::bytes(domain.bytes),
            &known(domain.failed),
            &known(domain.gone),
            domain.ending(),
            &domain.domain,
        ];
        session.out.line(columns.row(cells))?;
    }
    match domains.len().saturating_sub(DOMAINS_SHOWN) as u64 {
        0 => Ok(()),
        more => session.out.line(format!(
            "and {}: `varve jobs log {} domains-report.txt` has all",
            amount::counted(more, "more domain"),
            escape(name)
        )),
    }
}

/// What there is to count, each with a remark.
fn counts(report: &Report) -> [(&'static str, Option<u64>, String); 10] {
    let unchanged = report.duplicates.zip(report.not_modified).map(|(same, told)| same + told);
    let size = |bytes: Option<u64>| bytes.map(amount::bytes).unwrap_or_default();
    let answered = report.start_urls_answered.map(|count| format!("{} answered", amount::grouped(count)));
    let nothing = String::new;
    [
        ("documents", report.documents, size(report.bytes)),
        ("  new", report.novel, size(report.novel_bytes)),
        ("  unchanged", unchanged, nothing()),
        ("  gone", report.gone, nothing()),
        ("  filtered", report.filtered, nothing()),
        ("failed", report.failed, nothing()),
        ("left out", report.left_out, "by robots.txt or a budget".to_owned()),
        ("still queued", report.queued, nothing()),
        ("hosts", report.hosts, nothing()),
        ("start URLs", report.start_urls, answered.unwrap_or_default()),
    ]
}
