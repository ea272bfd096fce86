//! `varve check`: has it changed since it was last checked?

use std::time::Duration;

use anyhow::Context as _;
use archive::{Archive, Committed};
use serde::Serialize;
use watch::{Check, Error, How, Monitor, Outcome};

use super::harvest::{self, Interrupts};
use super::vault;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::settings::{Flags, parse_duration};
use crate::terminal::{Align, Columns, bytes, escape};

/// Check whether pages have changed since they were last checked
///
/// Asks each server once and keeps the answer in the archive, where it is found like any capture. A document is the same if its SHA-256 is,
/// or the server says "not modified" by the tag that it gave; its date is never believed. Prints for each URL what was found: `first`, `changed`,
/// `unchanged`, `unavailable` (a status of 400 or more), `unreachable` (no answer), `too-large` (only the headers were compared), `incomplete`
/// (it broke off).
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

    /// Ask addresses of private networks and of this machine, too
    #[arg(long)]
    allow_private: bool,

    /// Wait so long between two requests to a host, such as 2 (seconds) or 500ms [default: as harvests do]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    delay: Option<Duration>,
}

/// A check for programs.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    time: String,
    outcome: &'static str,
    available: bool,
    changed: bool,
    status: Option<u16>,
    final_url: Option<&'a str>,
    redirects: u32,
    version: Option<u32>,
    sha256: Option<String>,
    length: Option<u64>,
    took_ms: u64,
    why: Option<&'a str>,
    faults: Vec<&'static str>,
    repeated: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut urls = Vec::new();
    for text in &args.urls {
        let url = String::from(harvest::one_url(text)?);
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    let (archive, settings) = prepared(&args, session)?;
    let interrupts = Interrupts::listen()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("cannot start threads")?;
    let how = How { force: args.force, head_first: args.head };
    let (checks, committed) = runtime.block_on(async {
        let monitor = Monitor::open(&archive, settings).await.map_err(hinted)?;
        let asked: Vec<&str> = urls.iter().map(String::as_str).collect();
        let checks = tokio::select! {
            checks = monitor.check_many(&asked, how) => checks,
            // What was checked until then is kept.
            () = interrupts.wanted() => Vec::new(),
        };
        let committed = monitor.commit().await.map_err(hinted)?;
        monitor.close().await;
        anyhow::Ok((checks, committed))
    })?;
    let exit = tell(&urls, &checks, session)?;
    session.out.finish()?;
    if let Some(job) = committed.as_ref().and_then(job_of) {
        vault::after_commit(&archive, job, &interrupts, session);
    }
    Ok(if interrupts.is_wanted() { Exit::Failed } else { exit })
}

/// The archive, and how it is watched: as harvests of it are made.
fn prepared(args: &Args, session: &Session) -> anyhow::Result<(Archive, watch::Settings)> {
    let asked = harvest::Args { urls: args.urls.clone(), resume: None, flags: Box::new(Flags::default()) };
    let harvest::Plan { archive, settings: crawl, .. } = harvest::plan(&asked, session)?;
    let mut settings = watch::Settings::new(crawl.fetch.clock.clone(), crawl.ids.clone());
    settings.fetch = crawl.fetch;
    settings.fetch.allowed.private |= args.allow_private;
    settings.gate = crawl.gate;
    if let Some(delay) = args.delay {
        (settings.gate.delay_min, settings.gate.delay_max) = (delay, delay);
    }
    (settings.warcinfo, settings.gzip_level) = (crawl.warcinfo, crawl.gzip_level);
    Ok((archive, settings))
}

/// The job that was committed.
fn job_of(committed: &Committed) -> Option<&str> {
    committed.files.first().and_then(|file| file.name.split_once('/')).map(|(job, _)| job)
}

/// Prints what was found; the worst of it is the exit code.
fn tell(urls: &[String], checks: &[Result<Check, Error>], session: &mut Session) -> anyhow::Result<Exit> {
    let columns = Columns::new([
        (Align::Left, 19),
        (Align::Left, 12),
        (Align::Right, 3),
        (Align::Right, 7),
        (Align::Right, 9),
    ]);
    let (mut has_changed, mut is_missing, mut has_failed) = (false, false, false);
    let mut is_private = false;
    for (url, check) in urls.iter().zip(checks) {
        let check = match check {
            Ok(check) => check,
            Err(error) => {
                has_failed = true;
                let is_refused =
                    matches!(error, Error::NotAsked { why: fetch::Failure::AddressRefused(_), .. });
                let error = anyhow::Error::new(error.clone());
                session.talk.warning(&format!("{}: not checked: {error:#}", escape(url)));
                is_private |= is_refused;
                continue;
            }
        };
        has_changed |= is_change(check.outcome);
        is_missing |= !check.outcome.is_had() && !matches!(check.outcome, Outcome::TooLarge { .. });
        if session.globals.json {
            session.out.json(&row(check))?;
            continue;
        }
        let cells = [
            format!("{:.0}", check.at).replace('T', " ").replace('Z', ""),
            check.outcome.code().to_owned(),
            check.status.map_or_else(|| "-".to_owned(), |status| status.to_string()),
            check.version.map_or_else(|| "-".to_owned(), |version| format!("v{version}")),
            check.length.map_or_else(|| "-".to_owned(), bytes),
            check.url.clone(),
        ];
        session.out.line(columns.row(cells.iter().map(String::as_str)))?;
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

/// What a person should know besides.
fn remark(check: &Check, session: &Session) {
    let url = escape(&check.url);
    if check.is_repeated {
        session.talk.note(&format!("{url}: asked less than ten seconds ago; this is what was found then"));
    }
    if let Some(why) = &check.why {
        session.talk.note(&format!("{url}: {}", escape(why)));
    }
    for fault in &check.faults {
        session.talk.warning(&format!("{url}: the server {fault}"));
    }
    if matches!(check.outcome, Outcome::TooLarge { .. }) {
        session.talk.hint("`--force` takes it all the same");
    }
}

fn row(check: &Check) -> Row<'_> {
    Row {
        url: &check.url,
        time: check.at.to_string(),
        outcome: check.outcome.code(),
        available: check.is_available(),
        changed: is_change(check.outcome),
        status: check.status,
        final_url: check.final_url.as_deref(),
        redirects: check.redirects,
        version: check.version,
        sha256: check.digest.map(|digest| digest.to_string()),
        length: check.length,
        took_ms: u64::try_from(check.took.as_millis()).unwrap_or(u64::MAX),
        why: check.why.as_deref(),
        faults: check.faults.iter().map(|fault| fault.code()).collect(),
        repeated: check.is_repeated,
    }
}

/// What can be done about it.
fn hinted(error: Error) -> anyhow::Error {
    let is_damaged = error.is_damaged();
    let error = anyhow::Error::new(error);
    if is_damaged {
        return with_hint(
            error,
            "the captures are safe in the archive; move watch.db away, and watching begins anew",
        );
    }
    error
}
