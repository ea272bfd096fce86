//! `varve check`: has it changed since it was last checked?

use serde::Serialize;
use watch::{Check, How, Outcome};

use crate::check_lines::{columns, remark};
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::escape;
use crate::watching::{Asking, Fault, Page, Ready, check_row, page};

/// Check whether pages have changed since they were last checked
///
/// Asks each server once and keeps the answer in the archive, where it is found like any capture. A document is the same if its SHA-256 is,
/// or the server says "not modified" by the tag that it gave; its date is never believed. Prints for each URL what was found: `first`, `changed`,
/// `unchanged`, `unavailable` (a status of 400 or more), `unreachable` (no answer), `too-large` (only the headers were compared), `incomplete`
/// (it broke off).
///
/// With `--person` it is said whether a page has changed since that person last asked, whoever has checked it meanwhile. `varve diff` then
/// shows what changed.
///
/// The exit code is 3 if a page has changed, 4 if one could not be had, and 0 if all are as before or seen for the first time. Whoever asks
/// twice within ten seconds is told the same again, and nothing is asked of the server.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to check; http:// may be left out
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,

    /// Take documents of more than 10 MB, too
    #[arg(long)]
    force: bool,

    /// Ask for the head first, and for no more if length and digest are as before; only for servers that send a digest
    #[arg(long)]
    head: bool,

    /// Who asks: each has a memory of what was seen last
    #[arg(long, value_name = "NAME")]
    person: Option<String>,

    #[command(flatten)]
    asking: Asking,
}

/// A check for programs, and UC3 for whoever asks.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    check: api::watches::CheckRow,
    /// Whether it changed since this person last asked; nothing if that was never.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_since_my_last_check: Option<Option<bool>>,
}

/// What became of one URL.
type Found = Result<(Check, Option<bool>), Fault>;

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut urls = Vec::new();
    let mut logins = Vec::new();
    for text in &args.urls {
        let Page { url, login } = page(text)?;
        logins.extend(login);
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    let ready = Ready::of(&args.asking, session)?;
    ready.keychain.keep(&logins)?;
    let how = How { force: args.force, head_first: args.head };
    let person = args.person.as_deref();
    let (checks, after) = ready.ask(session, async |desk| Ok(desk.check_many(&urls, person, how).await?))?;
    let exit = tell(&urls, &checks, person.is_some(), session)?;
    session.out.finish()?;
    after.finish(session);
    Ok(exit)
}

/// Prints what was found; the worst of it is the exit code.
fn tell(urls: &[String], checks: &[Found], is_mine: bool, session: &mut Session) -> anyhow::Result<Exit> {
    let (mut has_changed, mut is_missing, mut has_failed) = (false, false, false);
    let mut is_private = false;
    for (url, check) in urls.iter().zip(checks) {
        let (check, mine) = match check {
            Ok(found) => found,
            Err(fault) => {
                has_failed = true;
                is_private |= fault.is_private();
                session.talk.warning(&format!("{}: not checked: {fault}", escape(url)));
                continue;
            }
        };
        // Of what was not had only the outcome tells.
        let is_mine_here = is_mine && check.outcome.is_had();
        has_changed |= if is_mine_here { *mine == Some(true) } else { is_change(check.outcome) };
        is_missing |= !check.outcome.is_had() && !matches!(check.outcome, Outcome::TooLarge { .. });
        if session.globals.json {
            let changed_since_my_last_check = is_mine.then_some(*mine);
            session.out.json(&Row { check: check_row(check), changed_since_my_last_check })?;
            continue;
        }
        let word = match (is_mine_here, mine) {
            (false, _) => check.outcome.code(),
            (true, Some(true)) => "changed",
            (true, Some(false)) => "unchanged",
            (true, None) => "first",
        };
        session.out.line(columns(check, word))?;
        remark(check, session);
    }
    if is_private {
        session.talk.hint("`--allow-private` asks addresses of this machine and of private networks, too");
    }
    Ok(match (has_failed, is_missing, has_changed) {
        (true, ..) => Exit::Failed,
        (false, true, _) => Exit::Missing,
        (false, false, true) => Exit::Changed,
        (false, false, false) => Exit::Done,
    })
}

fn is_change(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Changed | Outcome::TooLarge { has_changed: true })
}
