//! `varve jobs show`: all about one job.

use std::io::{Read as _, Write as _};

use anyhow::Context as _;
use crawl::socket::{self, Command};
use serde::Serialize;

use super::log::{files, newest, open};
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::Lines;

/// Show how a job gets on, or what became of it
///
/// Of a running job its progress; of one that has ended its report, and each domain with objects, bytes and why it stopped.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of a job, or `last`
    #[arg(value_name = "JOB", default_value = "last")]
    job: String,
}

/// Reports are short; of longer ones `varve jobs log` shows all.
const REPORT_BYTES_MAX: u64 = 1 << 20;

/// What a program is told of a job that has ended.
#[derive(Serialize)]
struct Row {
    job: String,
    state: String,
    report: serde_json::Map<String, serde_json::Value>,
    domains: Vec<Domain>,
}

/// A line of the report by domain.
#[derive(Serialize)]
struct Domain {
    domain: String,
    objects: u64,
    bytes: u64,
    stop_reason: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = newest(&archive, &args.job)?;
    let folder = crawl::work(&archive).join(&name);
    if let Ok(progress) = socket::ask(&folder, &Command::Status) {
        if session.globals.json {
            session.out.json(&progress)?;
        } else {
            for line in crate::commands::harvest::live::lines(&progress) {
                session.out.line(line)?;
            }
        }
        session.out.finish()?;
        return Ok(Exit::Done);
    }
    let text = |file: &str| -> anyhow::Result<String> {
        let mut text = String::new();
        open(&archive, &name, file)?.take(REPORT_BYTES_MAX).read_to_string(&mut text)?;
        Ok(text)
    };
    let has_reports = files(&archive, &name)?.iter().any(|file| file == "crawl-report.txt");
    if !has_reports {
        // It was killed before it could write any: at least it is there.
        open(&archive, &name, "job.toml")?;
        session.out.line(format!("{name}: not running, and no report is written yet"))?;
        session.out.finish()?;
        session.talk.hint(&format!("`varve harvest --resume {name}` goes on with it"));
        return Ok(Exit::Done);
    }
    let (report, domains) = (text("crawl-report.txt")?, text("domains-report.txt")?);
    if session.globals.json {
        let state = if folder.is_dir() { "stopped" } else { "committed" };
        let rows = domains.lines().skip(1).filter_map(domain).collect();
        let report = report.lines().filter_map(|line| line.split_once(": "));
        let report = report.map(|(key, value)| (key.to_owned(), value.into())).collect();
        session.out.json(&Row { job: name, state: state.to_owned(), report, domains: rows })?;
    } else {
        let mut lines = Lines::new(&mut session.out);
        let text = [report.as_str(), domains.as_str()].join("\n");
        lines
            .write_all(text.as_bytes())
            .and_then(|()| lines.finish())
            .context("cannot write to standard output")?;
    }
    session.out.finish()?;
    Ok(Exit::Done)
}

fn domain(line: &str) -> Option<Domain> {
    let mut fields = line.split(' ');
    Some(Domain {
        objects: fields.next()?.parse().ok()?,
        bytes: fields.next()?.parse().ok()?,
        domain: fields.next()?.to_owned(),
        stop_reason: fields.next()?.to_owned(),
    })
}
