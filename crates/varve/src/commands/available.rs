//! `varve available`: is a page there, was it, and when?

use jiff::Timestamp;
use serde::Serialize;
use watch::How;

use crate::check_lines::{columns, remark};
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::moment;
use crate::session::Session;
use crate::terminal::escape;
use crate::watching::{Asking, Fault, Page, Ready, check_row, page};

/// Checks that are read at once.
const PAGE: u32 = 1_000;

/// Say whether a page can be reached, now or at a time
///
/// A page can be reached if its server answers with a status below 400. Without an option it is checked now. `--history` lists every
/// check, the oldest first, and `--at` tells what the last check until then has found; neither asks the server.
///
/// The exit code is 0 if it can be reached and 4 if not; with `--history` that is about the last check.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page
    #[arg(value_name = "URL")]
    url: String,

    /// List every check: time, what was found, status, version, length, URL
    #[arg(long, conflicts_with = "at")]
    history: bool,

    /// When: 2026, 20261116043246, 2026-11-16 or 2026-11-16T04:32:46Z
    #[arg(long, value_name = "TIME", value_parser = moment::parse)]
    at: Option<Timestamp>,

    #[command(flatten)]
    asking: Asking,
}

/// What is known of a time, for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    at: String,
    available: Option<bool>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ready = Ready::of(&args.asking, session)?;
    let Page { url, login } = page(&args.url)?;
    ready.keychain.keep(login.as_slice())?;
    if let Some(at) = args.at {
        let (available, after) = ready.ask(session, async |desk| {
            let resource = desk.monitor.resource(&url).map_err(Fault::from)?;
            Ok(resource.available_at(at).await.map_err(Fault::from)?)
        })?;
        if session.globals.json {
            session.out.json(&Row { url: &url, at: at.to_string(), available })?;
        } else {
            let word = match available {
                Some(true) => "available",
                Some(false) => "not available",
                None => "not known",
            };
            session.out.line(format!("{}  {word}  {}", shown(at), escape(&url)))?;
        }
        after.finish(session);
        return match available {
            Some(true) => Ok(Exit::Done),
            Some(false) => Ok(Exit::Missing),
            None => {
                let error = anyhow::anyhow!("{} was not checked by then", escape(&url));
                Err(with_hint(error, "`--history` lists when it was"))
            }
        };
    }
    let (checks, after) = ready.ask(session, async |desk| {
        if !args.history {
            return Ok(vec![desk.check(&url, None, How::default()).await?]);
        }
        let resource = desk.monitor.resource(&url).map_err(Fault::from)?;
        let mut checks: Vec<watch::Check> = Vec::new();
        loop {
            let behind = checks.last().map_or(0, |check| check.id);
            let page = resource.checks(behind, PAGE).await.map_err(Fault::from)?;
            if page.is_empty() {
                return Ok(checks);
            }
            checks.extend(page);
        }
    })?;
    for check in &checks {
        if session.globals.json {
            session.out.json(&check_row(check))?;
        } else {
            session.out.line(columns(check, check.outcome.code()))?;
        }
    }
    session.out.finish()?;
    if !args.history {
        checks.iter().for_each(|check| remark(check, session));
    }
    after.finish(session);
    let is_there = checks.last().is_some_and(watch::Check::is_available);
    Ok(if is_there { Exit::Done } else { Exit::Missing })
}

fn shown(at: Timestamp) -> String {
    format!("{at:.0}").replace('T', " ").replace('Z', "")
}
